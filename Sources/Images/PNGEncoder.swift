// SPDX-License-Identifier: Apache-2.0

import CPNG
import Raster

/// Encodes a PNG a few rows at a time, so that a real-time loop can spread a screenshot over several
/// iterations. The bytes depend only on the pixels and the compression level: no timestamp, no text.
///
/// The first rows determine the PNG's format: XRGB8888, RGB565 and XRGB2101010 become RGB, ARGB8888 becomes
/// RGBA with straight alpha, A8 becomes greyscale. After an error of libpng every further call throws the
/// same error.
package final class PNGEncoder {
  /// The size of the whole image.
  package let size: PixelSize
  /// The number of rows encoded so far.
  package private(set) var rowsEncoded = 0

  private enum State {
    case unopened
    case open(PixelFormat)
    case finished
    case failed(PNGError)
  }

  private let compression: Int
  private var state = State.unopened
  private let writer: UnsafeMutablePointer<flipclock_png_writer>
  private var row: [UInt8] = []

  /// - Parameters:
  ///   - size: the size of the whole image; an empty or excessive size is reported when the first rows are
  ///     encoded.
  ///   - compression: zlib's level, 0 … 9; 1 is the fastest that compresses.
  package init(size: PixelSize, compression: Int = 1) {
    self.size = size
    self.compression = min(max(compression, 0), 9)
    writer = .allocate(capacity: 1)
    writer.initialize(to: flipclock_png_writer())
  }

  deinit {
    flipclock_png_destroy(writer)
    writer.deallocate()
  }

  /// Encodes rows `from ..< from + count` of `buffer` as the image's next rows. The buffer must have the
  /// image's width and the same format in every call; it is not modified.
  ///
  /// The corresponding C function is `png_write_row`.
  package func encodeRows(of buffer: PixelBuffer, from: Int, count: Int) throws(PNGError) {
    if case .failed(let error) = state { throw error }
    guard buffer.width == size.width, from >= 0, count >= 0, count <= buffer.height,
      from <= buffer.height - count, count <= size.height - rowsEncoded
    else {
      throw PNGError.rows(
        "\(count) rows from row \(from) of a \(buffer.size) buffer do not fit a \(size) image")
    }
    switch state {
    case .unopened: try open(buffer.format)
    case .open(let format) where format == buffer.format: break
    case .open(let format): throw PNGError.rows("rows of \(buffer.format) after rows of \(format)")
    case .finished: throw PNGError.rows("the image is finished")
    case .failed(let error): throw error
    }
    for y in from..<from + count {
      convert(buffer, y)
      let written = row.withUnsafeBufferPointer { flipclock_png_row(writer, $0.baseAddress) }
      guard written != 0 else { throw failure() }
      rowsEncoded += 1
    }
  }

  /// Ends the image and returns its bytes. Every row must have been encoded. Frees the encoder's memory.
  ///
  /// The corresponding C function is `png_write_end`.
  package func finish() throws(PNGError) -> [UInt8] {
    switch state {
    case .open where rowsEncoded == size.height: break
    case .failed(let error): throw error
    case .finished: throw PNGError.rows("the image is finished")
    default: throw PNGError.rows("only \(rowsEncoded) of \(size.height) rows were encoded")
    }
    guard flipclock_png_end(writer) != 0 else { throw failure() }
    let bytes = Array(UnsafeBufferPointer(start: writer.pointee.bytes, count: writer.pointee.count))
    flipclock_png_destroy(writer)
    state = .finished
    return bytes
  }

  private func open(_ format: PixelFormat) throws(PNGError) {
    let (type, channels) =
      switch format {
      case .xrgb8888, .rgb565, .xrgb2101010: (flipclock_png_rgb, 3)
      case .argb8888: (flipclock_png_rgba, 4)
      case .a8: (flipclock_png_gray, 1)
      }
    let begun = flipclock_png_begin(
      writer, UInt32(clamping: size.width), UInt32(clamping: size.height), type, Int32(compression))
    guard begun != 0 else { throw failure() }
    row = [UInt8](repeating: 0, count: size.width * channels)
    state = .open(format)
  }

  private func failure() -> PNGError {
    let error = PNGError.libpng(String(cString: flipclock_png_message(writer)))
    state = .failed(error)
    flipclock_png_destroy(writer)
    return error
  }

  private func convert(_ buffer: PixelBuffer, _ y: Int) {
    row.withUnsafeMutableBufferPointer { row in
      switch buffer.format {
      case .xrgb8888:
        let pixels = buffer.row32(y)
        for x in 0..<buffer.width {
          Self.store(pixels[x], &row, x &* 3)
        }
      case .argb8888:
        let pixels = buffer.row32(y)
        for x in 0..<buffer.width {
          let pixel = pixels[x].unpremultiplied
          Self.store(pixel, &row, x &* 4)
          row[x &* 4 &+ 3] = UInt8(truncatingIfNeeded: pixel >> 24)
        }
      case .rgb565:
        let pixels = buffer.row16(y)
        for x in 0..<buffer.width {
          Self.store(pixels[x].expandedFrom565, &row, x &* 3)
        }
      case .xrgb2101010:
        let pixels = buffer.row32(y)
        for x in 0..<buffer.width {
          let pixel = pixels[x]
          Self.store(pixel >> 6 & 0xff_0000 | pixel >> 4 & 0xff00 | pixel >> 2 & 0xff, &row, x &* 3)
        }
      case .a8:
        let pixels = buffer.row8(y)
        for x in 0..<buffer.width { row[x] = pixels[x] }
      }
    }
  }

  @inline(__always)
  private static func store(_ pixel: UInt32, _ row: inout UnsafeMutableBufferPointer<UInt8>, _ index: Int) {
    row[index] = UInt8(truncatingIfNeeded: pixel >> 16)
    row[index &+ 1] = UInt8(truncatingIfNeeded: pixel >> 8)
    row[index &+ 2] = UInt8(truncatingIfNeeded: pixel)
  }
}

extension UInt32 {
  /// The `0xAARRGGBB` pixel with its colour divided by its alpha, rounded to nearest. Premultiplying the
  /// result gives the same pixel again if no channel exceeds alpha; larger channels saturate.
  @inline(__always)
  var unpremultiplied: UInt32 {
    let alpha = self >> 24
    if alpha == 255 { return self }
    if alpha == 0 { return 0 }
    func straight(_ channel: UInt32) -> UInt32 {
      Swift.min((channel &* 255 &+ alpha / 2) / alpha, 255)
    }
    return alpha << 24 | straight(self >> 16 & 0xff) << 16 | straight(self >> 8 & 0xff) << 8
      | straight(self & 0xff)
  }
}

extension UInt16 {
  /// The 5-6-5 pixel as opaque `0xAARRGGBB`; the high bits are repeated in the low ones, so that white stays
  /// white.
  @inline(__always)
  var expandedFrom565: UInt32 {
    let pixel = UInt32(self)
    let red = pixel >> 11 & 31
    let green = pixel >> 5 & 63
    let blue = pixel & 31
    return 0xff00_0000 | (red << 3 | red >> 2) << 16 | (green << 2 | green >> 4) << 8
      | (blue << 3 | blue >> 2)
  }
}

/// Encodes Portable Network Graphics in memory.
package enum PNG {
  /// Encodes the whole of `buffer` as a PNG; see `PNGEncoder` for the formats.
  package static func encode(_ buffer: PixelBuffer) throws(PNGError) -> [UInt8] {
    let encoder = PNGEncoder(size: buffer.size)
    try encoder.encodeRows(of: buffer, from: 0, count: buffer.height)
    return try encoder.finish()
  }
}

/// Why a PNG could not be encoded.
package enum PNGError: Error, Hashable, Sendable, CustomStringConvertible {
  /// libpng's error message.
  case libpng(String)
  /// The rows do not belong to the image: wrong size, format, order or number.
  case rows(String)

  package var description: String {
    switch self {
    case .libpng(let message), .rows(let message): "PNG: \(message)"
    }
  }
}
