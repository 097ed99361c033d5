// SPDX-License-Identifier: Apache-2.0

extension Instant {
  /// Reads a date and time as RFC 3339 §5.6 writes it, e.g. `2026-05-01T09:59:58.5+02:00`.
  ///
  /// Also accepts `t`, `z`, and a space instead of the `T` (§5.6 notes). A second of 60 is accepted at the
  /// end of a month in UTC, where a leap second can occur. It is read as the following second, because POSIX
  /// time cannot express it. Digits beyond nanoseconds are dropped. Returns nil for anything else, including
  /// dates that do not exist, such as 30 February.
  package init?(rfc3339 text: String) {
    var reader = DigitReader(Array(text.utf8))
    guard let year = reader.number(4), reader.take("-"),
      let month = reader.number(2), (1...12).contains(month), reader.take("-"),
      let day = reader.number(2), (1...GregorianDate.days(inMonth: month, of: year)).contains(day),
      reader.take("T") || reader.take("t") || reader.take(" "),
      let hour = reader.number(2), hour < 24, reader.take(":"),
      let minute = reader.number(2), minute < 60, reader.take(":"),
      let second = reader.number(2), second <= 60
    else { return nil }
    var nanoseconds: Int32 = 0
    if reader.take(".") {
      guard let fraction = reader.fraction() else { return nil }
      nanoseconds = fraction
    }
    guard let offset = reader.offset(), reader.isAtEnd else { return nil }
    let days = GregorianDate(year: year, month: month, day: day).daysSinceEpoch
    // The year has four digits, so nothing below can overflow.
    let seconds = Int64(days * 86_400 + hour * 3_600 + minute * 60 + second - offset)
    if second == 60 {
      let after = DayTime(Instant(seconds: seconds))
      guard after.second == 0, GregorianDate(daysSinceEpoch: after.day).day == 1 else { return nil }
    }
    self.init(seconds: seconds, nanoseconds: nanoseconds)
  }

  /// The instant as RFC 3339 in UTC, with 0, 3, 6 or 9 decimals, as few as are needed. Years outside 0 …
  /// 9999, which RFC 3339 cannot express, get a sign and, if needed, more digits (ISO 8601's expanded form).
  package var rfc3339UTC: String { rfc3339(in: .utc) }

  /// The same with the zone's time and its offset from UTC: `2026-11-26T18:00:00+01:00`. In UTC where the
  /// offset is not a number of minutes, which RFC 3339 cannot express.
  package func rfc3339(in zone: TimeZone) -> String {
    let fields = zone.civil(self)
    guard fields.utcOffset % 60 == 0 else { return rfc3339UTC }
    var text = ""
    if fields.year < 0 || fields.year > 9_999 { text += fields.year < 0 ? "-" : "+" }
    text += padded(fields.year.magnitude, 4)
    text += "-\(padded(fields.month))-\(padded(fields.day))T"
    text += "\(padded(fields.hour)):\(padded(fields.minute)):"
    text += padded(fields.second)
    if nanoseconds != 0 {
      var fraction = nanoseconds
      var digits = 9
      while fraction % 1_000 == 0 {
        fraction /= 1_000
        digits -= 3
      }
      text += ".\(padded(fraction, digits))"
    }
    guard fields.utcOffset != 0 else { return text + "Z" }
    let minutes = fields.utcOffset.magnitude / 60
    return text + (fields.utcOffset < 0 ? "-" : "+") + "\(padded(minutes / 60)):\(padded(minutes % 60))"
  }
}

/// A number of at least 0 with leading zeros.
package func padded(_ number: some BinaryInteger, _ width: Int = 2) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(width - digits.count, 0)) + digits
}

struct DigitReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, UInt32(bytes[position]) == character.value else { return false }
    position += 1
    return true
  }

  mutating func digit() -> Int? {
    guard position < bytes.count, (0x30...0x39).contains(bytes[position]) else { return nil }
    position += 1
    return Int(bytes[position - 1]) - 0x30
  }

  /// Exactly `count` digits.
  mutating func number(_ count: Int) -> Int? {
    var value = 0
    for _ in 0..<count {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// One or more digits, as nanoseconds.
  mutating func fraction() -> Int32? {
    var value: Int32 = 0
    var unit: Int32 = 100_000_000
    var count = 0
    while let digit = digit() {
      value += Int32(digit) * unit
      unit /= 10
      count += 1
    }
    return count > 0 ? value : nil
  }

  /// `Z` or `±HH:MM`, in seconds east of UTC.
  mutating func offset() -> Int? {
    if take("Z") || take("z") { return 0 }
    let isWest = take("-")
    guard isWest || take("+"), let hours = number(2), hours < 24, take(":"),
      let minutes = number(2), minutes < 60
    else { return nil }
    let offset = hours * 3_600 + minutes * 60
    return isWest ? -offset : offset
  }
}
