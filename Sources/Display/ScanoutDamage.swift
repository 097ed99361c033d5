// SPDX-License-Identifier: Apache-2.0

import Raster

/// Copies frames from the shadow to two alternating scanout buffers. This is the only code that writes the
/// scanout memory of graphics cards, and no code reads it.
///
/// The buffer that is not on the display missed the previous frame, so it gets damage(N) ∪ damage(N−1), each
/// pixel once. Nothing is allocated after initialization.
///
/// The rotation for a display that is mounted on its side happens here: frames are upright, buffers have the
/// display's orientation. The resulting pixel depends only on the frame and the pixel's position, even with
/// dithering, so a buffer drawn in parts equals one drawn at once.
package struct ScanoutDamage {
  private let bounds: PixelRect
  private let rotation: Rotation
  private let dithering: PixelBuffer.Dithering
  /// What each buffer lacks of the newest frame, in the buffer's coordinates.
  private var stale: [Region]
  private var work = Region()

  /// Starts with two new buffers of `size`, which have no content yet. Frames are rotated by `rotation`;
  /// `dithering` is for buffers with fewer colours.
  package init(size: PixelSize, rotation: Rotation = .none, dithering: PixelBuffer.Dithering = .none) {
    bounds = PixelRect(size)
    self.rotation = rotation
    self.dithering = dithering
    stale = [Region(bounds), Region(bounds)]
    for index in stale.indices { stale[index].reserveCapacity() }
    work.reserveCapacity()
  }

  /// Marks the content of both buffers as lost, so that each will be drawn completely.
  package mutating func forget() {
    for index in stale.indices { stale[index].insert(bounds) }
  }

  /// The rectangles that the last `draw` wrote, in the buffer's coordinates.
  package var drawn: [PixelRect] { work.rects }

  /// Updates the buffer `index` (0 or 1), whose pixels are `target`, to `frame`, which differs from the
  /// previous frame in `damage`. Rotates it and converts it to the target's format. Returns the number of
  /// bytes written.
  package mutating func draw(
    _ frame: PixelBuffer, damage: [PixelRect], on target: PixelBuffer, index: Int
  ) -> Int {
    work.removeAll()
    let rotated = rotation.size(of: frame.size)
    let whole = bounds.intersection(PixelRect(rotated)).intersection(target.bounds)
    for rect in damage {
      let clipped = rotation.place(rect.saturated.intersection(frame.bounds), in: frame.size)
        .intersection(whole)
      work.insert(clipped)
      stale[1 - index].insert(clipped)
    }
    work.formUnion(stale[index])
    stale[index].removeAll()
    work.formIntersection(whole)
    work.simplify()
    for rect in work.rects {
      let from = rotation.inverse.place(rect, in: rotated)
      target.copy(frame, from, rotation: rotation, dithering: dithering)
    }
    return work.area * target.format.bytesPerPixel
  }
}
