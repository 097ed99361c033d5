// SPDX-License-Identifier: Apache-2.0

/// A rectangle copy after clipping. The result lies inside both buffers for any arguments.
struct BlitPlan {
  var sourceX: Int
  var sourceY: Int
  var target: PixelRect

  /// Nil if nothing remains. Pixels of `sourceRect` outside the source are not drawn.
  init?(
    source: PixelRect, sourceRect: PixelRect, toX x: Int, _ y: Int, clip: PixelRect, destination: PixelRect
  ) {
    let part = sourceRect.saturated.intersection(source)
    guard !part.isEmpty else { return nil }
    let left = BlitPlan.place(x, part.x, sourceRect.x)
    let top = BlitPlan.place(y, part.y, sourceRect.y)
    let placed = PixelRect(x: left, y: top, width: part.width, height: part.height)
    let target = placed.intersection(clip.saturated).intersection(destination)
    guard !target.isEmpty else { return nil }
    self.target = target
    sourceX = part.x + (target.x - left)
    sourceY = part.y + (target.y - top)
  }

  /// `origin` + (`inner` − `outer`), or a coordinate beyond any buffer on overflow.
  private static func place(_ origin: Int, _ inner: Int, _ outer: Int) -> Int {
    let (offset, first) = inner.subtractingReportingOverflow(outer)
    if first { return outer < 0 ? PixelRect.coordinateLimit : -PixelRect.coordinateLimit }
    let (sum, second) = origin.addingReportingOverflow(offset)
    if second { return offset > 0 ? PixelRect.coordinateLimit : -PixelRect.coordinateLimit }
    return PixelRect.saturated(sum)
  }
}

extension PixelBuffer {
  /// The pixels that may be written: the intersection of `rect`, `clip` and the buffer.
  func writable(_ rect: PixelRect, clip: PixelRect) -> PixelRect {
    rect.saturated.intersection(clip.saturated).intersection(bounds)
  }

  /// The bits that are set in every stored pixel: alpha for XRGB8888.
  var storedBits: UInt32 { format == .xrgb8888 ? Kernels.opaque : 0 }

  var is32Bit: Bool { format == .xrgb8888 || format == .argb8888 }
}
