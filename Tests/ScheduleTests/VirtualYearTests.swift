// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Glibc
import TestSupport
import Testing

@testable import Schedule

/// A controller and its timer, which fires late and reports steps of the clock at once, like the kernel's.
private struct Follower {
  private(set) var controller: ScheduleController
  var now: Instant
  private var random: SplitMix
  /// The updates that changed something, with their times.
  private(set) var updates: [(time: Instant, update: ScheduleController.Update)] = []
  private(set) var wakeups = 0

  init(_ schedule: Schedule, at start: Instant, _ random: SplitMix) {
    controller = ScheduleController(schedule, at: start)
    now = start
    self.random = random
  }

  mutating func wake() {
    wakeups += 1
    let update = controller.update(at: now)
    if !update.properties.isEmpty { updates.append((now, update)) }
  }

  /// Lets time pass until `end`. The timer fires late, by a random number of seconds in `delay`.
  mutating func run(until end: Instant, delay: ClosedRange<Int64> = 0...1) {
    while let wake = controller.wake, wake < end {
      now = max(now, Instant(seconds: wake.seconds + .random(in: delay, using: &random)))
      self.wake()
    }
    now = max(now, end)
  }
}

@Suite(.enabled(if: access("/usr/share/zoneinfo/Australia/Lord_Howe", R_OK) == 0, "needs tzdata"))
struct VirtualYearTests {
  private static let start = Instant(seconds: 1_767_225_600)
  private static let end = Instant(seconds: 1_798_761_600)

  /// The seconds of the year at which the state changes, found by comparing each minute, and in a minute with
  /// a change each second.
  private static func changes(of schedule: Schedule) -> [Instant] {
    var result: [Instant] = []
    var before = schedule.state(at: start)
    var day = schedule.zone.day(of: start)
    while Int64(day) * 86_400 < end.seconds + 2 * 86_400 {
      let occurrences = schedule.occurrences(on: (day - 4)...(day + 5))
      let midnight = schedule.zone.firstInstant(ofDay: day, second: 0).seconds
      let next = schedule.zone.firstInstant(ofDay: day + 1, second: 0).seconds
      for minute in stride(from: midnight + 59, to: next, by: 60)
      where minute > start.seconds && minute < end.seconds {
        let after = schedule.state(at: Instant(seconds: minute), of: occurrences)
        if after.differences(from: before).isEmpty { continue }
        for second in (minute - 59)...minute {
          let state = schedule.state(at: Instant(seconds: second), of: occurrences)
          if !state.differences(from: before).isEmpty { result.append(Instant(seconds: second)) }
          before = state
        }
      }
      day += 1
    }
    return result
  }

  private static func bedroom(_ place: (zone: String, latitude: Double, longitude: Double)) throws -> Schedule
  {
    Schedule(
      [
        try Schedule.Entry("evening", "sunset+30m", "22:30", values: .init(brightness: 60)),
        try Schedule.Entry("night", "22:30", "06:30", values: .init(brightness: 5, page: "clock")),
        try Schedule.Entry("dark", "01:30", "02:45", "mon-fri", values: .init(light: .off)),
        try Schedule.Entry("weekend", "09:00", "sunset-1h", "sat-sun", values: .init(page: "match")),
      ], zone: try TimeZone(named: place.zone),
      place: Coordinates(latitude: place.latitude, longitude: place.longitude))
  }

  @Test("In a year every switch happens once and on time", arguments: [0, 1, 2, 4])
  func everySwitchOnce(_ number: Int) throws {
    let schedule = try Self.bedroom(World.places[number])
    var follower = Follower(schedule, at: Self.start, SplitMix(seed: UInt64(number)))
    follower.run(until: Self.end)
    let expected = Self.changes(of: schedule)
    #expect(expected.count > 1_200)
    #expect(follower.updates.count == expected.count)
    for (seen, wanted) in zip(follower.updates, expected) {
      #expect(
        (0...1).contains(seen.time.seconds - wanted.seconds), "\(seen.time.rfc3339UTC) \(wanted.rfc3339UTC)")
      #expect(seen.update.isOnTime)
    }
    // Only switches wake it.
    #expect(follower.wakeups <= expected.count * 11 / 10)
  }

  @Test(
    "After steps of the clock, suspends and late timers the state is that of the moment", arguments: 0..<11)
  func disturbed(_ number: Int) throws {
    var random = SplitMix(seed: UInt64(number) + 100)
    var schedule = try World.schedule(World.places[number], using: &random)
    var follower = Follower(schedule, at: Self.start, SplitMix(seed: UInt64(number)))
    var steps = 0
    while follower.now < Self.end {
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        // The clock is set, back or forward, also to the moment of a switch.
        let before = follower.now
        let jump = Int64.random(in: -200_000...200_000, using: &random)
        let target = follower.now.seconds + jump
        let exact = schedule.nextSwitch(after: Instant(seconds: target))?.time.seconds ?? target
        follower.now = Instant(seconds: Bool.random(using: &random) ? target : exact)
        let count = follower.updates.count
        follower.wake()
        if follower.now < before, follower.updates.count > count {
          #expect(follower.updates.last?.update.isOnTime == false)
        }
      case 1:
        // The machine sleeps; the timer fires when it wakes.
        follower.now = Instant(seconds: follower.now.seconds + .random(in: 1...3_000_000, using: &random))
        follower.wake()
      case 2:
        follower.run(
          until: Instant(seconds: follower.now.seconds + .random(in: 0...300_000, using: &random)),
          delay: 0...3_000)
        follower.wake()
      case 3:
        // The config or the zone changes.
        schedule = try World.schedule(World.places[.random(in: 0..<11, using: &random)], using: &random)
        let before = follower.controller.state
        var other = follower.controller
        let update = other.replace(schedule, at: follower.now)
        #expect(!update.isOnTime)
        #expect(update.properties == schedule.state(at: follower.now).differences(from: before))
        follower = Follower(schedule, at: follower.now, random)
      default:
        follower.run(until: Instant(seconds: follower.now.seconds + .random(in: 0...600_000, using: &random)))
      }
      steps += 1
      let truth = schedule.state(at: follower.now)
      #expect(
        follower.controller.state.differences(from: truth).isEmpty, "\(follower.now.rfc3339UTC) \(schedule)")
      #expect(follower.controller.wake.map { $0 > follower.now } ?? true)
    }
    #expect(steps > 20)
  }

  @Test("A change by command lasts until the schedule changes the same property, or for the given time")
  func holds() throws {
    let schedule = try Self.bedroom(World.places[0])
    // 15:00 in Berlin, on a Wednesday in summer.
    let now = try instant("2026-07-15T13:00:00Z")
    let controller = ScheduleController(schedule, at: now)
    let page = controller.hold(.page, milliseconds: nil, at: now)
    let switches = try (page: instant("2026-07-15T20:30:00Z"), light: instant("2026-07-15T23:30:00Z"))
    #expect(page == ManualHold(until: switches.page, isTimed: false))
    let light = controller.hold(.light, milliseconds: nil, at: now)
    #expect(light.until == switches.light)
    #expect(controller.hold(.theme, milliseconds: nil, at: now).until == nil)
    let timed = controller.hold(.theme, milliseconds: 7_200_500, at: now)
    #expect(
      timed
        == ManualHold(until: Instant(seconds: now.seconds + 7_200, nanoseconds: 500_000_000), isTimed: true))
    #expect(!page.isOver(at: Instant(seconds: (page.until?.seconds ?? 0) - 1)))
    #expect(page.isOver(at: try #require(page.until)))
    #expect(!ManualHold(until: nil, isTimed: false).isOver(at: Instant(seconds: .max)))
  }
}
