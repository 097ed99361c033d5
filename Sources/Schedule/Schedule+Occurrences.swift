// SPDX-License-Identifier: Apache-2.0

import CivilTime

extension Schedule {
  /// One time that an entry is in effect: from `start` until just before `end`.
  struct Occurrence: Hashable {
    /// The entry's index.
    var entry: Int
    var start: Instant
    var end: Instant
  }

  /// The occurrences of all entries that begin on these days, without those that would not end after they
  /// begin.
  func occurrences(on days: ClosedRange<Int>) -> [Occurrence] {
    var times = MomentTimes(self, on: days)
    var result: [Occurrence] = []
    for (index, entry) in entries.enumerated() where !entry.needsSun || place != nil {
      for day in days where entry.days.contains(Weekdays(TimeZone.weekday(ofDay: day))) {
        guard let start = times.instant(of: entry.from, on: day),
          let end = times.instant(of: entry.to, on: day + (entry.endsNextDay ? 1 : 0)), start < end
        else { continue }
        result.append(Occurrence(entry: index, start: start, end: end))
      }
    }
    return result
  }
}

extension Schedule.Entry {
  /// Whether the end belongs to the day after that of the beginning.
  ///
  /// From sunset to sunrise it does, and from sunrise to sunset it does not. If both are times of day, or
  /// both the same event of the sun, it does unless the end is later than the beginning. If only one is a
  /// time of the sun, sunrise counts as 06:00 and sunset as 18:00, and the end belongs to the next day if it
  /// is three hours or more before the beginning. So an entry from 06:30 to sunrise ends on the same day, and
  /// has no effect on days on which the sun rises before 06:30.
  var endsNextDay: Bool {
    switch (from, to) {
    case (.clock(let from), .clock(let to)): return to <= from
    case (.sun(.sunset, _), .sun(.sunrise, _)): return true
    case (.sun(.sunrise, _), .sun(.sunset, _)): return false
    case (.sun(_, let from), .sun(_, let to)): return to <= from
    default: return to.nominal - from.nominal <= -180
    }
  }
}

extension DayMoment {
  /// Minutes after midnight, with the sun rising at 06:00 and setting at 18:00.
  fileprivate var nominal: Int {
    switch self {
    case .clock(let minutes): minutes
    case .sun(.sunrise, let minutes): 360 + minutes
    case .sun(.sunset, let minutes): 1_080 + minutes
    }
  }
}

/// Converts times of a schedule to instants. Computes the sun of each day once.
private struct MomentTimes {
  private let instants: DayInstants
  private let place: Coordinates?
  private var days: [Int: SolarDay] = [:]

  /// - Parameter days: the days on which entries begin; they end there or on the day after.
  init(_ schedule: Schedule, on days: ClosedRange<Int>) {
    instants = DayInstants(of: schedule.zone, on: days.lowerBound...(days.upperBound + 1))
    place = schedule.place
  }

  /// The instant on a day of the zone's calendar; nil for a time of the sun without a place.
  ///
  /// On a day on which the sun does not set, sunset is the sun's midnight after its noon, and sunrise the one
  /// before. On a day on which it does not rise, both are its noon. So an entry from sunset to sunrise has no
  /// effect in the polar day, and is in effect all the time in the polar night.
  mutating func instant(of moment: DayMoment, on day: Int) -> Instant? {
    switch moment {
    case .clock(let minutes): return instants.first(ofDay: day, second: minutes * 60)
    case .sun(let event, let minutes):
      guard let sun = sun(on: day) else { return nil }
      let instant =
        switch event {
        case .sunrise: Self.instant(sun.sunrise, up: sun.midnightBefore, down: sun.noon)
        case .sunset: Self.instant(sun.sunset, up: sun.midnightAfter, down: sun.noon)
        }
      return Instant(seconds: instant.seconds + Int64(minutes) * 60)
    }
  }

  private static func instant(_ event: SolarDay.Event, up: Instant, down: Instant) -> Instant {
    switch event {
    case .at(let instant): instant
    case .staysUp: up
    case .staysDown: down
    }
  }

  /// The sun of the day whose noon is nearest to noon by the clocks.
  private mutating func sun(on day: Int) -> SolarDay? {
    guard let place else { return nil }
    if let known = days[day] { return known }
    let sun = SolarDay(nearest: instants.first(ofDay: day, second: 43_200), at: place)
    days[day] = sun
    return sun
  }
}
