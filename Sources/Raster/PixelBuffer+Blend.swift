// SPDX-License-Identifier: Apache-2.0

extension PixelBuffer {
  /// Draws `sourceRect` over this buffer with its top left pixel at (`x`, `y`): an ARGB8888 source is
  /// composed by its alpha, an XRGB8888 source is opaque. Everything is multiplied by `opacity`; `shade`
  /// darkens the colour along the whole of `sourceRect`, whether or not it is clipped.
  ///
  /// Source and destination must have 32-bit formats and must not overlap; other formats draw nothing.
  public func blend(
    _ source: PixelBuffer, _ sourceRect: PixelRect, to x: Int, _ y: Int, opacity: Double, shade: Shade,
    clip: PixelRect
  ) {
    let alpha = opacity.opacity255
    guard is32Bit, source.is32Bit, alpha > 0,
      let plan = BlitPlan(
        source: source.bounds, sourceRect: sourceRect, toX: x, y, clip: clip, destination: bounds)
    else { return }
    var from = source.row32(plan.sourceY) + plan.sourceX
    var to = row32(plan.target.y) + plan.target.x
    let (width, rows) = (plan.target.width, plan.target.height)
    let (strideFrom, strideTo) = (source.bytesPerRow / 4, bytesPerRow / 4)
    let (sourceBits, bits) = (source.storedBits, storedBits)
    // Branches that are the same for all rows are outside the loops, because many clips are narrow.
    if shade != .none {
      let firstRow = Double(plan.sourceY) - Double(sourceRect.y)
      for row in 0..<rows {
        let light = shade.light256(row: firstRow + Double(row), of: sourceRect.height)
        Kernels.over(
          to, from, count: width, opacity: alpha, light: light, sourceMask: sourceBits, setting: bits)
        (from, to) = (from + strideFrom, to + strideTo)
      }
    } else if alpha < 255 {
      for _ in 0..<rows {
        Kernels.over(to, from, count: width, opacity: alpha, sourceMask: sourceBits, setting: bits)
        (from, to) = (from + strideFrom, to + strideTo)
      }
    } else if source.format == .xrgb8888 {
      for _ in 0..<rows {
        Kernels.copy(to, from, count: width, setting: Kernels.opaque)
        (from, to) = (from + strideFrom, to + strideTo)
      }
    } else {
      for _ in 0..<rows {
        Kernels.over(to, from, count: width, setting: bits)
        (from, to) = (from + strideFrom, to + strideTo)
      }
    }
  }
}

extension PixelBuffer {
  /// Fills `area` with copies of `sourceRect` side by side: one copy begins at `x`, others follow on both
  /// sides. The first row of `sourceRect` is drawn at row `y` of this buffer; nothing is repeated vertically.
  ///
  /// Blends like `blend`. Draws nothing if `sourceRect` is not inside the source. If both formats are
  /// XRGB8888, at full opacity and without shade, each row of the pattern is drawn once and then copied
  /// beside itself. The copied part doubles each time, so that a narrow pattern costs no more than a wide
  /// picture.
  public func tile(
    _ source: PixelBuffer, _ sourceRect: PixelRect, from x: Int, _ y: Int, over area: PixelRect,
    opacity: Double, shade: Shade
  ) {
    let area = writable(area, clip: bounds)
      .intersection(PixelRect(x: bounds.x, y: y, width: bounds.width, height: sourceRect.height))
    guard !area.isEmpty, sourceRect.width > 0, source.bounds.contains(sourceRect) else { return }
    let period = sourceRect.width
    // The first copy that overlaps the area.
    let offset = (area.x - x) % period
    let first = area.x - (offset < 0 ? offset + period : offset)
    let isPlain =
      is32Bit && source.format == .xrgb8888 && format == .xrgb8888 && opacity >= 1 && shade == .none
    let width = isPlain ? min(period, area.width) : area.width
    let drawn = PixelRect(x: area.x, y: area.y, width: width, height: area.height)
    var left = first
    while left < drawn.maxX {
      blend(source, sourceRect, to: left, y, opacity: opacity, shade: shade, clip: drawn)
      left += period
    }
    guard width < area.width else { return }
    for line in area.y..<area.maxY {
      let row = row32(line) + area.x
      var done = width
      while done < area.width {
        let count = min(done, area.width - done)
        Kernels.copy(row + done, row, byteCount: count * 4)
        done += count
      }
    }
  }
}
