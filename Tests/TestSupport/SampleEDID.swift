// SPDX-License-Identifier: Apache-2.0

/// Writes EDIDs for the tests.
package struct SampleEDID {
  package var manufacturer = "GSM"
  package var productCode: UInt16 = 0x5b09
  package var serialNumber: UInt32 = 0
  /// The types and texts of the display descriptors, at most four. If there are fewer, timings fill the other
  /// places.
  package var descriptors: [(tag: UInt8, text: String)] = []
  /// The number of extension blocks, which the base block announces.
  package var extensions = 0

  package init() {}

  /// A monitor with a name and a serial text.
  package static let monitor: SampleEDID = {
    var edid = SampleEDID()
    edid.serialNumber = 0x0001_e0f3
    edid.descriptors = [(0xfd, ""), (0xfc, "HDR WALL 4K"), (0xff, "ABC-0042")]
    return edid
  }()

  /// A television with a name of 13 characters, no serial text, and an extension block.
  package static let television: SampleEDID = {
    var edid = SampleEDID()
    edid.manufacturer = "SNY"
    edid.productCode = 0x00a7
    edid.serialNumber = 0x0101_0101
    edid.descriptors = [(0xfc, "SCOREBOARD TV"), (0xfd, "")]
    edid.extensions = 1
    return edid
  }()

  /// A built-in panel, which has neither a name nor a serial number.
  package static let panel: SampleEDID = {
    var edid = SampleEDID()
    edid.manufacturer = "BOE"
    edid.productCode = 0x07c9
    edid.descriptors = [(0xfe, "NV140FHM"), (0xfe, "")]
    return edid
  }()

  package func bytes() -> [UInt8] {
    var block: [UInt8] = [0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0]
    let letters = manufacturer.utf8.reduce(UInt16(0)) { $0 << 5 | UInt16($1 & 0x1f) }
    block += [UInt8(letters >> 8), UInt8(letters & 0xff)]
    block += [UInt8(productCode & 0xff), UInt8(productCode >> 8)]
    block += (0..<4).map { UInt8(truncatingIfNeeded: serialNumber >> ($0 * 8)) }
    // Week, year and version; then size, gamma, colours and standard timings.
    block += [12, 34, 1, 4] + [UInt8](repeating: 0x01, count: 34)
    for _ in descriptors.count..<4 { block += [0x02, 0x3a] + [UInt8](repeating: 0x18, count: 16) }
    for (tag, text) in descriptors {
      let padded = (Array(text.utf8) + [0x0a] + [UInt8](repeating: 0x20, count: 13)).prefix(13)
      block += [0, 0, 0, tag, 0] + padded
    }
    block += [UInt8(extensions), 0]
    let blocks = block + [UInt8](repeating: 0x02, count: 128 * extensions)
    return Self.repaired(blocks)
  }

  /// The bytes with the header and the checksum of the base block corrected. Fewer than 128 bytes are
  /// returned unchanged.
  package static func repaired(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count >= 128 else { return bytes }
    var bytes = bytes
    bytes.replaceSubrange(0..<8, with: [0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0])
    bytes[127] = 0 &- bytes[..<127].reduce(0, &+)
    return bytes
  }
}
