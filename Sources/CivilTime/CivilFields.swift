// SPDX-License-Identifier: Apache-2.0

/// The date and time that a clock and a calendar in one zone show at an instant.
package struct CivilFields: Hashable, Sendable {
  /// Proleptic Gregorian; the year 0 is 1 BC.
  package var year: Int
  /// 1 … 12.
  package var month: Int
  /// 1 … 31.
  package var day: Int
  /// 0 … 23.
  package var hour = 0
  /// 0 … 59.
  package var minute = 0
  /// 0 … 59.
  package var second = 0
  /// 0 is Sunday.
  package var weekday: Int
  /// Seconds east of UTC.
  package var utcOffset = 0
  package var isDST = false
  /// The zone's short name at this instant, e.g. `CEST`.
  package var abbreviation = "UTC"
}

extension CivilFields {
  init(_ instant: Instant, in type: LocalTimeType) {
    let local = DayTime(instant).adding(type.utcOffset)
    let date = GregorianDate(daysSinceEpoch: local.day)
    self.init(
      year: date.year, month: date.month, day: date.day, hour: local.second / 3_600,
      minute: local.second / 60 % 60, second: local.second % 60,
      weekday: TimeZone.weekday(ofDay: local.day),
      utcOffset: type.utcOffset, isDST: type.isDST, abbreviation: type.abbreviation)
  }
}

/// An offset from UTC with its daylight flag and short name (RFC 9636's local time type).
struct LocalTimeType: Hashable, Sendable {
  /// Accepted offsets from UTC, seconds: less than 26 hours either way, the larger limit of RFC 9636 §3.2.
  static let offsets = -93_599...93_599

  var utcOffset: Int
  var isDST: Bool
  var abbreviation: String
}
