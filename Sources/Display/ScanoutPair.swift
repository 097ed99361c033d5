// SPDX-License-Identifier: Apache-2.0

import Raster

/// Two buffers that take turns on the display, in memory.
final class ScanoutPair {
  private let bitmaps: [Bitmap]
  private var damage: ScanoutDamage
  private var back = 1

  /// Both begin black and wholly stale. Frames are turned by `rotation` on their way here.
  init(size: PixelSize, rotation: Rotation) {
    bitmaps = (0..<2).map { _ in Bitmap(width: size.width, height: size.height, format: .xrgb8888) }
    damage = ScanoutDamage(size: size, rotation: rotation)
  }

  /// The buffer on the display.
  var current: PixelBuffer { bitmaps[1 - back].buffer }

  /// Copies to the back buffer what it lacks of `frame`; returns the bytes written.
  func copy(_ frame: PixelBuffer, damage: [PixelRect]) -> Int {
    self.damage.draw(frame, damage: damage, on: bitmaps[back].buffer, index: back)
  }

  /// Makes both black; the next frame is to be whole.
  func clear() {
    for bitmap in bitmaps { bitmap.buffer.clear(bitmap.buffer.bounds, clip: bitmap.buffer.bounds) }
  }

  /// The vblank: the back buffer is shown.
  func flip() { back = 1 - back }
}
