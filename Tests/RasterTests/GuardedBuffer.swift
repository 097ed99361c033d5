// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport

@testable import Raster

/// A buffer surrounded by guard bytes, to detect stray writes.
final class GuardedBuffer {
  private static let margin = 256
  private static let guardByte: UInt8 = 0xa5
  private let memory: UnsafeMutableRawPointer
  private let byteCount: Int
  let buffer: PixelBuffer

  /// - Parameter slack: extra bytes per row, also guarded.
  init(_ width: Int, _ height: Int, _ format: PixelFormat, slack: Int = 12) {
    let bytesPerRow = width * format.bytesPerPixel + slack
    byteCount = bytesPerRow * height + 2 * GuardedBuffer.margin
    memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: GuardedBuffer.guardByte, count: byteCount)
    buffer = PixelBuffer(
      base: memory + GuardedBuffer.margin, width: width, height: height, bytesPerRow: bytesPerRow,
      format: format)
    for y in 0..<height { memset(buffer.row(y), 0, width * format.bytesPerPixel) }
  }

  deinit { memory.deallocate() }

  /// Whether all bytes other than pixels are unchanged.
  var isIntact: Bool {
    let pixels = buffer.width * buffer.format.bytesPerPixel
    for offset in 0..<byteCount {
      let inside = offset - GuardedBuffer.margin
      if inside >= 0, inside < buffer.bytesPerRow * buffer.height, inside % buffer.bytesPerRow < pixels {
        continue
      }
      if memory.load(fromByteOffset: offset, as: UInt8.self) != GuardedBuffer.guardByte { return false }
    }
    return true
  }
}

extension PixelBuffer {
  /// A pixel of any format as an integer.
  func pixel(_ x: Int, _ y: Int) -> UInt32 {
    switch format {
    case .xrgb8888, .argb8888, .xrgb2101010: row32(y)[x]
    case .rgb565: UInt32(row16(y)[x])
    case .a8: UInt32(row8(y)[x])
    }
  }

  func setPixel(_ x: Int, _ y: Int, _ value: UInt32) {
    switch format {
    case .xrgb8888, .argb8888, .xrgb2101010: row32(y)[x] = value
    case .rgb565: row16(y)[x] = UInt16(truncatingIfNeeded: value)
    case .a8: row8(y)[x] = UInt8(truncatingIfNeeded: value)
    }
  }

  /// Fills the buffer with runs of valid pixels: premultiplied, a third of them opaque and a third
  /// transparent.
  func randomize(_ random: inout SplitMix) {
    for y in 0..<height {
      var run = 0
      var mode = 0
      for x in 0..<width {
        if run == 0 {
          run = random.int(1...7)
          mode = random.int(0...2)
        }
        run -= 1
        let value = UInt32(truncatingIfNeeded: random.next())
        switch format {
        case .xrgb8888: setPixel(x, y, value | 0xff00_0000)
        case .xrgb2101010: setPixel(x, y, value | 0xc000_0000)
        case .rgb565: setPixel(x, y, value)
        case .a8: setPixel(x, y, mode == 0 ? 0 : mode == 1 ? 255 : value)
        case .argb8888:
          setPixel(x, y, mode == 0 ? 0 : Reference.premultiplied(mode == 1 ? value | 0xff00_0000 : value))
        }
      }
    }
  }

  /// Whether `other` has the same size, format and pixels.
  func equals(_ other: PixelBuffer) -> Bool {
    for y in 0..<height where memcmp(row(y), other.row(y), width * format.bytesPerPixel) != 0 { return false }
    return width == other.width && height == other.height && format == other.format
  }

  func assign(_ other: PixelBuffer) {
    for y in 0..<height { memcpy(row(y), other.row(y), width * format.bytesPerPixel) }
  }
}

/// Straightforward pixel arithmetic, channel by channel.
enum Reference {
  static func channels(_ pixel: UInt32) -> [Int] { (0..<4).map { Int(pixel >> (8 * $0)) & 255 } }

  static func pixel(_ channels: [Int]) -> UInt32 {
    channels.enumerated().reduce(0) { $0 | UInt32($1.element & 255) << (8 * $1.offset) }
  }

  /// a·b / 255, rounded to nearest (there are no ties).
  static func product(_ a: Int, _ b: Int) -> Int { Int((Double(a * b) / 255).rounded()) }

  static func premultiplied(_ pixel: UInt32) -> UInt32 {
    let c = channels(pixel)
    return Reference.pixel([product(c[0], c[3]), product(c[1], c[3]), product(c[2], c[3]), c[3]])
  }

  static func scaled(_ pixel: UInt32, _ alpha: Int) -> UInt32 {
    Reference.pixel(channels(pixel).map { product($0, alpha) })
  }

  static func lit(_ pixel: UInt32, _ light: Int) -> UInt32 {
    let c = channels(pixel)
    return Reference.pixel([0, 1, 2].map { (c[$0] * light + 128) / 256 } + [c[3]])
  }

  static func over(_ source: UInt32, _ destination: UInt32, opaque: Bool) -> UInt32 {
    let s = channels(source)
    var r = zip(s, channels(destination)).map { $0 + product($1, 255 - s[3]) }
    if opaque { r[3] = 255 }
    return pixel(r)
  }

  static func to565(_ pixel: UInt32) -> UInt32 {
    let c = channels(pixel)
    return UInt32(c[2] / 8 * 2048 + c[1] / 4 * 32 + c[0] / 8)
  }

  /// Dithers with Bayer's matrix in its published form. Values are first scaled so that 255 becomes exactly
  /// the highest reduced level (31 · 8 for 5 bits).
  static func dithered565(_ pixel: UInt32, _ x: Int, _ y: Int) -> UInt32 {
    let c = channels(pixel)
    let rank = bayer[(y & 7) * 8 + (x & 7)]
    func level(_ value: Int, _ bits: Int) -> Int {
      let lost = 8 - bits
      return (value - value >> bits + rank >> (6 - lost)) >> lost
    }
    return UInt32(level(c[2], 5) << 11 | level(c[1], 6) << 5 | level(c[0], 5))
  }

  private static let bayer = [
    0, 32, 8, 40, 2, 34, 10, 42, 48, 16, 56, 24, 50, 18, 58, 26, 12, 44, 4, 36, 14, 46, 6, 38, 60, 28, 52, 20,
    62, 30, 54, 22, 3, 35, 11, 43, 1, 33, 9, 41, 51, 19, 59, 27, 49, 17, 57, 25, 15, 47, 7, 39, 13, 45, 5, 37,
    63, 31, 55, 23, 61, 29, 53, 21,
  ]

  static func to2101010(_ pixel: UInt32) -> UInt32 {
    let c = channels(pixel)
    func wide(_ value: Int) -> UInt32 { UInt32(value * 4 + value / 64) }
    return 3 << 30 | wide(c[2]) << 20 | wide(c[1]) << 10 | wide(c[0])
  }

  static func from565(_ pixel: UInt32) -> UInt32 {
    let (r, g, b) = (Int(pixel) / 2048, Int(pixel) / 32 % 64, Int(pixel) % 32)
    return Reference.pixel([b * 8 + b / 4, g * 4 + g / 16, r * 8 + r / 4, 255])
  }
}
