// SPDX-License-Identifier: Apache-2.0

/// Days of a zone's calendar as numbers, counted from 1970-01-01.
extension TimeZone {
  /// The day that a calendar in the zone shows at `instant`.
  package func day(of instant: Instant) -> Int {
    DayTime(instant).adding(type(at: instant).utcOffset).day
  }

  /// The weekday of a day; 0 is Sunday.
  package static func weekday(ofDay day: Int) -> Int { day + 4 - 7 * floorDivide(day + 4, 7) }

  /// The same as `DayInstants.first(ofDay:second:)`, for a single day.
  package func firstInstant(ofDay day: Int, second: Int) -> Instant {
    DayInstants(of: self, on: day...day).first(ofDay: day, second: second)
  }

  /// The next instant after `instant` at which the zone's clocks show a time of day, or skip it because they
  /// go forward. A time that they show twice has two instants.
  ///
  /// - Parameter second: seconds after midnight, 0 … 86 399.
  package func next(second: Int, after instant: Instant) -> Instant {
    let today = day(of: instant)
    let offsets = Set(
      [-86_400, 0, 86_400, 172_800].map { type(at: Instant(seconds: instant.seconds + $0)).utcOffset })
    // A zone that changes to the other side of the date line skips a whole day.
    let days = today...(today + 2)
    let instants = DayInstants(of: self, on: days)
    let candidates = days.flatMap { day in
      [instants.first(ofDay: day, second: second)]
        + offsets.map { Instant(seconds: Int64(day * 86_400 + second - $0)) }.filter {
          let shown = DayTime($0).adding(type(at: $0).utcOffset)
          return (shown.day, shown.second) == (day, second)
        }
    }
    return candidates.filter { $0 > instant }.min() ?? instant
  }
}

/// Converts times of day in a zone to instants, for a range of days. Looks up the changes of the zone's
/// offset once.
package struct DayInstants: Sendable {
  /// The first instant of each offset from UTC, and the offset, in seconds.
  private var offsets: [(start: Int64, offset: Int64)]

  /// - Parameter days: days since 1970-01-01, within 2⁴⁰ seconds of it.
  package init(of zone: TimeZone, on days: ClosedRange<Int>) {
    // Offsets are less than 26 hours and times at most 24 hours, so four days suffice.
    var now = Instant(seconds: Int64(days.lowerBound) * 86_400 - 4 * 86_400)
    let end = Instant(seconds: Int64(days.upperBound) * 86_400 + 4 * 86_400)
    offsets = [(now.seconds, Int64(zone.type(at: now).utcOffset))]
    while let change = zone.nextTransition(after: now), change < end {
      offsets.append((change.seconds, Int64(zone.type(at: change).utcOffset)))
      now = change
    }
  }

  /// The first instant at which the zone's clocks show the time of day `second` of `day`, or a later time.
  ///
  /// For a time that the clocks skip because they go forward, the result is the instant of the change. For a
  /// time that they show twice, it is the first instant. A later time of day never has an earlier instant.
  ///
  /// - Parameters:
  ///   - day: one of the days of `init`.
  ///   - second: seconds after midnight, 0 … 86 400.
  package func first(ofDay day: Int, second: Int) -> Instant {
    let local = Int64(day * 86_400 + second)
    var found = local
    for (index, segment) in offsets.enumerated() {
      found = max(segment.start, local - segment.offset)
      if index + 1 == offsets.count || found < offsets[index + 1].start { break }
    }
    return Instant(seconds: found)
  }
}
