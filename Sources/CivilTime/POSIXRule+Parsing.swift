// SPDX-License-Identifier: Apache-2.0

extension POSIXRule {
  /// Reads `std offset [dst [offset] [,start[/time],end[/time]]]` (POSIX.1-2024 §8.3, with RFC 9636's hours
  /// of −167 … 167 for the times). Without dates, uses the rule of the United States, as glibc does.
  init(parsing bytes: ArraySlice<UInt8>) throws(TimeZoneError) {
    var reader = RuleReader(rest: bytes)
    let name = try reader.abbreviation()
    let offset = try reader.offset()
    standard = LocalTimeType(utcOffset: offset, isDST: false, abbreviation: name)
    guard !reader.isAtEnd else { return }

    let daylightName = try reader.abbreviation()
    var daylightOffset = offset + 3_600
    if let next = reader.next, next != UInt8(ascii: ",") { daylightOffset = try reader.offset() }
    guard LocalTimeType.offsets.contains(daylightOffset) else {
      throw reader.malformed("offset out of range")
    }
    var start = Date(day: .weekday(month: 3, week: 2, weekday: 0))
    var end = Date(day: .weekday(month: 11, week: 1, weekday: 0))
    if !reader.isAtEnd {
      try reader.expect(",")
      start = try reader.date()
      try reader.expect(",")
      end = try reader.date()
    }
    guard reader.isAtEnd else { throw reader.malformed("unexpected text after the rule") }
    let type = LocalTimeType(utcOffset: daylightOffset, isDST: true, abbreviation: daylightName)
    daylight = Daylight(type: type, start: start, end: end)
  }
}

private struct RuleReader {
  var rest: ArraySlice<UInt8>

  var isAtEnd: Bool { rest.isEmpty }
  var next: UInt8? { rest.first }

  func malformed(_ what: String) -> TimeZoneError {
    .malformed("POSIX rule: \(what) at '\(String(decoding: rest.prefix(32), as: UTF8.self))'")
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let next, UInt32(next) == character.value else { return false }
    rest.removeFirst()
    return true
  }

  mutating func expect(_ character: Unicode.Scalar) throws(TimeZoneError) {
    guard take(character) else { throw malformed("expected '\(character)'") }
  }

  /// Reads 3 to 31 letters or, between `<` and `>`, 3 to 31 letters, digits and signs (`+`, `-`).
  mutating func abbreviation() throws(TimeZoneError) -> String {
    let isQuoted = take("<")
    let name = rest.prefix { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"): isQuoted
      default: false
      }
    }
    guard name.count >= 3, name.count <= 31 else { throw malformed("expected a name of 3 to 31 letters") }
    rest = rest.dropFirst(name.count)
    if isQuoted { try expect(">") }
    return String(decoding: name, as: UTF8.self)
  }

  mutating func number(in range: ClosedRange<Int>) throws(TimeZoneError) -> Int {
    var value = 0
    var count = 0
    while let next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next), count < 4 {
      value = value * 10 + Int(next) - 0x30
      count += 1
      rest.removeFirst()
    }
    guard count > 0, range.contains(value) else {
      throw malformed("expected a number in \(range.lowerBound)…\(range.upperBound)")
    }
    return value
  }

  /// `[+|-]h[h[h]][:mm[:ss]]` in seconds.
  mutating func time(maximumHours: Int) throws(TimeZoneError) -> Int {
    let isNegative = take("-")
    if !isNegative { _ = take("+") }
    var seconds = try number(in: 0...maximumHours) * 3_600
    if take(":") {
      seconds += try number(in: 0...59) * 60
      if take(":") { seconds += try number(in: 0...59) }
    }
    return isNegative ? -seconds : seconds
  }

  /// Seconds east of UTC; the text counts westwards.
  mutating func offset() throws(TimeZoneError) -> Int {
    -(try time(maximumHours: 24))
  }

  mutating func date() throws(TimeZoneError) -> POSIXRule.Date {
    var date: POSIXRule.Date
    if take("J") {
      date = POSIXRule.Date(day: .julian(try number(in: 1...365)))
    } else if take("M") {
      let month = try number(in: 1...12)
      try expect(".")
      let week = try number(in: 1...5)
      try expect(".")
      date = POSIXRule.Date(day: .weekday(month: month, week: week, weekday: try number(in: 0...6)))
    } else {
      date = POSIXRule.Date(day: .zeroBased(try number(in: 0...365)))
    }
    if take("/") { date.second = try time(maximumHours: 167) }
    return date
  }
}
