// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Commands
import ControlCalls
import Schedule
import Scoreboard
import Settings
import TestSupport
import Testing
import Walls

@testable import WallState

@Suite("Countdowns") struct CountdownTests {
  /// What is left of a countdown, counted down step by step.
  private struct Model {
    var left: Int64
    var isRunning = true
    /// Whether steps of the wall clock change what is left.
    var followsWallClock: Bool

    mutating func pass(_ time: Int64) { if isRunning { left -= time } }
    mutating func step(_ time: Int64) { if isRunning, followsWallClock { left -= time } }
    mutating func add(_ time: Int64) { left = min(max(left + time, min(left, 0)), GameTimer.limit) }
    /// After a restart, a running countdown ends by the wall clock.
    mutating func restart() { if isRunning { followsWallClock = true } }
  }

  private static let names = ["doors", "talk", "lunch"]
  private static let limit = GameTimer.limit

  @Test(
    "Whatever is done, and however time passes, what is left is that of a simple model",
    arguments: 0..<UInt64(TestEffort.rounds(30, long: 1_000)))
  func anyOrder(seed: UInt64) throws {
    var generator = SplitMix(seed: seed)
    var wall = TestWall()
    var models: [String: Model] = [:]
    for number in 0..<300 {
      let name = Self.names[generator.int(0...2)]
      let event: String
      switch generator.int(0...13) {
      case 0:
        let time = Int64(generator.int(1...7_200))
        event = "countdown \(name) \(time)s"
        try wall.command(event)
        models[name] = Model(left: time * second, followsWallClock: false)
      case 1:
        let time = generator.int(0...86_399)
        event = "countdown \(name) --until \(TimeOfDay.text(time))"
        try wall.command(event)
        let day = 86_400 * second
        var left = Int64(time) * second - wall.now.realtime % day
        if left <= 0 { left += day }
        models[name] = Model(left: left, followsWallClock: true)
      case 2, 3, 4:
        let word = ["pause", "resume", "toggle"][generator.int(0...2)]
        event = "countdown \(name) --\(word)"
        guard var model = models[name] else {
          #expect(throws: ControlError.self) { try wall.command(event) }
          continue
        }
        try wall.command(event)
        let runs = word == "resume" || word == "toggle" && !model.isRunning
        if runs, !model.isRunning { model.followsWallClock = false }
        model.isRunning = runs
        models[name] = model
      case 5:
        let time = Int64(generator.int(-900...900))
        event = "countdown \(name) --add \(time < 0 ? "-" : "")\(abs(time))s"
        guard models[name] != nil else { continue }
        try wall.command(event)
        models[name]?.add(time * second)
      case 6:
        event = "countdown \(name) --clear"
        guard models.removeValue(forKey: name) != nil else { continue }
        #expect(try wall.command(event) == .clearedCountdown(true))
      case 7:
        let time = generator.int(-40_000...40_000)
        event = "step \(time)"
        wall.step(Double(time))
        for name in Self.names { models[name]?.step(Int64(time) * second) }
      case 8:
        // The program stops, the machine is off for a while, and CLOCK_BOOTTIME begins again.
        let time = Int64(generator.int(0...3_000))
        event = "restart after \(time)"
        wall = TestWall(
          saved: wall.wall.saved,
          at: Moment(
            clock: Int64(generator.int(0...200)) * second, realtime: wall.now.realtime + time * second))
        for name in Self.names {
          models[name]?.restart()
          models[name]?.pass(time * second)
        }
      case 9:
        event = "reload"
        wall.adopt(TestWall.configuration())
      default:
        let time = [1, 30, 700, 5_000][generator.int(0...3)]
        event = "pass \(time)"
        if generator.int(0...1) == 0 { wall.pass(Double(time)) } else { wall.sleep(Double(time)) }
        for name in Self.names { models[name]?.pass(Int64(time) * second) }
      }
      let what = "seed \(seed), event \(number): \(event)"
      let shown = wall.wall.shown.countdowns
      #expect(Set(shown.keys) == Set(models.keys), "\(what)")
      for (name, model) in models {
        let left = shown[name]?.left(clock: wall.now.clock, realtime: wall.now.realtime)
        #expect(left == min(max(model.left, -Self.limit), Self.limit), "\(what): \(name)")
        #expect(shown[name]?.isRunning == model.isRunning, "\(what): \(name)")
        let state = wall.wall.countdownStates(at: wall.now).first { $0.name == name }
        #expect(state?.ended == (model.left <= 0) && state?.running == model.isRunning, "\(what): \(name)")
        // The wall wakes at the end of each.
        if model.isRunning, model.left > 0, model.left <= Self.limit {
          let byWall = wall.wall.nextInstant.map { wall.now.instant.nanoseconds(until: $0) } ?? .max
          let byClock = wall.wall.nextClock.map { $0 - wall.now.clock } ?? .max
          #expect(min(byWall, byClock) <= model.left, "\(what): \(name) ends unnoticed")
        }
      }
      #expect(wall.wall.nextClock.map { $0 > wall.now.clock } ?? true, "\(what): armed in the past")
      #expect(wall.wall.nextInstant.map { $0 > wall.now.instant } ?? true, "\(what): armed in the past")
    }
  }

  @Test("A time of day is that of the wall's zone, on the day on which the clocks change, too")
  func zones() throws {
    let berlin = try TimeZone(posix: "CET-1CEST,M3.5.0,M10.5.0/3")
    // 2026-03-29 at 00:30 UTC is 01:30; at 03:00 CEST it is 01:00 UTC.
    for (start, time, minutes) in [
      ("2026-03-29T00:30:00Z", "03:00", 30), ("2026-03-29T00:30:00Z", "02:30", 30),
      ("2026-03-29T00:30:00Z", "04:00", 90), ("2026-03-29T00:30:00Z", "01:30", 23 * 60),
      ("2026-10-25T00:10:00Z", "02:30", 20), ("2026-10-25T00:31:00Z", "02:30", 59),
      ("2026-10-25T00:10:00Z", "04:00", 170), ("2026-11-26T18:30:00Z", "19:30", 24 * 60),
    ] {
      let start = try #require(Instant(rfc3339: start))
      var (generator, effects) = (SplitMix(seed: 0), Wall.Effects())
      let configuration = TestWall.configuration()
      let now = Moment(clock: 0, realtime: start.seconds * second)
      var wall = Wall(
        configuration, schedule: Schedule([], zone: berlin), SavedWall(configuration.newMatch),
        displays: [], at: now, &generator, keep: { _ in "" }, &effects)
      let change = try Change(parsing: "countdown doors --until \(time)", on: .commandLine)
      _ = try wall.perform(change, at: now, &effects)
      #expect(wall.countdownStates(at: now).first?.milliseconds == minutes * 60_000, "\(start) \(time)")
    }
  }

  @Test("The number of countdowns, their names, labels and times are limited")
  func limits() throws {
    var wall = TestWall()
    for number in 0..<Countdown.maximumNumber { try wall.command("countdown c\(number) 1min") }
    #expect(throws: ControlError.tooManyCountdowns(limit: 16)) { try wall.command("countdown more 1min") }
    try wall.command("countdown c3 2min")
    try wall.command("countdown c3 --clear")
    try wall.command("countdown more 99:59:59")
    let label = String(repeating: "x", count: 41)
    for (setting, name) in [
      (CountdownSetting(.after(60_000)), "a b"), (CountdownSetting(.after(60_000)), ""),
      (CountdownSetting(.after(60_000)), String(repeating: "x", count: 33)),
      (CountdownSetting(.after(999)), "c1"), (CountdownSetting(.after(360_000_000)), "c1"),
      (CountdownSetting(.after(60_000), label: label), "c1"),
      (CountdownSetting(.after(60_000), label: "a\nb"), "c1"),
      (CountdownSetting(.after(60_000), source: label), "c1"),
      (CountdownSetting(.after(60_000), showsPage: true), "c1"),
    ] {
      #expect(throws: ControlError.self) { try wall.perform(.setCountdown(name, setting)) }
    }
    #expect(throws: ControlError.self) { try wall.perform(.controlCountdown("c1", .add(.max))) }
    #expect(throws: ControlError.unknownCountdown(countdown: "gone", known: wall.names)) {
      try wall.command("countdown gone --clear")
    }
    var refused = 0
    for _ in 0..<1_000 {
      wall.pass(0.01)
      do { try wall.command("countdown c1 --add 1s") } catch {
        guard case .tooManyChanges(countdown: "c1", let milliseconds) = error else { throw error }
        #expect((1...101).contains(milliseconds))
        refused += 1
      }
    }
    #expect((868...872).contains(refused))
    #expect(wall.saves <= 3)
  }

  @Test("A countdown in the config is listed before it is set, and --show shows its page")
  func pages() throws {
    var timer = TimerSettings()
    (timer.source, timer.countdown) = (.countdown, "doors")
    var wall = TestWall(pages: ["main", "match"]) {
      $0.widgets.append(WidgetSettings(name: "clock", weight: 1, content: timer))
      $0.pages[1].layout.rows = [["hall", "clock"]]
    }
    #expect(wall.wall.countdownStates(at: wall.now) == [CountdownState(name: "doors")])
    #expect(try wall.command("countdown doors --clear") == .clearedCountdown(false))
    let reply = try wall.command("countdown doors 15:00 --label OPEN --from desk --show")
    let state = CountdownState(
      name: "doors", label: "OPEN", milliseconds: 900_000, running: true, from: "desk",
      since: wall.now.instant.rfc3339UTC)
    #expect(reply == .countdown(state, page: "match"))
    #expect(wall.page == "match")
    try wall.command("countdown talk 5:00")
    #expect(wall.wall.countdownStates(at: wall.now).map(\.name) == ["doors", "talk"])
    // The match and its history are not concerned.
    #expect(throws: ControlError.self) { try wall.command("undo") }
  }
}

extension TestWall {
  fileprivate var names: [String] { wall.shown.countdowns.keys.sorted() }
}
