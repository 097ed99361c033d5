// SPDX-License-Identifier: Apache-2.0

/// The name of a Wi-Fi network (SSID): 1 to 32 bytes, which need not be text.
package struct NetworkName: Hashable, Sendable {
  package let bytes: [UInt8]

  package static let limit = 32

  /// Nil if there are no bytes or more than 32. An access point that hides its name sends none, or zeros.
  package init?(_ bytes: [UInt8]) {
    guard (1...Self.limit).contains(bytes.count), bytes.contains(where: { $0 != 0 }) else { return nil }
    self.bytes = bytes
  }

  /// Reads what `text` returns. A backslash that begins neither `\\` nor `\x` with two hexadecimal digits
  /// stands for itself.
  package init?(text: String) {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\") {
        if rest.first == UInt8(ascii: "\\") {
          rest.removeFirst()
        } else if rest.first == UInt8(ascii: "x"), rest.count >= 3,
          let high = Self.digit(rest[rest.startIndex + 1]), let low = Self.digit(rest[rest.startIndex + 2])
        {
          rest = rest.dropFirst(3)
          bytes.append(high << 4 | low)
          continue
        }
      }
      bytes.append(byte)
    }
    self.init(bytes)
  }

  /// The name as text: a backslash is `\\`, and a control character or a byte that is not UTF-8 is `\x` and
  /// its two hexadecimal digits. Different names have different texts.
  package var text: String {
    var text = ""
    var decoder = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var position = 0
    while true {
      switch decoder.parseScalar(from: &rest) {
      case .emptyInput: return text
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        switch scalar {
        case "\\": text += "\\\\"
        case "\0"..<" ", "\u{7f}"..<"\u{a0}":
          for byte in bytes[position..<(position + encoded.count)] { text += Self.escaped(byte) }
        default: text.unicodeScalars.append(scalar)
        }
        position += encoded.count
      case .error(let length):
        for byte in bytes[position..<min(position + length, bytes.count)] { text += Self.escaped(byte) }
        position += length
      }
    }
  }

  private static func escaped(_ byte: UInt8) -> String {
    "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.flatMap { UInt8(exactly: $0) }
  }
}
