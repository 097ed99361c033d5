// SPDX-License-Identifier: Apache-2.0

import Raster

/// The way from the shadow to two scanout buffers that take turns: the one place that writes scanout
/// memory, and nothing reads it.
///
/// The buffer that is not on the display missed the frame before: it gets damage(N) ∪ damage(N−1), each
/// pixel once. Nothing is allocated from the first frame on.
public struct ScanoutDamage {
  private let bounds: PixelRect
  /// What each buffer lacks of the newest frame.
  private var stale: (Region, Region)
  private var work = Region()

  /// Of two fresh buffers of that size, which lack everything.
  public init(size: PixelSize) {
    bounds = PixelRect(size)
    stale = (Region(bounds), Region(bounds))
    stale.0.reserveCapacity()
    stale.1.reserveCapacity()
    work.reserveCapacity()
  }

  /// What the last `draw` wrote.
  public var drawn: [PixelRect] { work.rects }

  /// Brings the buffer `index` (0 or 1), whose pixels are `target`, to `frame`, which differs from the
  /// frame before in `damage`; converts to the target's format. Returns the number of bytes written.
  public mutating func draw(
    _ frame: PixelBuffer, damage: [PixelRect], on target: PixelBuffer, index: Int
  ) -> Int {
    work.removeAll()
    let whole = bounds.intersection(frame.bounds).intersection(target.bounds)
    for rect in damage {
      let clipped = rect.saturated.intersection(whole)
      work.insert(clipped)
      if index == 0 { stale.1.insert(clipped) } else { stale.0.insert(clipped) }
    }
    if index == 0 {
      work.formUnion(stale.0)
      stale.0.removeAll()
    } else {
      work.formUnion(stale.1)
      stale.1.removeAll()
    }
    work.formIntersection(whole)
    work.simplify()
    for rect in work.rects { target.copy(frame, rect, to: rect.x, rect.y, clip: rect) }
    return work.area * target.format.bytesPerPixel
  }
}
