// SPDX-License-Identifier: Apache-2.0

extension PixelBuffer {
  /// Fills `area` with `sourceRect` side by side, as many times as it takes: the first begins at `x`, and
  /// the others before and after it. Its first row is row `y` here; nothing is repeated downwards.
  ///
  /// Blended as `blend` does it. An opaque pattern is drawn once in a row, and the row then copied to itself,
  /// doubling, so that a narrow pattern costs no more than a wide picture.
  public func tile(
    _ source: PixelBuffer, _ sourceRect: PixelRect, from x: Int, _ y: Int, over area: PixelRect,
    opacity: Double, shade: Shade
  ) {
    let area = writable(area, clip: bounds)
      .intersection(PixelRect(x: bounds.x, y: y, width: bounds.width, height: sourceRect.height))
    guard !area.isEmpty, sourceRect.width > 0, source.bounds.contains(sourceRect) else { return }
    let period = sourceRect.width
    // The first repetition that reaches into the area.
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
