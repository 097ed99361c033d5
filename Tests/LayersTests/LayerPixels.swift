// SPDX-License-Identifier: Apache-2.0

import Glibc
import Raster

@testable import Layers

extension PixelBuffer {
  func assign(_ other: PixelBuffer) {
    for y in 0..<height { memcpy(row(y), other.row(y), width * format.bytesPerPixel) }
  }

  func assign(_ other: PixelBuffer, in rect: PixelRect) {
    for y in rect.y..<max(rect.maxY, rect.y) {
      memcpy(row32(y) + rect.x, other.row32(y) + rect.x, rect.width * 4)
    }
  }
}

/// A bitmap with pixels computed from their position: `0xAARRGGBB`, premultiplied.
func bitmap(
  _ width: Int, _ height: Int, _ format: PixelFormat = .argb8888, _ pixel: (Int, Int) -> UInt32
) -> Bitmap {
  let bitmap = Bitmap(width: width, height: height, format: format)
  for y in 0..<height {
    for x in 0..<width { bitmap.buffer.row32(y)[x] = pixel(x, y) }
  }
  return bitmap
}

extension Bitmap {
  /// Describes the first pixel that differs between two 32-bit pictures; nil if they are equal.
  func difference(from other: Bitmap) -> String? {
    let (a, b) = (buffer, other.buffer)
    guard a.size == b.size, a.format == b.format else { return "another kind of picture" }
    for y in 0..<height where memcmp(a.row(y), b.row(y), width * 4) != 0 {
      for x in 0..<width where a.row32(y)[x] != b.row32(y)[x] {
        return "(\(x), \(y)): \(String(a.row32(y)[x], radix: 16)), not \(String(b.row32(y)[x], radix: 16))"
      }
    }
    return nil
  }
}

extension Layer {
  var hasAnimations: Bool { animations.contains { !$0.hasEnded } }
}
