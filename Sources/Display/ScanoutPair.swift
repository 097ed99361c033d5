// SPDX-License-Identifier: Apache-2.0

import Glibc
import Raster

/// Two buffers that take turns on the display, in memory.
///
/// The back buffer is a frame behind what is shown: it gets the damage of this frame and of the one it
/// missed, and nothing more.
final class ScanoutPair {
  private let bitmaps: [Bitmap]
  /// What each buffer has not got yet.
  private var stale: [[PixelRect]]
  private var back = 1

  /// Both begin black and wholly stale.
  init(size: PixelSize) {
    bitmaps = (0..<2).map { _ in Bitmap(width: size.width, height: size.height, format: .xrgb8888) }
    stale = bitmaps.map { [$0.buffer.bounds] }
  }

  /// The buffer on the display.
  var current: PixelBuffer { bitmaps[1 - back].buffer }

  /// Copies to the back buffer what it lacks of `frame`; returns the bytes written.
  func copy(_ frame: PixelBuffer, damage: [PixelRect]) -> Int {
    let target = bitmaps[back].buffer
    let bounds = target.bounds.intersection(frame.bounds)
    let new = damage.map { $0.clipped(to: bounds) }.filter { !$0.isEmpty }
    // What lies wholly in this frame's damage is copied with it.
    let old = stale[back].filter { rect in !new.contains { $0.contains(rect) } }
    stale[back].removeAll(keepingCapacity: true)
    stale[1 - back].append(contentsOf: new.filter { rect in !stale[1 - back].contains { $0.contains(rect) } })
    var bytes = 0
    for rect in new { bytes += Self.copy(frame, target, rect) }
    for rect in old { bytes += Self.copy(frame, target, rect.intersection(bounds)) }
    return bytes
  }

  /// The vblank: the back buffer is shown.
  func flip() { back = 1 - back }

  private static func copy(_ source: PixelBuffer, _ target: PixelBuffer, _ rect: PixelRect) -> Int {
    guard !rect.isEmpty, source.format.bytesPerPixel == 4 else { return 0 }
    let offset = rect.x * 4
    let bytes = rect.width * 4
    for y in rect.y..<rect.maxY { memcpy(target.row(y) + offset, source.row(y) + offset, bytes) }
    return bytes * rect.height
  }
}
