// SPDX-License-Identifier: Apache-2.0

/// Builds PNG files chunk by chunk, well-formed or not, without libpng.
struct TestPNG {
  static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  private(set) var bytes = TestPNG.signature

  /// A file with one image: header, the given chunks, the filtered rows, the end.
  init(
    width: UInt32, height: UInt32, depth: UInt8, colorType: UInt8, interlace: UInt8 = 0,
    chunks: [(String, [UInt8])] = [], rows: [UInt8]
  ) {
    append("IHDR", Self.word(width) + Self.word(height) + [depth, colorType, 0, 0, interlace])
    for (name, data) in chunks { append(name, data) }
    append("IDAT", Self.stored(rows))
    append("IEND", [])
  }

  mutating func append(_ name: String, _ data: [UInt8]) {
    let body = Array(name.utf8) + data
    bytes += Self.word(UInt32(data.count)) + body + Self.word(Self.crc32(body))
  }

  static func word(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
  }

  /// A zlib stream of stored (uncompressed) blocks.
  static func stored(_ data: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    let length = UInt16(truncatingIfNeeded: data.count)
    stream += [
      1, UInt8(truncatingIfNeeded: length), UInt8(truncatingIfNeeded: length >> 8),
      UInt8(truncatingIfNeeded: ~length), UInt8(truncatingIfNeeded: ~length >> 8),
    ]
    stream += data
    var a: UInt32 = 1
    var b: UInt32 = 0
    for byte in data {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    return stream + word(b << 16 | a)
  }

  static func crc32(_ data: [UInt8]) -> UInt32 {
    var crc: UInt32 = 0xffff_ffff
    for byte in data {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
    }
    return ~crc
  }

  /// Recomputes the CRC of every chunk, so that damage inside a chunk reaches the code that parses it.
  static func mendingChecksums(_ file: [UInt8]) -> [UInt8] {
    var file = file
    var offset = 8
    while offset + 12 <= file.count {
      let length = file[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
      guard offset + 12 + length <= file.count else { break }
      let crc = word(crc32(Array(file[offset + 4..<offset + 8 + length])))
      file.replaceSubrange(offset + 8 + length..<offset + 12 + length, with: crc)
      offset += 12 + length
    }
    return file
  }
}
