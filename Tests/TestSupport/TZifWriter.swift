// SPDX-License-Identifier: Apache-2.0

/// Writes TZif files for the tests, valid or malformed.
package struct TZifWriter {
  package var version = UInt8(ascii: "2")
  package var transitions: [Int64] = []
  package var indices: [UInt8] = []
  package var types: [(offset: Int32, isDST: UInt8, abbreviation: UInt8)] = [(0, 0, 0)]
  package var characters: [UInt8] = Array("UTC\0".utf8)
  package var leapSeconds: [(Int64, Int32)] = []
  package var footer = "\n\n"

  package init() {}

  package func bytes() -> [UInt8] {
    if version == 0 { return block(timeSize: 4) }
    return header(empty: true) + block(timeSize: 8) + Array(footer.utf8)
  }

  private func header(empty: Bool) -> [UInt8] {
    let counts =
      empty
      ? [0, 0, 0, 0, 0, 0] : [0, 0, leapSeconds.count, transitions.count, types.count, characters.count]
    return Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
      + counts.flatMap { big(Int64($0), 4) }
  }

  private func block(timeSize: Int) -> [UInt8] {
    header(empty: false) + transitions.flatMap { big($0, timeSize) } + indices
      + types.flatMap { big(Int64($0.offset), 4) + [$0.isDST, $0.abbreviation] } + characters
      + leapSeconds.flatMap { big($0.0, timeSize) + big(Int64($0.1), 4) }
  }

  private func big(_ value: Int64, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
