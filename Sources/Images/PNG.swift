// SPDX-License-Identifier: Apache-2.0

import CPNG
import Raster

/// Encodes and decodes Portable Network Graphics in memory.
public enum PNG {
  /// Encodes the whole of `buffer` as a PNG; see `PNGEncoder` for the formats.
  public static func encode(_ buffer: PixelBuffer) throws(PNGError) -> [UInt8] {
    let encoder = PNGEncoder(size: buffer.size)
    try encoder.encodeRows(of: buffer, from: 0, count: buffer.height)
    return try encoder.finish()
  }

  /// Decodes a PNG of any kind (palette, grey, 16 bits, interlaced, with gamma) to 8-bit sRGB.
  ///
  /// Allocates the pixels only after checking the size against `maximumPixels`. Truncated, damaged or other data
  /// throw. The corresponding C functions are `png_image_begin_read_from_memory` and `png_image_finish_read`,
  /// which do not longjmp out of libpng.
  ///
  /// - Parameter maximumPixels: the maximum number of pixels, 4 bytes each.
  /// - Returns: XRGB8888 if every pixel is opaque, else ARGB8888, premultiplied.
  public static func decode(_ bytes: [UInt8], maximumPixels: Int = 7680 * 4320) throws(PNGError) -> Bitmap {
    // The image struct keeps the pointer to the bytes, so both calls are inside the closure.
    let result: Result<Bitmap, PNGError> = bytes.withUnsafeBytes { bytes in
      do throws(PNGError) {
        return .success(try decode(bytes, maximumPixels: maximumPixels))
      } catch {
        return .failure(error)
      }
    }
    let decoded = try result.get()
    guard premultiply(decoded.buffer) else { return decoded }
    let opaque = Bitmap(width: decoded.width, height: decoded.height, format: .xrgb8888)
    for y in 0..<decoded.height {
      opaque.buffer.row(y).copyMemory(from: decoded.buffer.row(y), byteCount: decoded.width * 4)
    }
    return opaque
  }

  private static func decode(
    _ bytes: UnsafeRawBufferPointer, maximumPixels: Int
  ) throws(PNGError) -> Bitmap {
    var image = png_image()
    image.version = flipclock_png_image_version
    defer { png_image_free(&image) }
    guard let base = bytes.baseAddress, png_image_begin_read_from_memory(&image, base, bytes.count) != 0
    else { throw failure(&image) }
    let size = PixelSize(width: Int(image.width), height: Int(image.height))
    // Both are at most 2³¹ − 1, so the product fits.
    guard size.width * size.height <= maximumPixels else {
      throw .tooLarge(size, maximumPixels: maximumPixels)
    }
    image.format = flipclock_png_format_bgra
    image.flags |= flipclock_png_flag_16bit_srgb
    let bitmap = Bitmap(width: size.width, height: size.height, format: .argb8888)
    guard
      png_image_finish_read(&image, nil, bitmap.buffer.base, Int32(clamping: bitmap.buffer.bytesPerRow), nil)
        != 0
    else { throw failure(&image) }
    return bitmap
  }

  private static func failure(_ image: inout png_image) -> PNGError {
    let message = String(cString: flipclock_png_image_message(&image))
    return .libpng(message.isEmpty ? "not a PNG" : message)
  }

  /// Converts straight to premultiplied alpha in place. Returns whether every pixel is opaque.
  private static func premultiply(_ buffer: PixelBuffer) -> Bool {
    var all: UInt32 = 0xff00_0000
    for y in 0..<buffer.height {
      let row = buffer.row32(y)
      for x in 0..<buffer.width {
        all &= row[x]
        row[x] = row[x].premultiplied
      }
    }
    return all == 0xff00_0000
  }
}
