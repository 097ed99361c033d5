// SPDX-License-Identifier: Apache-2.0

extension PixelBuffer {
  /// Draws a map of kind `.columns`. Transposes the needed part of the source, computes sixteen columns at a
  /// time in the same way as rows, and transposes them back when they are written.
  func drawColumns(_ drawing: Drawing, _ scratch: inout RowScratch) {
    let target = drawing.target
    let reach = drawing.reach
    let m = drawing.map
    let map = Homography(a: m.e, b: m.d, c: m.f, d: m.b, e: m.a, f: m.c, g: m.h, h: m.g, i: m.i)
    let o = drawing.outline
    // A constant shade is included in the weights of the columns.
    let isEven = drawing.shade.top == drawing.shade.bottom
    let width = RowScratch.tileWidth
    let rows = turned(drawing, &scratch)
    let sampler = RowSampler(
      source: rows, outline: Rect(x: o.y, y: o.x, width: o.height, height: o.width), map: map,
      edges: drawing.edges, opacity: drawing.opacity, shade: isEven ? drawing.shade : .none, shadeRow: 0,
      shadeCount: 0, storedBits: 0, width: reach.height, scratch: &scratch)
    let tile = scratch.tile(height: reach.height)
    let lines = tile + reach.height * width
    sampler.turn(drawing, from: target.x, to: target.maxX, shaded: !isEven)
    var edge = RowSampler.Edge.none
    var x = target.x
    while x < target.maxX {
      let columns = min(width, target.maxX - x)
      // The rows that at least one of the columns touches.
      var top = reach.maxY
      var bottom = reach.y
      Kernels.fill(tile, 0 as UInt32, count: reach.height * columns)
      for column in 0..<columns {
        guard let span = sampler.span(x + column, left: reach.y, right: reach.maxY, below: &edge) else {
          continue
        }
        let place = tile + (column * reach.height + span.start - reach.y)
        Kernels.copy(place, span.pixels, byteCount: span.count * 4)
        top = min(top, span.start)
        bottom = max(bottom, span.start + span.count)
      }
      top = max(top, target.y)
      bottom = min(bottom, target.maxY)
      if top < bottom {
        Kernels.transpose(
          lines, stride: width, tile + (top - reach.y), sourceStride: reach.height, width: bottom - top,
          height: columns, setting: 0)
      }
      var y = top
      while y < bottom {
        Kernels.over(row32(y) + x, lines + (y &- top) &* width, count: columns, setting: storedBits)
        y += 1
      }
      x += columns
    }
  }

  /// Memory for the transposed source.
  private func turned(_ drawing: Drawing, _ scratch: inout RowScratch) -> SourceRows {
    let part = drawing.part
    let pixels = scratch.turned(pixels: part.width * part.height)
    return SourceRows(
      base: UnsafeRawPointer(pixels), bytesPerRow: part.height * 4, width: part.height, height: part.width,
      mask: 0)
  }
}

extension RowSampler {
  /// Transposes those columns of `drawing`'s source that are visible in the columns from `first` to `end` of
  /// the destination, into rows of `source` (the memory returned by `turned`). If `shaded`, also applies the
  /// shade.
  fileprivate func turn(_ drawing: PixelBuffer.Drawing, from first: Int, to end: Int, shaded: Bool) {
    let part = drawing.part
    let shown = rows(from: first, to: end)
    let pixels = UnsafeMutablePointer(mutating: source.base.assumingMemoryBound(to: UInt32.self))
    let mask = drawing.source.storedBits
    let place = pixels + shown.lowerBound * part.height
    let column: Int = part.x + shown.lowerBound
    guard shaded else {
      Kernels.transpose(
        place, stride: part.height, drawing.source.row32(part.y) + column,
        sourceStride: drawing.source.bytesPerRow / 4, width: shown.count, height: part.height, setting: mask)
      return
    }
    for y in 0..<part.height {
      let from = drawing.source.row32(part.y + y) + column
      let light = UInt32(drawing.shade.light256(row: Double(y) + drawing.shadeRow, of: drawing.shadeCount))
      for x in 0..<shown.count {
        place[x * part.height + y] = Kernels.litPixel(from[x] | mask, light: light)
      }
    }
  }
}
