// SPDX-License-Identifier: Apache-2.0

/// A zone described by a POSIX TZ string: standard time and, optionally, daylight time between two dates of
/// each year. The last line of a TZif file is such a string (RFC 9636 §3.3).
struct POSIXRule: Hashable, Sendable {
  struct Daylight: Hashable, Sendable {
    var type: LocalTimeType
    var start: Date
    var end: Date
  }

  /// A date that recurs every year, and a time in seconds after its midnight. The time may be negative or
  /// exceed a day.
  struct Date: Hashable, Sendable {
    enum Day: Hashable, Sendable {
      /// `Jn`: 1 … 365; 29 February is never counted.
      case julian(Int)
      /// `n`: 0 … 365; 29 February is counted.
      case zeroBased(Int)
      /// `Mm.w.d`: weekday `d` of week `w` (5 is the last) of the month.
      case weekday(month: Int, week: Int, weekday: Int)
    }

    var day: Day
    var second = 7_200

    /// The day on which the date falls in `year`, in days since 1970-01-01.
    func dayNumber(in year: Int) -> Int {
      let newYear = GregorianDate(year: year, month: 1, day: 1).daysSinceEpoch
      switch day {
      case .julian(let n):
        return newYear + n - 1 + (n >= 60 && GregorianDate.isLeap(year) ? 1 : 0)
      case .zeroBased(let n):
        return newYear + n
      case .weekday(let month, let week, let weekday):
        let first = GregorianDate(year: year, month: month, day: 1).daysSinceEpoch
        let firstWeekday = TimeZone.weekday(ofDay: first)
        var offset = (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
        if offset >= GregorianDate.days(inMonth: month, of: year) { offset -= 7 }
        return first + offset
      }
    }
  }

  private struct Change {
    var time: DayTime
    var toDaylight: Bool
  }

  var standard: LocalTimeType
  var daylight: Daylight?

  func type(at time: DayTime) -> LocalTimeType {
    guard let daylight, isDaylight(at: time, daylight) else { return standard }
    return daylight.type
  }

  /// The next change strictly after `time`; nil if the rule has no daylight time, or if daylight time lasts
  /// all year. RFC 9636 §3.3.1 writes the latter as an end that coincides with the next start.
  func nextChange(after time: DayTime) -> DayTime? {
    guard let daylight else { return nil }
    let year = GregorianDate(daysSinceEpoch: time.day).year
    var next: DayTime?
    for year in (year - 1)...(year + 2) {
      for change in changes(in: year, daylight) where change.time > time {
        if let next, next <= change.time { continue }
        let before = isDaylight(at: change.time.adding(-1), daylight)
        if before != isDaylight(at: change.time, daylight) { next = change.time }
      }
    }
    return next
  }

  private func isDaylight(at time: DayTime, _ daylight: Daylight) -> Bool {
    // A change is less than nine days from its date, because of its `second` and the offset, so the
    // neighbouring years suffice.
    let year = GregorianDate(daysSinceEpoch: time.day).year
    var last: Change?
    for year in (year - 1)...(year + 1) {
      for change in changes(in: year, daylight) where change.time <= time {
        if let known = last {
          // If an end coincides with a start, daylight time continues.
          guard change.time > known.time || (change.time == known.time && change.toDaylight) else { continue }
        }
        last = change
      }
    }
    return last?.toDaylight ?? false
  }

  private func changes(in year: Int, _ daylight: Daylight) -> [Change] {
    let start = DayTime(
      day: daylight.start.dayNumber(in: year), second: daylight.start.second - standard.utcOffset)
    let end = DayTime(
      day: daylight.end.dayNumber(in: year), second: daylight.end.second - daylight.type.utcOffset)
    return [Change(time: start, toDaylight: true), Change(time: end, toDaylight: false)]
  }
}
