// SPDX-License-Identifier: Apache-2.0

extension PixelBuffer {
  /// Fills `area` with copies of `sourceRect` side by side: one copy begins at `x`, others follow on both sides.
  /// The first row of `sourceRect` is drawn at row `y` of this buffer; nothing is repeated vertically.
  ///
  /// Blends like `blend`. An opaque pattern is drawn once per row, and the row then copied to itself, doubling
  /// each time, so that a narrow pattern costs no more than a wide picture.
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
