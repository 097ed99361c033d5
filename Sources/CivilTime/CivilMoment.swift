// SPDX-License-Identifier: Apache-2.0

/// A date and a time of day, optionally with an offset from UTC.
package struct CivilMoment: Hashable, Sendable {
  /// The date and the time of day taken as UTC, in seconds since 1970-01-01.
  private let utc: Int64
  /// Seconds east of UTC; nil: the offset is that of a zone.
  package let offset: Int?

  /// Reads `2026-12-31`, `2026-12-31T18:00` or `2026-12-31T18:00:00`. A space may replace the `T`, and a time
  /// may be followed by `Z` or an offset such as `+01:00`; `t` and `z` are accepted too. Years are 1 to 9999.
  /// Nil for anything else, and for dates that do not exist, such as 30 February.
  package init?(_ text: String) {
    var reader = DigitReader(Array(text.utf8))
    guard let year = reader.number(4), year > 0, reader.take("-"),
      let month = reader.number(2), (1...12).contains(month), reader.take("-"),
      let day = reader.number(2), (1...GregorianDate.days(inMonth: month, of: year)).contains(day)
    else { return nil }
    var second = 0
    var offset: Int?
    if !reader.isAtEnd {
      guard reader.take("T") || reader.take("t") || reader.take(" "), let hour = reader.number(2), hour < 24,
        reader.take(":"), let minute = reader.number(2), minute < 60
      else { return nil }
      second = hour * 3_600 + minute * 60
      if reader.take(":") {
        guard let rest = reader.number(2), rest < 60 else { return nil }
        second += rest
      }
      if !reader.isAtEnd {
        guard let east = reader.offset(), reader.isAtEnd else { return nil }
        offset = east
      }
    }
    self.offset = offset
    utc = Int64(GregorianDate(year: year, month: month, day: day).daysSinceEpoch * 86_400 + second)
  }

  /// The instant of this date and time. `zone` is ignored if there is an `offset`.
  ///
  /// If the zone skips the time of day because its clocks go forward by an hour, the result is an hour later.
  /// If the time of day occurs twice, the result is the first.
  package func instant(in zone: TimeZone) -> Instant {
    if let offset { return Instant(seconds: utc - Int64(offset)) }
    let offsets = [-86_400, 0, 86_400].map { Int64(zone.civil(Instant(seconds: utc + $0)).utcOffset) }
    let candidates = Set(offsets).map { Instant(seconds: utc - $0) }.sorted()
    let exact = candidates.first { Int64(zone.civil($0).utcOffset) == utc - $0.seconds }
    return exact ?? candidates.last ?? Instant(seconds: utc)
  }
}
