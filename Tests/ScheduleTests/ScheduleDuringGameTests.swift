// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Glibc
import TestSupport
import Testing

@testable import Schedule

/// The schedule leaves a running game alone.
@Suite(.enabled(if: access("/usr/share/zoneinfo/Australia/Lord_Howe", R_OK) == 0, "needs tzdata"))
struct ScheduleDuringGameTests {
  /// The state during a game, computed from its definition. Entries that wait for games count as they were at
  /// the game's beginning, without their light; the others count as they are now.
  private func truth(_ schedule: Schedule, at now: Instant, during game: Instant) -> Schedule.State {
    var (waiting, acting) = (schedule, schedule)
    waiting.entries.removeAll { !$0.waitsForGame }
    acting.entries.removeAll(where: \.waitsForGame)
    let (before, present) = (waiting.state(at: game), acting.state(at: now))
    func later<Value>(
      _ a: Schedule.Setting<Value>?, _ b: Schedule.Setting<Value>?
    ) -> Schedule.Setting<Value>? {
      guard let a, let b else { return a ?? b }
      let order = [a, b].map { setting in schedule.entries.firstIndex { $0.name == setting.entry } ?? 0 }
      return (a.since, order[0]) < (b.since, order[1]) ? b : a
    }
    var state = Schedule.State()
    state.brightness = later(before.brightness, present.brightness)
    state.page = later(before.page, present.page)
    state.theme = later(before.theme, present.theme)
    state.light = present.light
    return state
  }

  @Test("Through nights, games and reloads, a game keeps the state of its beginning", arguments: 0..<11)
  func nights(_ number: Int) throws {
    var random = SplitMix(seed: UInt64(number) + 500)
    let place = World.places[number]
    var schedule = try World.schedule(place, using: &random)
    var now = Instant(seconds: 1_767_225_600 + Int64(number) * 1_000_000)
    var game: Instant?
    var controller = ScheduleController(schedule, at: now)
    for _ in 0..<TestEffort.rounds(200, long: 1_000) {
      let (before, wasWaiting) = (controller.state, controller.isWaiting)
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        game = game == nil ? now : nil
        let update = controller.update(at: now, during: game)
        if wasWaiting, game == nil { #expect(update.isOnTime) }
        if game != nil { #expect(update.properties.isSubset(of: [.light])) }
      case 1:
        schedule = try World.schedule(place, using: &random)
        _ = controller.replace(schedule, at: now, during: game)
      case 2:
        // The same config is read again.
        let same = controller.replace(schedule, at: now, during: game)
        #expect(same.properties == controller.state.differences(from: before))
      default:
        // Time passes; the timer fires late.
        let end = now.seconds + .random(in: 60...30_000, using: &random)
        while let wake = controller.wake, wake.seconds < end {
          now = max(now, Instant(seconds: wake.seconds + .random(in: 0...2, using: &random)))
          _ = controller.update(at: now, during: game)
        }
        now = max(now, Instant(seconds: end))
      }
      let plays = game.map { now.seconds - $0.seconds < ScheduleController.longestGame } ?? false
      let expected =
        plays ? truth(schedule, at: now, during: game ?? now) : schedule.state(at: now)
      #expect(
        controller.state.differences(from: expected).isEmpty,
        "\(now.rfc3339UTC), game \(game?.rfc3339UTC ?? "none"), \(schedule)")
      #expect(controller.isWaiting == plays && controller.wake.map { $0 > now } ?? true)
    }
  }

  @Test("A night that begins during a game takes effect at its end, and what is set meanwhile ends then")
  func night() throws {
    let night = Schedule.Values(brightness: 5, page: "clock", theme: "night", light: .off)
    let schedule = Schedule([try Schedule.Entry("night", "22:00", "06:30", values: night)])
    let start = try instant("2026-07-15T21:10:00Z")
    var controller = ScheduleController(schedule, at: start)
    _ = controller.update(at: start, during: start)
    let hold = controller.hold(.page, milliseconds: nil, at: start)
    #expect(try hold.until == instant("2026-07-15T22:00:00Z"))
    let late = try instant("2026-07-15T22:20:00Z")
    #expect(controller.update(at: late, during: start).properties.isEmpty)
    #expect(controller.state == Schedule.State() && !hold.isOver(at: late, waits: controller.isWaiting))
    // A page that is shown now is that of the game, and not of the night.
    let page = controller.hold(.page, milliseconds: nil, at: late)
    #expect(page.until == late && !page.isOver(at: late, waits: true))
    let update = controller.update(at: late)
    #expect(update.properties == [.brightness, .page, .theme, .light] && update.isOnTime)
    #expect(hold.isOver(at: late, waits: controller.isWaiting) && page.isOver(at: late))
    // A game at night has the lights on, and the night's page.
    let second = try instant("2026-07-15T23:00:00Z")
    #expect(controller.update(at: second, during: second).properties == [.light])
    #expect(controller.state.page?.value == "clock" && controller.state.light == nil)
    // If nobody stops the clock, the schedule takes effect after twelve hours.
    #expect(controller.wake == Instant(seconds: second.seconds + 12 * 3_600))
    let morning = try instant("2026-07-16T11:00:00Z")
    #expect(controller.update(at: morning, during: second).properties == [.brightness, .page, .theme])
    #expect(!controller.isWaiting)
  }
}
