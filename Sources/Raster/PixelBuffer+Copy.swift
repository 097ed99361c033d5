// SPDX-License-Identifier: Apache-2.0

extension PixelBuffer {
  /// How colours are converted to a format with fewer bits.
  public enum Dithering: Hashable, Sendable {
    /// Truncates.
    case none
    /// Bayer's ordered dither. The threshold of a pixel depends only on its position in the destination.
    case ordered
  }

  /// Copies `sourceRect` with its top left pixel at (`x`, `y`), without blending.
  ///
  /// Buffers of the same format may overlap. Different formats can be copied as follows; other combinations
  /// copy nothing:
  /// - ARGB8888 and XRGB8888 to each other, which sets alpha to 0xff;
  /// - either of them to RGB565, which drops alpha and applies `dithering`, or to XRGB2101010;
  /// - RGB565 to either of them.
  public func copy(
    _ source: PixelBuffer, _ sourceRect: PixelRect, to x: Int, _ y: Int, dithering: Dithering = .none,
    clip: PixelRect
  ) {
    guard
      let plan = BlitPlan(
        source: source.bounds, sourceRect: sourceRect, toX: x, y, clip: clip, destination: bounds)
    else { return }
    let rows = plan.target.height
    if source.format == format, source.bytesPerRow == bytesPerRow, plan.sourceX == 0, isWhole(plan.target) {
      // The rows are contiguous in memory.
      Kernels.copy(row(plan.target.y), source.row(plan.sourceY), byteCount: rows &* bytesPerRow)
      return
    }
    // Within one buffer, a copy to higher addresses starts with the last row.
    let from = UInt(bitPattern: source.row(plan.sourceY))
    let upwards = UInt(bitPattern: row(plan.target.y)) > from
    for step in 0..<rows {
      let index = upwards ? rows - 1 - step : step
      copyRow(
        source, from: (plan.sourceX, plan.sourceY + index), to: (plan.target.x, plan.target.y + index),
        count: plan.target.width, dithering)
    }
  }

  /// Whether `rect` consists of whole rows without padding between them.
  func isWhole(_ rect: PixelRect) -> Bool {
    rect.x == 0 && rect.width == width && bytesPerRow == width &* format.bytesPerPixel
  }

  private func copyRow(
    _ source: PixelBuffer, from: (x: Int, y: Int), to: (x: Int, y: Int), count: Int, _ dithering: Dithering
  ) {
    switch (source.format, format) {
    case (.argb8888, .argb8888), (.xrgb8888, .xrgb8888), (.rgb565, .rgb565), (.a8, .a8),
      (.xrgb2101010, .xrgb2101010):
      let bytes = format.bytesPerPixel
      Kernels.copy(
        row(to.y) + to.x &* bytes, source.row(from.y) + from.x &* bytes, byteCount: count &* bytes)
    case (.argb8888, .xrgb8888), (.xrgb8888, .argb8888):
      Kernels.copy(
        row32(to.y) + to.x, source.row32(from.y) + from.x, count: count, setting: Kernels.opaque)
    case (.argb8888, .rgb565), (.xrgb8888, .rgb565), (.argb8888, .xrgb2101010), (.xrgb8888, .xrgb2101010):
      convertRow(to: to, source.row32(from.y) + from.x, count: count, dithering)
    case (.rgb565, .argb8888), (.rgb565, .xrgb8888):
      Kernels.copy(row32(to.y) + to.x, from: source.row16(from.y) + from.x, count: count)
    case (.a8, _), (_, .a8), (.xrgb2101010, _), (_, .xrgb2101010):
      break
    }
  }

  /// Converts XRGB8888 pixels to RGB565 or XRGB2101010. Other formats store nothing.
  func convertRow(
    to: (x: Int, y: Int), _ pixels: UnsafePointer<UInt32>, count: Int, _ dithering: Dithering
  ) {
    switch (format, dithering) {
    case (.rgb565, .none):
      Kernels.copy(row16(to.y) + to.x, from: pixels, count: count)
    case (.rgb565, .ordered):
      Kernels.copy(row16(to.y) + to.x, from: pixels, count: count, dithering: to.x, to.y)
    case (.xrgb2101010, _):
      Kernels.copy2101010(row32(to.y) + to.x, from: pixels, count: count)
    case (.xrgb8888, _), (.argb8888, _), (.a8, _):
      break
    }
  }
}
