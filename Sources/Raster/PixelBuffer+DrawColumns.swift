// SPDX-License-Identifier: Apache-2.0

extension PixelBuffer {
  /// Draws a map whose kind is `.columns`: the source is turned over its diagonal once, columns are made
  /// as rows are, sixteen at a time, and turned back as they are written.
  func drawColumns(_ drawing: Drawing, _ scratch: inout RowScratch) {
    let target = drawing.target
    let reach = drawing.reach
    let rows = turned(drawing, &scratch)
    let m = drawing.map
    let map = Homography(a: m.e, b: m.d, c: m.f, d: m.b, e: m.a, f: m.c, g: m.h, h: m.g, i: m.i)
    let o = drawing.outline
    let sampler = RowSampler(
      source: rows, outline: Rect(x: o.y, y: o.x, width: o.height, height: o.width), map: map,
      edges: drawing.edges, opacity: drawing.opacity, shade: .none, shadeRow: 0, shadeCount: 0,
      storedBits: 0,
      width: reach.height, scratch: &scratch)
    let tile = scratch.tile(height: reach.height)
    let line = tile + reach.height * RowScratch.tileWidth
    var x = target.x
    while x < target.maxX {
      let columns = min(RowScratch.tileWidth, target.maxX - x)
      // The rows that any of the columns touches.
      var top = reach.maxY
      var bottom = reach.y
      Kernels.fill(tile, 0 as UInt32, count: reach.height * columns)
      for column in 0..<columns {
        guard let span = sampler.span(x + column, left: reach.y, right: reach.maxY) else { continue }
        let place = tile + (column * reach.height + span.start - reach.y)
        Kernels.copy(place, span.pixels, byteCount: span.count * 4)
        top = min(top, span.start)
        bottom = max(bottom, span.start + span.count)
      }
      var y = max(top, target.y)
      bottom = min(bottom, target.maxY)
      while y < bottom {
        for column in 0..<columns { line[column] = tile[column &* reach.height &+ (y &- reach.y)] }
        Kernels.over(row32(y) + x, line, count: columns, setting: storedBits)
        y += 1
      }
      x += columns
    }
  }

  /// The source with rows for columns, shaded (which goes along its columns now) and with its alpha.
  private func turned(_ drawing: Drawing, _ scratch: inout RowScratch) -> SourceRows {
    let part = drawing.part
    let stride = part.height
    let pixels = scratch.turned(pixels: part.width * part.height)
    let mask = drawing.source.storedBits
    var top = 0
    // In bands, so that the lines written to stay in the cache.
    while top < part.height {
      let end = min(top + 16, part.height)
      for y in top..<end {
        let from = drawing.source.row32(part.y + y) + part.x
        let light = UInt32(
          drawing.shade.light256(row: Double(y) + drawing.shadeRow, of: drawing.shadeCount))
        var place = pixels + y
        for x in 0..<part.width {
          let pixel = from[x] | mask
          place.pointee = light < 256 ? Kernels.litPixel(pixel, light: light) : pixel
          place += stride
        }
      }
      top = end
    }
    return SourceRows(
      base: UnsafeRawPointer(pixels), bytesPerRow: stride * 4, width: part.height, height: part.width, mask: 0
    )
  }
}
