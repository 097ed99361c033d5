// SPDX-License-Identifier: Apache-2.0

/// The identity of a display, from its EDID (VESA Enhanced EDID Standard, Release A, Revision 2).
///
/// Only the base block is read. The extension blocks after it must be complete, but their content is ignored.
struct EDID: Hashable, Sendable {
  /// The manufacturer's PNP ID, three characters: `GSM`. An invalid ID has other characters than A–Z, as in
  /// the output of edid-decode(1): `@@@` for zeros.
  var manufacturer: String
  /// The manufacturer's number of the model.
  var productCode: UInt16
  /// 0 if the display has no number.
  var serialNumber: UInt32
  /// The text of the descriptor "display product name"; nil if there is none, or an empty one.
  var name: String?
  /// The text of the descriptor "display product serial number"; nil if there is none, or an empty one.
  var serialText: String?

  static let blockSize = 128

  /// Why bytes are not an EDID.
  enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of bytes is 0 or not a multiple of `blockSize`.
    case size(Int)
    /// The base block does not begin with the fixed pattern.
    case header
    /// The bytes of the base block do not add up to a multiple of 256.
    case checksum
    /// The base block announces more extension blocks than there are.
    case extensions(announced: Int, present: Int)

    var description: String {
      switch self {
      case .size(let count): "the EDID has \(count) bytes, not a multiple of \(blockSize)"
      case .header: "the EDID does not begin with 00 ff ff ff ff ff ff 00"
      case .checksum: "the checksum of the EDID is wrong"
      case .extensions(let announced, let present):
        "the EDID announces \(announced) extension blocks, but has \(present)"
      }
    }
  }

  private static let header: [UInt8] = [0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00]

  /// Reads the value of a connector's property `EDID`.
  init(parsing bytes: [UInt8]) throws(Failure) {
    guard !bytes.isEmpty, bytes.count % Self.blockSize == 0 else { throw .size(bytes.count) }
    let base = Array(bytes.prefix(Self.blockSize))
    guard base.starts(with: Self.header) else { throw .header }
    guard base.reduce(0, &+) == 0 else { throw .checksum }
    // There may be more blocks than announced, because HDMI 2.1 has its own count in an extension block
    // (HF-EEODB).
    let present = bytes.count / Self.blockSize - 1
    guard base[126] <= present else { throw .extensions(announced: Int(base[126]), present: present) }

    let letters = UInt16(base[8]) << 8 | UInt16(base[9])
    manufacturer = [10, 5, 0].map { shift in
      String(UnicodeScalar(0x40 + UInt8(letters >> shift & 0x1f)))
    }.joined()
    productCode = UInt16(base[11]) << 8 | UInt16(base[10])
    serialNumber = base[12..<16].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    let descriptors = stride(from: 54, to: 126, by: 18).map { base[$0..<$0 + 18] }
    name = Self.text(0xfc, descriptors)
    serialText = Self.text(0xff, descriptors)
  }

  /// The text of the first display descriptor of the type `tag`. It ends with a line feed if it is shorter
  /// than 13 characters. Characters other than printable ASCII become `.`, as in the output of
  /// edid-decode(1).
  private static func text(_ tag: UInt8, _ descriptors: [ArraySlice<UInt8>]) -> String? {
    // A display descriptor begins with three zeros and its type; other descriptors are timings.
    guard let found = descriptors.first(where: { $0.starts(with: [0, 0, 0, tag]) }) else { return nil }
    let text = found.dropFirst(5).prefix { $0 != 0x0a }.map { (0x20...0x7e).contains($0) ? $0 : 0x2e }
    guard let first = text.firstIndex(where: { $0 != 0x20 }),
      let last = text.lastIndex(where: { $0 != 0x20 })
    else { return nil }
    return String(decoding: text[first...last], as: UTF8.self)
  }
}

// MARK: Naming

extension EDID {
  /// The display in words, as wlroots and other programs name it.
  struct Summary: Hashable, Sendable, CustomStringConvertible {
    /// The PNP ID: `GSM`.
    var make: String
    /// The name, or the product code in hexadecimal if the display has no name: `0x5B09`.
    var model: String
    /// The serial text, or else the serial number in hexadecimal: `0x0001E0F3`. Nil if the display has
    /// neither.
    var serial: String?

    var description: String { [make, model, serial].compactMap(\.self).joined(separator: " ") }
  }

  var summary: Summary {
    Summary(
      make: manufacturer, model: name ?? Self.hexadecimal(productCode),
      serial: serialText ?? (serialNumber == 0 ? nil : Self.hexadecimal(serialNumber)))
  }

  /// Whether a text from the config means this display: its make, model or serial, `make model`, or
  /// `make model serial`. Upper and lower case are the same.
  func matches(_ text: String) -> Bool {
    let summary = summary
    let texts = [
      summary.make, summary.model, summary.serial, "\(summary.make) \(summary.model)", summary.description,
    ]
    let wanted = text.lowercased()
    return texts.contains { $0?.lowercased() == wanted }
  }

  /// `0x` and the digits, with leading zeros to the width of the type.
  private static func hexadecimal(_ value: some FixedWidthInteger & UnsignedInteger) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return "0x" + String(repeating: "0", count: value.bitWidth / 4 - digits.count) + digits
  }
}
