// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// Values as the config writes them.
package enum Units {
  // MARK: Reading

  /// `"250ms"`, `"1.5s"`, `"5min"` or `"1h30min"` in seconds.
  package static func seconds(_ text: String) throws(DurationText.Problem) -> Double {
    Double(try DurationText.nanoseconds(text)) / 1e9
  }

  /// `"10:00"` or `"1:30:00"` in seconds.
  package static func clock(_ text: String) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count) else { return nil }
    var total = 0.0
    for (index, part) in parts.enumerated() {
      guard let number = decimal(part, fraction: false), number <= (index == 0 ? 359_999 : 59) else {
        return nil
      }
      total = total * 60 + number
    }
    return total
  }

  /// `"#rrggbb"` or `"#rgb"` as 0xRRGGBB.
  package static func color(_ text: String) -> UInt32? {
    let digits = text.utf8.dropFirst()
    guard text.utf8.first == UInt8(ascii: "#"), digits.count == 3 || digits.count == 6 else { return nil }
    var color: UInt32 = 0
    for digit in digits {
      let value: UInt8
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): value = digit - UInt8(ascii: "A") + 10
      default: return nil
      }
      color = digits.count == 3 ? color << 8 | UInt32(value) * 0x11 : color << 4 | UInt32(value)
    }
    return color
  }

  /// Digits, and a point between digits where a fraction is allowed; neither a sign nor an exponent.
  package static func decimal(_ text: some StringProtocol, fraction: Bool) -> Double? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= (fraction ? 2 : 1), text.utf8.count <= 32 else { return nil }
    for part in parts {
      let isNumber = part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard !part.isEmpty, isNumber else { return nil }
    }
    return Double(String(text))
  }

  /// The same with a fraction, and a sign if there is one.
  static func signedDecimal(_ text: String) -> Double? {
    let digits = text.drop { $0 == "-" || $0 == "+" }
    return decimal(digits, fraction: true).map { text.first == "-" ? -$0 : $0 }
  }

  // MARK: Writing

  /// A number without the `.0` of whole ones.
  package static func number(_ number: Double) -> String {
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// Seconds as `500ms` or `10s`.
  package static func duration(_ seconds: Double) -> String {
    DurationText.text(Int64((seconds * 1e9).rounded()))
  }

  /// A basic TOML string, with its quotes.
  package static func string(_ text: String) -> String {
    var result = "\""
    for character in text {
      switch character {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      default: result.append(character)
      }
    }
    return result + "\""
  }

  /// An array of strings.
  package static func array(_ texts: [String]) -> String { "[\(texts.map(string).joined(separator: ", "))]" }
}
