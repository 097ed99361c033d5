// SPDX-License-Identifier: Apache-2.0

extension PixelBuffer {
  /// Copies `sourceRect` with its top left pixel at (`x`, `y`), without blending.
  ///
  /// Between buffers of one format, which may overlap; between the 32-bit formats, where alpha becomes
  /// 0xff when either is XRGB8888; from a 32-bit format to RGB565 (alpha is dropped) and back. Other
  /// combinations copy nothing.
  public func copy(_ source: PixelBuffer, _ sourceRect: PixelRect, to x: Int, _ y: Int, clip: PixelRect) {
    guard
      let plan = BlitPlan(
        source: source.bounds, sourceRect: sourceRect, toX: x, y, clip: clip, destination: bounds)
    else { return }
    let rows = plan.target.height
    // Within one buffer a copy downwards begins with its last row.
    let from = UInt(bitPattern: source.row(plan.sourceY))
    let upwards = UInt(bitPattern: row(plan.target.y)) > from
    for step in 0..<rows {
      let index = upwards ? rows - 1 - step : step
      copyRow(
        source, from: (plan.sourceX, plan.sourceY + index), to: (plan.target.x, plan.target.y + index),
        count: plan.target.width)
    }
  }

  private func copyRow(_ source: PixelBuffer, from: (x: Int, y: Int), to: (x: Int, y: Int), count: Int) {
    switch (source.format, format) {
    case (.argb8888, .argb8888), (.xrgb8888, .xrgb8888), (.rgb565, .rgb565), (.a8, .a8):
      let bytes = format.bytesPerPixel
      Kernels.copy(
        row(to.y) + to.x &* bytes, source.row(from.y) + from.x &* bytes, byteCount: count &* bytes)
    case (.argb8888, .xrgb8888), (.xrgb8888, .argb8888):
      Kernels.copy(
        row32(to.y) + to.x, source.row32(from.y) + from.x, count: count, setting: Kernels.opaque)
    case (.argb8888, .rgb565), (.xrgb8888, .rgb565):
      Kernels.copy(row16(to.y) + to.x, from: source.row32(from.y) + from.x, count: count)
    case (.rgb565, .argb8888), (.rgb565, .xrgb8888):
      Kernels.copy(row32(to.y) + to.x, from: source.row16(from.y) + from.x, count: count)
    case (.a8, _), (_, .a8):
      break
    }
  }
}
