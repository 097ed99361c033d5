// SPDX-License-Identifier: Apache-2.0

import CPNG
import Images
import Raster

extension PNG {
  /// Decodes a PNG: XRGB8888 if every pixel is opaque, otherwise ARGB8888, premultiplied.
  package static func decode(_ bytes: [UInt8]) throws -> Bitmap {
    var image = png_image()
    image.version = flipclock_png_image_version
    defer { png_image_free(&image) }
    let decoded: Bitmap? = bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress,
        png_image_begin_read_from_memory(&image, base, bytes.count) != 0
      else { return nil }
      image.format = flipclock_png_format_bgra
      image.flags |= flipclock_png_flag_16bit_srgb
      let bitmap = Bitmap(width: Int(image.width), height: Int(image.height), format: .argb8888)
      let stride = Int32(bitmap.buffer.bytesPerRow)
      return png_image_finish_read(&image, nil, bitmap.buffer.base, stride, nil) != 0 ? bitmap : nil
    }
    guard let decoded else {
      throw PNGError.libpng(String(cString: flipclock_png_image_message(&image)))
    }
    var all: UInt32 = .max
    for y in 0..<decoded.height {
      let row = decoded.buffer.row32(y)
      for x in 0..<decoded.width {
        all &= row[x]
        row[x] = premultiplied(row[x])
      }
    }
    guard all >> 24 == 255 else { return decoded }
    let opaque = Bitmap(width: decoded.width, height: decoded.height, format: .xrgb8888)
    for y in 0..<decoded.height {
      opaque.buffer.row(y).copyMemory(from: decoded.buffer.row(y), byteCount: decoded.width * 4)
    }
    return opaque
  }

  private static func premultiplied(_ pixel: UInt32) -> UInt32 {
    let alpha = pixel >> 24
    func scaled(_ shift: UInt32) -> UInt32 { (((pixel >> shift & 255) * alpha + 127) / 255) << shift }
    return alpha << 24 | scaled(16) | scaled(8) | scaled(0)
  }
}
