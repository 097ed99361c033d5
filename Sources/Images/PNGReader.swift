// SPDX-License-Identifier: Apache-2.0

import CPNG
import Raster

extension PNG {
  /// Decodes a PNG: XRGB8888 if every pixel is opaque, otherwise ARGB8888, premultiplied.
  package static func decode(_ bytes: [UInt8]) throws(PictureError) -> Bitmap {
    let size = try PNGHeader(bytes).size
    let picture = PictureRows(size)
    try readRows(bytes) { picture.add($0, \.premultiplied) }
    return picture.bitmap
  }

  /// Decodes a PNG row by row, so that only interlaced images are in memory as a whole. All rows are read
  /// even if nobody needs them, so that damage is found.
  ///
  /// - Parameter row: called with each row, from the top: straight 0xAARRGGBB in sRGB.
  package static func readRows(
    _ bytes: [UInt8], _ row: (UnsafeBufferPointer<UInt32>) -> Void
  ) throws(PictureError) {
    let size = try PNGHeader(bytes).size
    let message: String? = bytes.withUnsafeBufferPointer { bytes in
      // libpng keeps the address of the reader.
      let reader = UnsafeMutablePointer<flipclock_png_reader>.allocate(capacity: 1)
      reader.initialize(to: flipclock_png_reader())
      defer {
        flipclock_png_close(reader)
        reader.deallocate()
      }
      func failure() -> String { String(cString: flipclock_png_reader_message(reader)) }
      let passes = flipclock_png_open(reader, bytes.baseAddress, bytes.count, UInt32(Picture.sideLimit))
      guard passes > 0 else { return failure() }
      let pixels = Bitmap(width: size.width, height: passes > 1 ? size.height : 1, format: .argb8888)
      let isRead = withExtendedLifetime(pixels) {
        (1...passes).allSatisfy { pass in
          (0..<size.height).allSatisfy { y in
            let pointer = pixels.buffer.row32(passes > 1 ? y : 0)
            guard flipclock_png_read(reader, pointer) != 0 else { return false }
            if pass == passes { row(UnsafeBufferPointer(start: pointer, count: size.width)) }
            return true
          }
        }
      }
      return isRead && flipclock_png_read_end(reader) != 0 ? nil : failure()
    }
    if let message { throw .damaged(message) }
  }
}

/// Collects the rows of a picture. XRGB8888 if every pixel is opaque, otherwise ARGB8888.
final class PictureRows {
  private let pixels: Bitmap
  private var count = 0
  private var all = UInt32.max

  init(_ size: PixelSize) { pixels = Bitmap(width: size.width, height: size.height, format: .argb8888) }

  /// Adds the next row. Rows beyond the height are ignored.
  func add<Row: RandomAccessCollection>(_ row: Row, _ pixel: (Row.Element) -> UInt32) {
    guard count < pixels.height else { return }
    let target = pixels.buffer.row32(count)
    for (x, element) in zip(0..<pixels.width, row) {
      target[x] = pixel(element)
      all &= target[x]
    }
    count += 1
  }

  var bitmap: Bitmap {
    guard all >> 24 == 255 else { return pixels }
    let opaque = Bitmap(width: pixels.width, height: pixels.height, format: .xrgb8888)
    for y in 0..<pixels.height {
      opaque.buffer.row(y).copyMemory(from: pixels.buffer.row(y), byteCount: pixels.width * 4)
    }
    return opaque
  }
}

extension UInt32 {
  /// The straight `0xAARRGGBB` pixel with its colour multiplied by its alpha.
  @inline(__always)
  fileprivate var premultiplied: UInt32 {
    let color = Color(rgb: self)
    return Color(
      red: color.red, green: color.green, blue: color.blue, alpha: UInt8(truncatingIfNeeded: self >> 24)
    ).premultiplied
  }
}
