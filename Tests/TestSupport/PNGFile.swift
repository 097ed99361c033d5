// SPDX-License-Identifier: Apache-2.0

/// A PNG of any colour type, written without a library and without compression.
package struct PNGFile: Sendable {
  package enum Kind: Int, CaseIterable, Sendable {
    case gray = 0
    case rgb = 2
    case palette = 3
    case grayAlpha = 4
    case rgba = 6

    package var channels: Int { [1, 0, 3, 1, 2, 0, 4][rawValue] }
    package var depths: [Int] {
      switch self {
      case .gray: [1, 2, 4, 8, 16]
      case .palette: [1, 2, 4, 8]
      default: [8, 16]
      }
    }
  }

  package var width: Int
  package var height: Int
  package var kind: Kind
  package var depth: Int
  package var isInterlaced: Bool
  /// The samples of a pixel, each of `depth` bits.
  package var samples: @Sendable (Int, Int) -> [Int]
  /// Chunks between the size and the pixels.
  package var chunks: [(type: String, data: [UInt8])] = []

  package init(
    _ width: Int, _ height: Int, _ kind: Kind, depth: Int = 8, isInterlaced: Bool = false,
    samples: @escaping @Sendable (Int, Int) -> [Int]
  ) {
    (self.width, self.height, self.kind, self.depth) = (width, height, kind, depth)
    (self.isInterlaced, self.samples) = (isInterlaced, samples)
  }

  package var bytes: [UInt8] {
    let header =
      Self.number(width) + Self.number(height) + [
        UInt8(depth), UInt8(kind.rawValue), 0, 0, isInterlaced ? 1 : 0,
      ]
    return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + Self.chunk("IHDR", header)
      + chunks.flatMap { Self.chunk($0.type, $0.data) } + Self.chunk("IDAT", Self.stored(rows))
      + Self.chunk("IEND", [])
  }

  /// The passes of Adam7: the first column and row, and the steps.
  private static let adam7 = [
    (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
  ]

  private var rows: [UInt8] {
    (isInterlaced ? Self.adam7 : [(0, 0, 1, 1)]).flatMap { x, y, stepX, stepY in
      x < width
        ? stride(from: y, to: height, by: stepY).flatMap {
          row(Array(stride(from: x, to: width, by: stepX)), $0)
        } : []
    }
  }

  private func row(_ columns: [Int], _ y: Int) -> [UInt8] {
    var (bytes, bits, count): ([UInt8], Int, Int) = ([0], 0, 0)
    for sample in columns.flatMap({ samples($0, y) }) {
      (bits, count) = (bits << depth | sample, count + depth)
      while count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      }
      bits &= (1 << count) - 1
    }
    return count > 0 ? bytes + [UInt8(truncatingIfNeeded: bits << (8 - count))] : bytes
  }

  // MARK: Chunks

  package static func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// A damaged file whose chunks have the checksums of what they contain, as far as it consists of chunks.
  package static func withChecksums(_ bytes: [UInt8]) -> [UInt8] {
    var (result, rest) = (Array(bytes.prefix(8)), bytes.dropFirst(8))
    while rest.count >= 12 {
      let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      guard length <= rest.count - 12 else { break }
      let content = rest.dropFirst(4).prefix(4 + length)
      result += number(length) + content + number(checksum(content))
      rest = rest.dropFirst(12 + length)
    }
    return result + rest
  }

  private static func checksum(_ content: some Sequence<UInt8>) -> Int {
    var crc = UInt32.max
    for byte in content {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? 0xedb8_8320 : 0) }
    }
    return Int(~crc)
  }

  package static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let content = Array(type.utf8) + data
    return number(data.count) + content + number(checksum(content))
  }

  /// A zlib stream of stored blocks.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var (stream, a, b): ([UInt8], Int, Int) = ([0x78, 1], 1, 0)
    for start in stride(from: 0, to: bytes.count, by: 65_535) {
      let block = bytes[start..<min(start + 65_535, bytes.count)]
      let length = [UInt8(block.count & 255), UInt8(block.count >> 8)]
      stream += [block.endIndex == bytes.count ? 1 : 0] + length + length.map { ~$0 } + block
    }
    for byte in bytes {
      a = (a + Int(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return stream + number(b << 16 | a)
  }
}
