// SPDX-License-Identifier: Apache-2.0

extension PixelBuffer {
  /// Fills the part of `rect` inside `clip` and the buffer: stores an opaque colour, composes a translucent
  /// one. An A8 buffer uses the colour's alpha.
  public func fill(_ rect: PixelRect, with color: Color, clip: PixelRect) {
    let target = writable(rect, clip: clip)
    guard !target.isEmpty, color.alpha > 0 else { return }
    let pixel = color.premultiplied
    if is32Bit, color.alpha == 255, isWhole(target) {
      Kernels.fill(row32(target.y), pixel, count: target.area)
      return
    }
    for y in target.y..<target.maxY {
      switch format {
      case .xrgb8888, .argb8888:
        if color.alpha == 255 {
          Kernels.fill(row32(y) + target.x, pixel, count: target.width)
        } else {
          Kernels.over(row32(y) + target.x, colour: pixel, count: target.width, setting: storedBits)
        }
      case .rgb565:
        if color.alpha == 255 {
          Kernels.fill(row16(y) + target.x, Kernels.packed565(pixel), count: target.width)
        } else {
          Kernels.over(row16(y) + target.x, colour: pixel, count: target.width)
        }
      case .a8:
        if color.alpha == 255 {
          Kernels.fill(row8(y) + target.x, 255, count: target.width)
        } else {
          Kernels.over(row8(y) + target.x, coverage: color.alpha, count: target.width)
        }
      case .xrgb2101010:
        break
      }
    }
  }

  /// Makes the part of `rect` inside `clip` and the buffer transparent, or black if the format has no alpha.
  public func clear(_ rect: PixelRect, clip: PixelRect) {
    let target = writable(rect, clip: clip)
    let bytes = format.bytesPerPixel
    for y in target.y..<target.maxY {
      if format == .xrgb8888 {
        Kernels.fill(row32(y) + target.x, Kernels.opaque, count: target.width)
      } else {
        Kernels.fill(row8(y) + target.x &* bytes, 0, count: target.width &* bytes)
      }
    }
  }

  /// Draws a colour through a coverage mask whose top left pixel is at (`x`, `y`).
  ///
  /// `mask` must be A8 and the destination a 32-bit format; other combinations draw nothing.
  public func fill(mask: PixelBuffer, at x: Int, _ y: Int, with color: Color, clip: PixelRect) {
    guard mask.format == .a8, is32Bit, color.alpha > 0,
      let plan = BlitPlan(
        source: mask.bounds, sourceRect: mask.bounds, toX: x, y, clip: clip, destination: bounds)
    else { return }
    let pixel = color.premultiplied
    for row in 0..<plan.target.height {
      Kernels.over(
        row32(plan.target.y + row) + plan.target.x, colour: pixel,
        through: mask.row8(plan.sourceY + row) + plan.sourceX, count: plan.target.width, setting: storedBits)
    }
  }
}
