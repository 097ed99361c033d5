// SPDX-License-Identifier: Apache-2.0

extension PixelBuffer {
  /// Draws `sourceRect` over this buffer with its top left pixel at (`x`, `y`): an ARGB8888 source by
  /// its alpha, an XRGB8888 source as opaque; all of it times `opacity`, the colour darkened by `shade`
  /// along the whole of `sourceRect`, clipped or not.
  ///
  /// Source and destination are of the 32-bit formats and do not overlap; other formats draw nothing.
  public func blend(
    _ source: PixelBuffer, _ sourceRect: PixelRect, to x: Int, _ y: Int, opacity: Double, shade: Shade,
    clip: PixelRect
  ) {
    let alpha = opacity.opacity255
    guard is32Bit, source.is32Bit, alpha > 0,
      let plan = BlitPlan(
        source: source.bounds, sourceRect: sourceRect, toX: x, y, clip: clip, destination: bounds)
    else { return }
    let sourceBits = source.storedBits
    let width = plan.target.width
    let firstRow = Double(plan.sourceY) - Double(sourceRect.y)
    let isShaded = shade != .none
    for row in 0..<plan.target.height {
      let from = source.row32(plan.sourceY + row) + plan.sourceX
      let to = row32(plan.target.y + row) + plan.target.x
      let light = isShaded ? shade.light256(row: firstRow + Double(row), of: sourceRect.height) : 256
      if light < 256 {
        Kernels.over(
          to, from, count: width, opacity: alpha, light: light, sourceMask: sourceBits, setting: storedBits)
      } else if alpha < 255 {
        Kernels.over(to, from, count: width, opacity: alpha, sourceMask: sourceBits, setting: storedBits)
      } else if source.format == .xrgb8888 {
        Kernels.copy(to, from, count: width, setting: Kernels.opaque)
      } else {
        Kernels.over(to, from, count: width, setting: storedBits)
      }
    }
  }
}
