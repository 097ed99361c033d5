// SPDX-License-Identifier: Apache-2.0

/// Game clock times as text.
package enum GameTimeText {
  /// Formats a time as `105:00`, `9:59` or `0:07.3`: minutes, which may exceed 59 as on the display, and
  /// seconds. The tenth is omitted when it is 0.
  package static func text(_ nanoseconds: Int64) -> String {
    let sign = nanoseconds < 0 ? "-" : ""
    let tenths = nanoseconds.magnitude / 100_000_000
    let seconds = tenths / 10
    let text = "\(sign)\(seconds / 60):\(two(seconds % 60))"
    return tenths % 10 == 0 ? text : text + ".\(tenths % 10)"
  }

  /// The time that is left in whole seconds, rounded up, with hours if it is that long: `1:02:03`.
  package static func hours(of nanoseconds: Int64) -> String {
    let seconds = (nanoseconds / 100_000_000 + 9) / 10
    guard seconds >= 3600 else { return self.seconds(of: nanoseconds, isLeft: true) }
    return "\(seconds / 3600):\(two(UInt64(seconds / 60 % 60))):\(two(UInt64(seconds % 60)))"
  }

  /// A running clock in whole seconds: the remaining time is rounded up, the elapsed time is rounded down.
  package static func seconds(of nanoseconds: Int64, isLeft: Bool) -> String {
    let second: Int64 = 1_000_000_000
    let (whole, part) = nanoseconds.quotientAndRemainder(dividingBy: second)
    return text((isLeft && part > 0 ? whole + 1 : whole) * second)
  }

  /// Reads `90` (seconds), `1:30` and `1:02:03`, each with an optional fraction of up to nine digits.
  ///
  /// - Returns: nanoseconds; nil if the text has another form or exceeds `GameTimer.limit`.
  package static func nanoseconds(_ text: String) -> Int64? {
    guard text.utf8.count <= 24 else { return nil }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), let last = parts.last else { return nil }
    let pieces = last.split(separator: ".", omittingEmptySubsequences: false)
    guard pieces.count <= 2 else { return nil }
    var total: Int64 = 0
    for (index, digits) in (parts.dropLast() + [pieces[0]]).enumerated() {
      guard let number = number(digits, maximum: 6) else { return nil }
      // All parts but the first are at most 59.
      if index > 0, number > 59 { return nil }
      total = total * 60 + number
    }
    total *= 1_000_000_000
    if pieces.count == 2 {
      guard let fraction = number(pieces[1], maximum: 9) else { return nil }
      total += (pieces[1].utf8.count..<9).reduce(fraction) { value, _ in value * 10 }
    }
    return total <= GameTimer.limit ? total : nil
  }

  private static func number(_ digits: Substring, maximum: Int) -> Int64? {
    guard (1...maximum).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int64(digits)
  }

  private static func two(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// Colours as text.
package enum ColorText {
  /// `#rrggbb`
  package static func hex(_ color: UInt32) -> String {
    let digits = String(color & 0xffffff, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }

  /// Reads `#rrggbb` and `#rgb`.
  package static func color(_ text: String) -> UInt32? {
    guard text.utf8.first == UInt8(ascii: "#") else { return nil }
    let digits = Array(text.utf8.dropFirst())
    guard digits.count == 3 || digits.count == 6 else { return nil }
    var color: UInt32 = 0
    for digit in digits {
      guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else { return nil }
      color = digits.count == 3 ? color << 8 | UInt32(value) * 0x11 : color << 4 | UInt32(value)
    }
    return color
  }
}
