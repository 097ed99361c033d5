// SPDX-License-Identifier: Apache-2.0

/// A JSON text as a value. The members of an object have no order; a name occurs once.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  /// A number that is written without a fraction and without an exponent, and that fits in an Int64.
  case integer(Int64)
  /// Any other number; always finite.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// The member `name`, if this is an object that has it.
  package subscript(name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  package var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  package var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  package var array: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  package var object: [String: JSONValue]? {
    if case .object(let value) = self { value } else { nil }
  }

  /// The value as an Int; nil if it is not a whole number or does not fit. JSON does not distinguish 7, 7.0
  /// and 7e0, so each is 7. A double of magnitude 2⁵³ or more may have been rounded, so the result is nil.
  package var integer: Int? {
    switch self {
    case .integer(let value): Int(exactly: value)
    case .number(let value) where abs(value) < 0x1p53: Int(exactly: value)
    default: nil
    }
  }
}

// MARK: Writing

extension JSONValue {
  /// The JSON text on one line. Members are sorted by name, so that the same members always give the same
  /// text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// `text` in UTF-8.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }

  private func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .integer(let value): bytes += String(value).utf8
    case .number(let value):
      let digits = value.description
      bytes += (digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits).utf8
    case .string(let value): Self.write(value, to: &bytes)
    case .array(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.write(member.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): bytes += #"\""#.utf8
      case UInt8(ascii: "\\"): bytes += #"\\"#.utf8
      case 0x08: bytes += #"\b"#.utf8
      case 0x09: bytes += #"\t"#.utf8
      case 0x0a: bytes += #"\n"#.utf8
      case 0x0c: bytes += #"\f"#.utf8
      case 0x0d: bytes += #"\r"#.utf8
      case 0..<0x20: bytes += ((byte < 0x10 ? #"\u000"# : #"\u00"#) + String(byte, radix: 16)).utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
