// SPDX-License-Identifier: Apache-2.0

import Glibc
import Raster

/// The way from the shadow to scanout memory: the one place that writes there, and nothing reads it.
enum ScanoutCopy {
  /// Copies `rect` of `source` (XRGB8888) to the same place of `target`, converted to its format;
  /// clipped to both. Returns the number of bytes written.
  static func copy(_ source: PixelBuffer, to target: PixelBuffer, _ rect: PixelRect) -> Int {
    let clipped = rect.intersection(source.bounds).intersection(target.bounds)
    guard !clipped.isEmpty else { return 0 }
    let bytes = clipped.width * target.format.bytesPerPixel
    switch target.format {
    case .xrgb8888, .argb8888:
      for y in clipped.y..<clipped.maxY {
        memcpy(target.row(y) + clipped.x * 4, source.row(y) + clipped.x * 4, bytes)
      }
    case .rgb565:
      for y in clipped.y..<clipped.maxY {
        convert(source.row32(y) + clipped.x, to: target.row16(y) + clipped.x, count: clipped.width)
      }
    case .a8:
      return 0
    }
    return bytes * clipped.height
  }

  /// The high bits of each channel; no dithering, so that equal pixels stay equal.
  private static func convert(
    _ source: UnsafePointer<UInt32>, to target: UnsafeMutablePointer<UInt16>, count: Int
  ) {
    for x in 0..<count {
      let pixel = source[x]
      target[x] = UInt16(
        truncatingIfNeeded: ((pixel &>> 8) & 0xf800) | ((pixel &>> 5) & 0x07e0) | ((pixel &>> 3) & 0x001f))
    }
  }
}
