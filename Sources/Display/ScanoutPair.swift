// SPDX-License-Identifier: Apache-2.0

import Raster

/// Two buffers in memory that are shown alternately.
final class ScanoutPair {
  private let bitmaps: [Bitmap]
  private var damage: ScanoutDamage
  private var back = 1

  /// Both are black at first and will be drawn completely. Frames are rotated by `rotation`.
  init(size: PixelSize, rotation: Rotation) {
    bitmaps = (0..<2).map { _ in Bitmap(width: size.width, height: size.height, format: .xrgb8888) }
    damage = ScanoutDamage(size: size, rotation: rotation)
  }

  /// The buffer on the display.
  var current: PixelBuffer { bitmaps[1 - back].buffer }

  /// Copies what the back buffer lacks of `frame`; returns the number of bytes written.
  func copy(_ frame: PixelBuffer, damage: [PixelRect]) -> Int {
    self.damage.draw(frame, damage: damage, on: bitmaps[back].buffer, index: back)
  }

  /// Makes both buffers black; the next frame's damage must be the whole frame.
  func clear() {
    for bitmap in bitmaps { bitmap.buffer.clear(bitmap.buffer.bounds, clip: bitmap.buffer.bounds) }
  }

  /// Shows the back buffer, as at a vblank.
  func flip() { back = 1 - back }
}
