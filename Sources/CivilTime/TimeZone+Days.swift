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
