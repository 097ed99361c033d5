// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Glibc
import Raster
import Scoreboard
import Settings
import TestSupport
import Testing
import Typography
import Widgets

@testable import Daemon

/// A stage that is kept up to date by a `WallClock` on a simulated clock, like the daemon's.
private final class ShownTime {
  let clock: SimulatedClock
  private let configuration: Configuration
  private let zones: (String) -> TimeZone
  private let stage: Stage
  private var wallClock: WallClock?
  private var shown: Instant
  /// Called in the middle of each wakeup, after the time was read.
  var interruption: () -> Void = {}

  init(_ widgets: [any WidgetContent], at start: Instant, seed: UInt64) {
    var configuration = Configuration()
    configuration.theme.symbolFont = FontLibrary.builtInName
    configuration.theme.labelFont = FontLibrary.builtInName
    configuration.widgets = widgets.enumerated().map {
      WidgetSettings(name: "w\($0)", weight: 1, content: $1)
    }
    configuration.layout.rows = configuration.widgets.map { [$0.name] }
    self.configuration = configuration
    var known: [String: TimeZone] = [:]
    zones = { name in
      if known[name] == nil { known[name] = (try? TimeZone(named: name)) ?? .utc }
      return known[name] ?? .utc
    }
    clock = SimulatedClock(start, seed: seed)
    shown = start
    let stage = Stage(
      configuration, size: PixelSize(width: 640, height: 480), fonts: FontLibrary { _ in }, zones: zones,
      model: Self.model(start), time: 0)
    self.stage = stage
    let wallClock = WallClock(
      clock, now: { [clock] in clock.now }, sceneTime: { [clock] in Double(clock.elapsed) / 1e9 })
    wallClock.next = { stage.nextChange(after: $0) }
    wallClock.tick = { [weak self] instant, time in self?.show(instant, at: time) }
    self.wallClock = wallClock
    wallClock.arm(after: start)
  }

  private static func model(_ instant: Instant) -> StageModel {
    StageModel(instant: instant, scoreboard: Scoreboard(teams: []))
  }

  private func show(_ instant: Instant, at time: Double) {
    shown = instant
    interruption()
    stage.scene.advance(to: max(time, stage.scene.time))
    stage.update(Self.model(instant), at: time, animated: false)
  }

  /// Shows the current time, like a command does, and arms the timer.
  func showNow() {
    show(clock.now, at: Double(clock.elapsed) / 1e9)
    wallClock?.arm(after: shown)
  }

  /// What is on the display.
  var text: String { stage.texts.map(\.text).joined(separator: " ") }

  /// What should be on the display.
  var truth: String {
    configuration.texts(of: Self.model(clock.now), zones: zones).map(\.text).joined(separator: " ")
  }
}

/// The shown time is right at most 100 ms after every event: the beginning of a minute or day, a change of
/// the zone's offset, a step of the clock.
@Suite(.enabled(if: access("/usr/share/zoneinfo/Pacific/Apia", R_OK) == 0, "needs tzdata"))
struct WallClockTests {
  private static let tolerance: Int64 = 100_000_000
  private static let second: Int64 = 1_000_000_000

  private static func clock(_ zone: String, seconds: Bool = false) -> FlipClockSettings {
    var settings = FlipClockSettings()
    settings.zone = zone
    settings.seconds = seconds
    return settings
  }

  private static func date(_ zone: String) throws -> DateSettings {
    var settings = DateSettings()
    settings.format = .pattern(try DatePattern("EEE d MMM yyyy"))
    settings.zone = zone
    return settings
  }

  /// Moments at which the minute and perhaps more changes, and what is shown before and after. The table was
  /// generated with Python's `zoneinfo`.
  static let events: [(zone: String, instant: String, before: String, after: String)] = [
    // Daylight saving time begins and ends, and the first midnight after that.
    ("Europe/Berlin", "2026-03-29T01:00:00Z", "01:59 SUN 29 MAR 2026", "03:00 SUN 29 MAR 2026"),
    ("Europe/Berlin", "2026-03-29T22:00:00Z", "23:59 SUN 29 MAR 2026", "00:00 MON 30 MAR 2026"),
    ("Europe/Berlin", "2026-10-25T01:00:00Z", "02:59 SUN 25 OCT 2026", "02:00 SUN 25 OCT 2026"),
    ("Europe/Berlin", "2026-10-25T23:00:00Z", "23:59 SUN 25 OCT 2026", "00:00 MON 26 OCT 2026"),
    ("America/New_York", "2026-03-08T07:00:00Z", "01:59 SUN 8 MAR 2026", "03:00 SUN 8 MAR 2026"),
    ("America/New_York", "2026-11-01T06:00:00Z", "01:59 SUN 1 NOV 2026", "01:00 SUN 1 NOV 2026"),
    ("Australia/Adelaide", "2026-10-03T16:30:00Z", "01:59 SUN 4 OCT 2026", "03:00 SUN 4 OCT 2026"),
    // Daylight saving time of half an hour.
    ("Australia/Lord_Howe", "2026-04-04T15:00:00Z", "01:59 SUN 5 APR 2026", "01:30 SUN 5 APR 2026"),
    ("Australia/Lord_Howe", "2026-10-03T15:30:00Z", "01:59 SUN 4 OCT 2026", "02:30 SUN 4 OCT 2026"),
    ("Australia/Lord_Howe", "2026-10-04T13:00:00Z", "23:59 SUN 4 OCT 2026", "00:00 MON 5 OCT 2026"),
    // Changes of the offset at midnight: an hour before or after midnight is repeated or skipped.
    ("America/Sao_Paulo", "2018-02-18T02:00:00Z", "23:59 SAT 17 FEB 2018", "23:00 SAT 17 FEB 2018"),
    ("America/Sao_Paulo", "2018-02-18T03:00:00Z", "23:59 SAT 17 FEB 2018", "00:00 SUN 18 FEB 2018"),
    ("America/Sao_Paulo", "2018-11-04T03:00:00Z", "23:59 SAT 3 NOV 2018", "01:00 SUN 4 NOV 2018"),
    ("America/Nuuk", "2026-03-29T01:00:00Z", "22:59 SAT 28 MAR 2026", "00:00 SUN 29 MAR 2026"),
    // Zones with negative daylight saving time: in winter in Dublin, during Ramadan in Casablanca.
    ("Europe/Dublin", "2026-03-29T01:00:00Z", "00:59 SUN 29 MAR 2026", "02:00 SUN 29 MAR 2026"),
    ("Europe/Dublin", "2026-10-25T01:00:00Z", "01:59 SUN 25 OCT 2026", "01:00 SUN 25 OCT 2026"),
    ("Africa/Casablanca", "2024-03-10T02:00:00Z", "02:59 SUN 10 MAR 2024", "02:00 SUN 10 MAR 2024"),
    ("Africa/Casablanca", "2024-04-14T02:00:00Z", "01:59 SUN 14 APR 2024", "03:00 SUN 14 APR 2024"),
    // Offsets that are not whole hours.
    ("Asia/Kathmandu", "2026-01-01T18:15:00Z", "23:59 THU 1 JAN 2026", "00:00 FRI 2 JAN 2026"),
    ("Asia/Kolkata", "2026-06-30T18:30:00Z", "23:59 TUE 30 JUN 2026", "00:00 WED 1 JUL 2026"),
    // A day was skipped.
    ("Pacific/Apia", "2011-12-30T10:00:00Z", "23:59 THU 29 DEC 2011", "00:00 SAT 31 DEC 2011"),
    ("Pacific/Kwajalein", "1993-08-21T12:00:00Z", "23:59 FRI 20 AUG 1993", "00:00 SUN 22 AUG 1993"),
    ("Pacific/Kiritimati", "1994-12-31T10:00:00Z", "23:59 FRI 30 DEC 1994", "00:00 SUN 1 JAN 1995"),
    // The last minute of 32-bit time, and the rules of daylight saving time around it.
    ("UTC", "2038-01-19T03:14:00Z", "03:13 TUE 19 JAN 2038", "03:14 TUE 19 JAN 2038"),
    ("UTC", "2038-01-19T03:15:00Z", "03:14 TUE 19 JAN 2038", "03:15 TUE 19 JAN 2038"),
    ("Europe/Berlin", "2037-10-25T01:00:00Z", "02:59 SUN 25 OCT 2037", "02:00 SUN 25 OCT 2037"),
    ("Europe/Berlin", "2038-03-28T01:00:00Z", "01:59 SUN 28 MAR 2038", "03:00 SUN 28 MAR 2038"),
    ("Australia/Sydney", "2040-10-06T16:00:00Z", "01:59 SUN 7 OCT 2040", "03:00 SUN 7 OCT 2040"),
    // Leap days, and a year without one.
    ("UTC", "2000-02-29T00:00:00Z", "23:59 MON 28 FEB 2000", "00:00 TUE 29 FEB 2000"),
    ("UTC", "2028-03-01T00:00:00Z", "23:59 TUE 29 FEB 2028", "00:00 WED 1 MAR 2028"),
    ("Asia/Tokyo", "2028-02-28T15:00:00Z", "23:59 MON 28 FEB 2028", "00:00 TUE 29 FEB 2028"),
    ("UTC", "2100-03-01T00:00:00Z", "23:59 SUN 28 FEB 2100", "00:00 MON 1 MAR 2100"),
    // The first midnights after the Unix epoch.
    ("UTC", "1970-01-02T00:00:00Z", "23:59 THU 1 JAN 1970", "00:00 FRI 2 JAN 1970"),
    ("America/Los_Angeles", "1970-01-01T08:00:00Z", "23:59 WED 31 DEC 1969", "00:00 THU 1 JAN 1970"),
  ]

  @Test("The time and the date change at the event, after any sleep before it", arguments: events)
  func calendar(event: (zone: String, instant: String, before: String, after: String)) throws {
    let end = try #require(Instant(rfc3339: event.instant))
    var random = SplitMix(seed: UInt64(bitPattern: end.seconds))
    let (zone, date) = (event.zone, try Self.date(event.zone))
    func withSeconds(_ text: String, _ second: String) -> String {
      String(text.prefix(5)) + second + String(text.dropFirst(5))
    }
    func day(_ text: String) -> String { String(text.dropFirst(6)) }
    let displays: [([any WidgetContent], Int64, String, String, Int64)] = [
      ([Self.clock(zone), date], 3 * 3600, event.before, event.after, 3 * 60),
      (
        [Self.clock(zone, seconds: true), date], 90, withSeconds(event.before, ":59"),
        withSeconds(event.after, ":00"), 90
      ),
      // A date alone sleeps for hours, also past other changes of the zone's offset.
      ([date], 2 * 86_400, day(event.before), day(event.after), 6),
    ]
    for (widgets, sleep, before, after, wakeups) in displays {
      let start = end.adding(-.random(in: Self.second...(sleep * Self.second), using: &random))
      let shown = ShownTime(widgets, at: start, seed: random.next())
      shown.clock.run(until: end.adding(-1))
      #expect(shown.text == before)
      #expect(shown.clock.wakeups <= wakeups)
      shown.clock.run(until: end.adding(Self.tolerance))
      #expect(shown.text == after)
    }
  }

  private static let zoneNames = [
    "UTC", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "Europe/Dublin",
    "America/New_York", "America/Sao_Paulo",
  ]

  /// Sets of widgets that let the program sleep for at most `sleep` seconds: a second, a minute or a day.
  private static func displays(
    _ zone: String, _ other: String
  ) throws -> [(widgets: [any WidgetContent], sleep: Int64)] {
    var cities = WorldClockSettings()
    cities.cities = [zone, other, "Asia/Kolkata"].map { WorldClockSettings.City(zone: $0) }
    var countdown = TimerSettings()
    countdown.source = .countdown
    countdown.until = CivilMoment("2027-01-01T00:00:00Z")
    return [
      ([clock(zone, seconds: true), try date(other)], 1), ([clock(zone), try date(zone)], 60), ([cities], 60),
      ([try date(zone)], 86_400), ([countdown], 1),
    ]
  }

  /// Steps in seconds: ±1 s, ±1 min, ±1 h, ±1 day, ±10 years.
  static let steps: [Int64] = [1, 60, 3600, 86_400, 315_576_000].flatMap { [$0, -$0] }

  @Test(
    "After a step of the clock at any moment the new time is shown, and all that follows", arguments: steps)
  func stepped(step: Int64) throws {
    var random = SplitMix(seed: UInt64(bitPattern: step))
    for round in 0..<TestEffort.rounds(5, long: 60) {
      let zones = (0..<2).map { _ in Self.zoneNames[random.int(0...Self.zoneNames.count - 1)] }
      for (widgets, sleep) in try Self.displays(zones[0], zones[1]) {
        let start = Instant(seconds: .random(in: 1_000_000_000...3_000_000_000, using: &random))
          .adding(.random(in: 0...Self.second, using: &random))
        let shown = ShownTime(widgets, at: start, seed: random.next())
        let clock = shown.clock
        for _ in 0..<4 {
          clock.run(for: .random(in: 0...(90 * Self.second), using: &random))
          // Half of the steps happen while the program handles a wakeup; the timer reports them afterwards.
          let isInside = Bool.random(using: &random)
          if isInside {
            var isDone = false
            shown.interruption = {
              if !isDone { clock.step(to: clock.now.adding(step * Self.second)) }
              isDone = true
            }
            shown.showNow()
          } else {
            clock.step(to: clock.now.adding(step * Self.second))
          }
          clock.run(for: Self.tolerance)
          let where_ = "\(zones), round \(round), \(clock.now.rfc3339UTC)"
          try Self.expectTruth(shown, where_)
          // Runs past the next second, minute, hour and day, except where that takes more than about 60
          // wakeups.
          for unit in [1, 60, 3600, 86_400] as [Int64] where unit <= 60 * sleep {
            let seconds = clock.now.seconds
            let boundary = Instant(seconds: seconds - (seconds % unit + unit) % unit + unit)
            clock.run(until: boundary.adding(-1))
            #expect(shown.text == shown.truth, "\(where_), before \(unit)")
            clock.run(until: boundary.adding(Self.tolerance))
            #expect(shown.text == shown.truth, "\(where_), at \(unit)")
          }
        }
      }
    }
  }

  /// Expects the right text. If a second began less than `tolerance` ago, first lets `tolerance` pass.
  private static func expectTruth(_ shown: ShownTime, _ comment: String) throws {
    if Int64(shown.clock.now.nanoseconds) < tolerance { shown.clock.run(for: tolerance) }
    #expect(shown.text == shown.truth, "\(comment)")
  }

  @Test("A machine without a battery starts in 1970 and is then set")
  func fromTheZero() throws {
    for zone in Self.zoneNames {
      for (index, widgets) in try Self.displays(zone, "UTC").map(\.widgets).enumerated() {
        let shown = ShownTime(widgets, at: Instant(seconds: 0, nanoseconds: 300), seed: UInt64(index))
        shown.clock.run(for: 17_300_000_000)
        #expect(shown.text == shown.truth, "\(zone)")
        shown.clock.step(to: Instant(seconds: 1_795_132_837, nanoseconds: 200_000_000))
        shown.clock.run(for: Self.tolerance)
        #expect(shown.text == shown.truth, "\(zone)")
        // A correction by some milliseconds, across the beginning of a minute and back.
        shown.clock.run(until: Instant(seconds: 1_795_132_859, nanoseconds: 990_000_000))
        shown.clock.step(to: Instant(seconds: 1_795_132_860, nanoseconds: 10_000_000))
        shown.clock.run(for: Self.tolerance)
        #expect(shown.text == shown.truth, "\(zone)")
        shown.clock.step(to: Instant(seconds: 1_795_132_859, nanoseconds: 800_000_000))
        shown.clock.run(for: Self.tolerance)
        #expect(shown.text == shown.truth, "\(zone)")
        shown.clock.run(until: Instant(seconds: 1_795_132_860).adding(Self.tolerance))
        #expect(shown.text == shown.truth, "\(zone)")
      }
    }
  }

  @Test("The time is right before and after the second 2³¹")
  func endOf32Bits() throws {
    for zone in Self.zoneNames {
      for (index, widgets) in try Self.displays(zone, "Europe/Berlin").map(\.widgets).enumerated() {
        let end = Instant(seconds: 1 << 31)
        let shown = ShownTime(widgets, at: end.adding(-9 * Self.second), seed: UInt64(index))
        for second in -8...60 as ClosedRange<Int64> {
          shown.clock.run(until: end.adding(second * Self.second + Self.tolerance))
          #expect(shown.text == shown.truth, "\(zone), \(second)")
        }
      }
    }
  }
}
