// SPDX-License-Identifier: Apache-2.0

import Raster
import TestSupport

@testable import Display

extension SplitMix {
  /// A random rectangle that may be partly or completely outside `size`, or empty.
  mutating func rect(around size: PixelSize) -> PixelRect {
    PixelRect(
      x: .random(in: -20...size.width, using: &self), y: .random(in: -20...size.height, using: &self),
      width: .random(in: -3...size.width / 2, using: &self),
      height: .random(in: -3...size.height / 2, using: &self))
  }
}

extension Bitmap {
  /// Fills the part of `rect` that is inside the bitmap.
  func fill(_ rect: PixelRect, _ rgb: UInt32) {
    let rect = rect.saturated.intersection(buffer.bounds)
    guard !rect.isEmpty else { return }
    for y in rect.y..<rect.maxY { for x in rect.x..<rect.maxX { buffer.row32(y)[x] = 0xff00_0000 | rgb } }
  }
}

extension PixelBuffer {
  /// The colours without the unused byte.
  var colors: [UInt32] {
    (0..<height).flatMap { y in (0..<width).map { row32(y)[$0] & 0xffffff } }
  }
}
