// SPDX-License-Identifier: Apache-2.0

/// A date of the proleptic Gregorian calendar. Conversions are exact for every day that an `Int64` of seconds
/// can express (about ±2.9 · 10¹¹ years).
struct GregorianDate: Hashable {
  var year: Int
  /// 1 … 12.
  var month: Int
  /// 1 … 31.
  var day: Int
}

extension GregorianDate {
  /// Days are counted from 1970-01-01. The computation uses years that begin in March, so that the leap day
  /// is the last day of the year and the lengths of the months follow one linear formula.
  init(daysSinceEpoch: Int) {
    let shifted = daysSinceEpoch + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  var daysSinceEpoch: Int {
    let marchYear = month <= 2 ? year - 1 : year
    let era = floorDivide(marchYear, 400)
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// An instant, or a civil time, as a day and a second of that day. Unlike a number of seconds it does not
/// overflow when a zone's offset is added to the first or the last instant.
struct DayTime: Hashable, Comparable {
  /// Since 1970-01-01.
  var day: Int
  /// 0 … 86 399.
  var second: Int

  /// Accepts any second and carries whole days.
  init(day: Int, second: Int) {
    self.day = day + floorDivide(second, 86_400)
    let rest = second % 86_400
    self.second = rest < 0 ? rest + 86_400 : rest
  }

  init(_ instant: Instant) {
    self.init(day: 0, second: Int(instant.seconds))
  }

  func adding(_ seconds: Int) -> DayTime { DayTime(day: day, second: second + seconds) }

  /// Nil when the instant does not fit an `Int64` of seconds.
  var instant: Instant? {
    let (seconds, overflow) = day.multipliedReportingOverflow(by: 86_400)
    if overflow {
      // The first instant, Int64.min, is at 08:29:52 of its day. The midnight before it is out of range, so
      // count back from the midnight after it.
      guard day < 0 else { return nil }
      let (next, overflow) = (day + 1).multipliedReportingOverflow(by: 86_400)
      let (sum, under) = next.addingReportingOverflow(second - 86_400)
      return overflow || under ? nil : Instant(seconds: Int64(sum))
    }
    let (sum, over) = seconds.addingReportingOverflow(second)
    return over ? nil : Instant(seconds: Int64(sum))
  }

  static func < (a: DayTime, b: DayTime) -> Bool { (a.day, a.second) < (b.day, b.second) }
}

/// Rounds towards −∞; `divisor` is positive.
func floorDivide(_ number: Int, _ divisor: Int) -> Int {
  let quotient = number / divisor
  return number % divisor < 0 ? quotient - 1 : quotient
}
