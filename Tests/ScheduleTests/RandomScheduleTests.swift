// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Glibc
import TestSupport
import Testing

@testable import Schedule

/// Compares schedules with a clock that is watched minute by minute.
@Suite(.enabled(if: access("/usr/share/zoneinfo/Australia/Lord_Howe", R_OK) == 0, "needs tzdata"))
struct RandomScheduleTests {
  /// Watches the clocks, and derives from the times that they have shown when an entry begins and ends.
  private struct Watcher {
    let schedule: Schedule
    /// The latest time shown, in minutes since 1970 by the clocks.
    private var latest = Int.min
    /// For each entry: when it began on which day, and the days whose occurrence has ended.
    private var begun: [[Int: Instant]]
    private var ended: [Set<Int>]
    private var suns: [Int: SolarDay] = [:]

    init(_ schedule: Schedule) {
      self.schedule = schedule
      begun = schedule.entries.map { _ in [:] }
      ended = schedule.entries.map { _ in [] }
    }

    private mutating func hasCome(_ moment: DayMoment, _ day: Int, _ now: Instant) -> Bool {
      switch moment {
      case .clock(let minutes): return day * 1_440 + minutes <= latest
      case .sun(let event, let minutes):
        let sun =
          suns[day]
          ?? {
            // Noon by the clocks exists and is unique in all of the zones.
            var noon = Instant(seconds: Int64(day) * 86_400 + 43_200)
            for _ in 0..<3 {
              noon = Instant(
                seconds: Int64(day) * 86_400 + 43_200 - Int64(schedule.zone.civil(noon).utcOffset))
            }
            return SolarDay(nearest: noon, at: schedule.place ?? Coordinates(latitude: 0, longitude: 0))
          }()
        suns[day] = sun
        let time: Instant
        switch (event, event == .sunrise ? sun.sunrise : sun.sunset) {
        case (_, .at(let instant)): time = instant
        case (_, .staysDown): time = sun.noon
        case (.sunrise, .staysUp): time = sun.midnightBefore
        case (.sunset, .staysUp): time = sun.midnightAfter
        }
        return time.seconds + Int64(minutes) * 60 <= now.seconds
      }
    }

    /// The entries in effect at `now`, each with the time at which the watcher first saw it in effect.
    mutating func look(at now: Instant) -> [Int: Instant] {
      let civil = schedule.zone.civil(now)
      let local = now.seconds + Int64(civil.utcOffset)
      latest = max(latest, Int((Double(local) / 60).rounded(.down)))
      let today = Int((Double(local) / 86_400).rounded(.down))
      var result: [Int: Instant] = [:]
      for (index, entry) in schedule.entries.enumerated() {
        for day in (today - 4)...(today + 3) {
          let isAllowed = entry.days.contains(Weekdays(TimeZone.weekday(ofDay: day)))
          guard isAllowed, !ended[index].contains(day) else { continue }
          if hasCome(entry.to, day + (entry.endsNextDay ? 1 : 0), now) {
            ended[index].insert(day)
          } else if hasCome(entry.from, day, now) {
            let since = begun[index][day] ?? now
            begun[index][day] = since
            result[index] = max(result[index] ?? since, since)
          }
        }
      }
      return result
    }
  }

  @Test(
    "The state is what a watcher of the clocks sees each minute, and it changes only at switches",
    arguments: 0..<11)
  func minutes(_ number: Int) throws {
    let place = World.places[number]
    let zone = try TimeZone(named: place.zone)
    // The changes of the clocks in a year, midsummer, midwinter and the new year.
    var middles = [1_782_000_000, 1_797_800_000, 1_798_761_600].map { Instant(seconds: $0) }
    var now = Instant(seconds: 1_767_225_600)
    while let change = zone.nextTransition(after: now), change.seconds < 1_798_761_600 {
      middles.append(change)
      now = change
    }
    var random = SplitMix(seed: UInt64(number) + 14)
    var changes = 0
    for middle in middles {
      for _ in 0..<TestEffort.rounds(2, long: 40) {
        let schedule = try World.schedule(place, using: &random)
        changes += try compare(schedule, around: middle)
      }
    }
    #expect(changes > 20)
  }

  /// Returns the number of changes.
  private func compare(_ schedule: Schedule, around middle: Instant) throws -> Int {
    var watcher = Watcher(schedule)
    var changes = 0
    var before: Schedule.State?
    var next: Schedule.Switch?
    var seenBefore: [Int: Instant] = [:]
    let first = (middle.seconds / 60 - 8 * 1_440) * 60
    for minute in 0..<Int64(11 * 1_440) {
      let now = Instant(seconds: first + minute * 60)
      let seen = watcher.look(at: now)
      // The watcher does not know when an entry began that was in effect at its start.
      guard minute > 6 * 1_440 else { continue }
      defer { seenBefore = seen }
      // Computing the schedule's state takes long, so it is done when the watcher has seen a change, and
      // sometimes.
      guard seen != seenBefore || minute % 53 == 0 || next.map({ $0.time <= now }) ?? false else { continue }
      let state = schedule.state(at: now)
      #expect(
        state.entries == seen.keys.sorted().map { schedule.entries[$0].name }, "\(now.rfc3339UTC) \(schedule)"
      )
      let ordered = seen.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map { schedule.entries[$0.key] }
      // Two entries that begin in the same minute may begin at different seconds.
      if Set(seen.values).count == seen.count {
        #expect(state.brightness?.value == ordered.last { $0.values.brightness != nil }?.values.brightness)
        #expect(state.page?.value == ordered.last { $0.values.page != nil }?.values.page)
        #expect(state.light?.value == ordered.last { $0.values.light != nil }?.values.light)
        #expect(state.theme?.value == ordered.last { $0.values.theme != nil }?.values.theme)
      }
      var isNew = true
      if let before {
        let passed = next.map { $0.time <= now } ?? false
        let differs = before.entries != state.entries || !state.differences(from: before).isEmpty
        #expect(!differs || passed, "an unannounced change before \(now.rfc3339UTC)")
        if passed { next = schedule.nextSwitch(after: now) }
        if passed { changes += 1 }
        isNew = passed
      } else {
        next = schedule.nextSwitch(after: now)
      }
      if isNew, let next {
        #expect(next.time > now)
        let last = schedule.state(at: Instant(seconds: next.time.seconds - 1))
        let new = schedule.state(at: next.time)
        #expect(new.differences(from: last) == next.properties)
        #expect(!next.properties.isEmpty || last.entries != new.entries)
      }
      before = state
    }
    return changes
  }
}
