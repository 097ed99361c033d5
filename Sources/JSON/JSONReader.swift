// SPDX-License-Identifier: Apache-2.0

/// Why a text was rejected, and the offset, in bytes, of what is wrong.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  package let reason: String
  package let offset: Int

  package var description: String { "\(reason) at byte \(offset)" }
}

/// Reads one JSON text (RFC 8259), strictly.
///
/// Foundation's `JSONDecoder` accepts duplicate keys, a comma before a closing brace, UTF-16, and invalid
/// UTF-8 in members that are not decoded. Here each of these is an error, because the meaning of a command
/// must be certain. Nesting is bounded.
package struct JSONReader {
  /// The deepest nesting of arrays and objects.
  package static let maximumDepth = 32

  private let bytes: [UInt8]
  private var index = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  package static func read(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
    var reader = JSONReader(bytes)
    reader.skipSpace()
    let value = try reader.value(depth: 0)
    reader.skipSpace()
    guard reader.index == bytes.count else { throw reader.error("something after the end") }
    return value
  }

  private func error(_ reason: String) -> JSONError { JSONError(reason: reason, offset: index) }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { index += 1 }
  }

  /// Skips `character` if it is next.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    guard let byte = next else { throw error("unexpected end") }
    switch byte {
    case UInt8(ascii: "{"): return try object(depth: depth + 1)
    case UInt8(ascii: "["): return try array(depth: depth + 1)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw error("unexpected byte")
    }
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
    let text = word.withUTF8Buffer { Array($0) }
    guard bytes[index...].starts(with: text) else { throw error("unexpected byte") }
    index += text.count
    return value
  }

  private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
    guard depth <= Self.maximumDepth else { throw error("nested too deeply") }
    index += 1
    var values: [JSONValue] = []
    skipSpace()
    if take("]") { return .array(values) }
    while true {
      skipSpace()
      values.append(try value(depth: depth))
      skipSpace()
      if take("]") { return .array(values) }
      guard take(",") else { throw error("expected ',' or ']'") }
    }
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
    guard depth <= Self.maximumDepth else { throw error("nested too deeply") }
    index += 1
    var members: [String: JSONValue] = [:]
    skipSpace()
    if take("}") { return .object(members) }
    while true {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw error("expected a member name") }
      let start = index
      let name = try string()
      skipSpace()
      guard take(":") else { throw error("expected ':'") }
      skipSpace()
      guard members.updateValue(try value(depth: depth), forKey: name) == nil else {
        throw JSONError(reason: "member '\(name)' twice", offset: start)
      }
      skipSpace()
      if take("}") { return .object(members) }
      guard take(",") else { throw error("expected ',' or '}'") }
    }
  }

  private mutating func number() throws(JSONError) -> JSONValue {
    let start = index
    var whole = true
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") {
      whole = false
      try digits()
    }
    if take("e") || take("E") {
      whole = false
      if !take("+") { _ = take("-") }
      try digits()
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if whole, let value = Int64(text) { return .integer(value) }
    guard let value = Double(text), value.isFinite else {
      throw JSONError(reason: "number out of range", offset: start)
    }
    return .number(value)
  }

  private mutating func digits() throws(JSONError) {
    let start = index
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
    guard index > start else { throw error("expected a digit") }
  }

  private mutating func string() throws(JSONError) -> String {
    let start = index
    index += 1
    var text: [UInt8] = []
    var plain = index
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        text += bytes[plain..<index]
        index += 1
        guard let value = String(validating: text, as: UTF8.self) else {
          throw JSONError(reason: "not UTF-8 in the string", offset: start)
        }
        return value
      case UInt8(ascii: "\\"):
        text += bytes[plain..<index]
        index += 1
        text += Array(String(try escape()).utf8)
        plain = index
      case 0..<0x20: throw error("control character in a string")
      default: index += 1
      }
    }
    throw error("unexpected end")
  }

  private mutating func escape() throws(JSONError) -> Unicode.Scalar {
    guard let byte = next else { throw error("unexpected end") }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let high = try fourHexDigits()
      if let scalar = Unicode.Scalar(high) { return scalar }
      // Characters outside the basic multilingual plane are written as a high surrogate and a low one.
      guard high < 0xdc00, take("\\"), take("u") else { throw error("half a surrogate pair") }
      let low = try fourHexDigits()
      guard (0xdc00..<0xe000).contains(low),
        let scalar = Unicode.Scalar(0x10000 + (high - 0xd800) << 10 + (low - 0xdc00))
      else { throw error("half a surrogate pair") }
      return scalar
    default: throw error("unknown escape")
    }
  }

  private mutating func fourHexDigits() throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = next.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
        throw error("expected four hexadecimal digits")
      }
      value = value << 4 | UInt32(digit)
      index += 1
    }
    return value
  }
}
