// SPDX-License-Identifier: Apache-2.0

import Raster

/// The way from the shadow to two scanout buffers that take turns: the one place that writes scanout
/// memory, and nothing reads it.
///
/// The buffer that is not on the display missed the frame before: it gets damage(N) ∪ damage(N−1), each
/// pixel once. Nothing is allocated from the first frame on.
///
/// A display that hangs on its side is turned here: frames are upright, buffers as the display scans them.
/// What a pixel becomes depends on the frame and the pixel's place alone, dither included: drawn in parts or
/// at once, the buffer holds the same.
public struct ScanoutDamage {
  private let bounds: PixelRect
  private let rotation: Rotation
  private let dithering: PixelBuffer.Dithering
  /// What each buffer lacks of the newest frame, in the buffer's places.
  private var stale: (Region, Region)
  private var work = Region()

  /// Of two fresh buffers of that size, which lack everything. Frames are turned by `rotation` on their way
  /// there; `dithering` is for buffers of fewer colours.
  public init(size: PixelSize, rotation: Rotation = .none, dithering: PixelBuffer.Dithering = .none) {
    bounds = PixelRect(size)
    self.rotation = rotation
    self.dithering = dithering
    stale = (Region(bounds), Region(bounds))
    stale.0.reserveCapacity()
    stale.1.reserveCapacity()
    work.reserveCapacity()
  }

  /// What the buffers hold is lost: both lack everything.
  public mutating func forget() {
    stale.0.insert(bounds)
    stale.1.insert(bounds)
  }

  /// What the last `draw` wrote, in the buffer's places.
  public var drawn: [PixelRect] { work.rects }

  /// Brings the buffer `index` (0 or 1), whose pixels are `target`, to `frame`, which differs from the
  /// frame before in `damage`; turns it and converts to the target's format. Returns the number of bytes
  /// written.
  public mutating func draw(
    _ frame: PixelBuffer, damage: [PixelRect], on target: PixelBuffer, index: Int
  ) -> Int {
    work.removeAll()
    let turned = rotation.size(of: frame.size)
    let whole = bounds.intersection(PixelRect(turned)).intersection(target.bounds)
    for rect in damage {
      let clipped = rotation.place(rect.saturated.intersection(frame.bounds), in: frame.size)
        .intersection(whole)
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
    for rect in work.rects {
      let from = rotation.inverse.place(rect, in: turned)
      target.copy(frame, from, rotation: rotation, dithering: dithering)
    }
    return work.area * target.format.bytesPerPixel
  }
}
