// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Commands
import ControlCalls
import Schedule
import Settings
import TestSupport
import Testing

@testable import WallState

/// Random sequences of everything that can happen to a wall.
@Suite("A wall in any order of events") struct WallPropertyTests {
  private static let schedules: [[Schedule.Entry]] = [
    [], [entry("n", 22, 7, brightness: 10, light: .offAndBlack)],
    [
      entry("a", 1, 2, page: "match", theme: "paper"), entry("b", 1.5, 3, brightness: 30, light: .off),
      entry("c", 2.5, 2.6, light: .black, waits: false), entry("d", 12, 18, page: "gone"),
    ],
    [entry("x", 0, 12, light: .on), entry("y", 0.01, 0.02, brightness: 1, page: "main")],
  ]
  private static let configurations: [Configuration] = [
    TestWall.configuration(),
    TestWall.configuration {
      $0.rotation.every = 7
      $0.display.brightness = 60
    },
    TestWall.configuration(["match"]) {
      $0.motion = .none
      $0.remote.showsSetUp = true
    },
    TestWall.configuration(["main", "match", "sponsors"]) {
      $0.pages[2].showDuring = ["time-out", "interval", "half-time"]
      $0.rotation = RotationSettings()
      $0.rotation.every = 40
    },
  ]
  private static let displays: [Wall.Display] = {
    var tall = OutputSettings(name: "tall")
    (tall.brightness, tall.page) = (25, "match")
    return [.init(name: "A"), .init(name: "B", settings: tall), .init(name: "C")]
  }()
  private static let commands = [
    "blank", "unblank", "blank --toggle", "blank --output B", "unblank --output A", "blank --for 30min",
    "unblank --for 2h", "brightness 40%", "brightness +7%", "brightness 5% --output tall",
    "brightness 80% --for 1h", "show main", "show match", "show match --for 20min", "message HELLO",
    "message X --until-cleared",
    "message --clear", "timer start", "timer pause", "timer set 5:00", "add-score home 2", "undo",
    "period +1",
    "board hall A", "board hall B --for 10min --show", "board line C --stale-after 30min --for 1h",
    "board line D --for 20s", "board hall --clear", "board gone E",
    "countdown doors 15:00", "countdown doors --until 12:00", "countdown doors --toggle",
    "countdown talk 30s --label X", "countdown talk --add -10s", "countdown talk --clear",
    "period +1", "new-game", "reset", "undo 3", "redo", "set period 4",
    "timer set 0:04", "timer set 2:03", "set period 4", "set-score guest 3", "set guest timeouts 2",
    "time-out home", "break half-time 2:00", "break end", "timer pause --break",
  ]

  @Test(arguments: 0..<UInt64(TestEffort.rounds(20, long: 400)))
  func anyOrder(seed: UInt64) throws {
    var generator = SplitMix(seed: seed)
    var wall = TestWall(Self.schedules[generator.int(0...3)])
    var (configuration, entries) = (Self.configurations[0], Self.schedules[0])
    wall.adopt(configuration, entries)
    // The results of the games that a step of the history has ended.
    var ended: [Int: [Int]] = [:]
    for number in 0..<500 {
      let event: String
      let before = (match: wall.wall.match, saved: wall.wall.saved)
      switch generator.int(0...22) {
      case 0...5:
        let time = [0.3, 5, 50, 800, 9000][generator.int(0...4)] * generator.unit()
        event = "pass \(time)"
        wall.pass(time)
      case 6:
        let time = 40_000 * generator.unit()
        event = "sleep \(time)"
        wall.sleep(time)
      case 7:
        let time = 80_000 * (generator.unit() - 0.5)
        event = "step \(time)"
        wall.step(time)
      case 8:
        (configuration, entries) = (
          Self.configurations[generator.int(0...3)], Self.schedules[generator.int(0...3)]
        )
        event = "reload"
        wall.adopt(configuration, entries)
      case 9:
        let displays = Self.displays.filter { _ in generator.int(0...1) == 0 }
        event = "displays \(displays.map(\.name))"
        wall.adopt(displays)
      case 10:
        event = "invite"
        wall.invite()
      case 20:
        event = "offer"
        wall.offer()
      case 21:
        event = "owners"
        wall.reportOwners(generator.int(0...2))
      case 22:
        event = "network"
        wall.reportNetwork(["access_point", "joining", "joined", "failed", "none"][generator.int(0...4)])
      case 11:
        event = "the config's brightness"
        try wall.perform(.setBrightness(percent: nil))
      default:
        event = Self.commands[generator.int(0...(Self.commands.count - 1))]
        _ = try? wall.command(event)
      }
      let (match, last) = (wall.wall.match, wall.wall.match.past.last)
      if let last, match.past.count == before.match.past.count + 1, [.newGame, .reset].contains(last.action) {
        let scoreboard = before.match.scoreboard
        ended[last.number] = scoreboard.hasResult(at: last.time) ? scoreboard.teams.map(\.score) : nil
      }
      checkFinished(
        wall, "seed \(seed), event \(number): \(event)", match.past.compactMap { ended[$0.number] },
        before.saved)
      check(wall, "seed \(seed), event \(number): \(event)", configuration, entries)
      let state = MatchState(wall.wall.match, at: wall.now.clock)
      #expect(
        Self.resting(wall.sent) == Self.resting(state), "seed \(seed), event \(number): \(event): not sent")
      #expect(state.matchOver == wall.wall.shown.scoreboard.isFinished(at: wall.now.clock))
      #expect(state.winner == (state.matchOver == true ? state.parts?.framed : nil))
    }
  }

  /// A state without what watchers extrapolate: the times of clocks that run.
  private static func resting(_ state: MatchState) -> MatchState {
    var state = state
    for (id, timer) in state.timers where timer.running { state.timers[id]?.milliseconds = 0 }
    for team in state.teams.indices {
      for index in (state.teams[team].penalties ?? []).indices {
        if state.teams[team].penalties?[index].running == true {
          state.teams[team].penalties?[index].milliseconds = 0
        }
      }
    }
    return state
  }

  /// - Parameters:
  ///   - ended: the results of the games that new games have ended.
  ///   - before: what was saved before the event.
  private func checkFinished(_ test: TestWall, _ what: String, _ ended: [[Int]], _ before: SavedWall) {
    let wall = test.wall
    func results(_ wall: Wall) -> [[Int]] { wall.finished.matches.map { $0.teams.map(\.score) } }
    let scoreboard = wall.match.scoreboard
    let isOver = scoreboard.isFinished(at: test.now.clock)
    #expect(results(wall) == ended + (isOver ? [scoreboard.teams.map(\.score)] : []), "\(what)")
    #expect(Set(wall.finished.matches.map(\.id)).count == wall.finished.matches.count, "\(what): twice")
    #expect(test.disk.finished == wall.finished, "\(what): not saved")
    // A crash between the writes of the two files: the match decides.
    func restarted(_ saved: SavedWall, _ finished: FinishedMatches) -> Wall {
      var (saved, generator, effects) = (saved, SplitMix(seed: 0), Wall.Effects())
      saved.finished = finished
      return Wall(
        wall.configuration, schedule: Schedule(), saved, displays: [], at: test.now, &generator,
        keep: { _ in "" }, &effects)
    }
    #expect(results(restarted(wall.saved, before.finished)) == results(wall), "\(what): the list is old")
    #expect(
      results(restarted(before, wall.finished)) == results(restarted(before, before.finished)),
      "\(what): the match is old")
  }

  private func check(
    _ test: TestWall, _ what: String, _ configuration: Configuration, _ entries: [Schedule.Entry]
  ) {
    let wall = test.wall
    let notice = wall.shown.phoneNotice
    if case .offer? = notice?.pairing, notice?.network == nil {
      #expect(!wall.hasOwner, "\(what): a code despite an owner")
    }
    // Phones can join an access point whatever else is shown.
    if wall.shown.message == nil, let open = wall.network?.notice, open.accessPoint != nil {
      #expect(notice?.network == open, "\(what): the access point is hidden")
    }
    if let invitation = wall.invitation {
      #expect(notice?.pairing == .invitation(invitation.invitation, at: invitation.address), "\(what)")
    }
    #expect(wall.shown.message == nil || wall.shown.phoneNotice == nil, "\(what): two boxes")
    #expect(wall.nextClock.map { $0 > test.now.clock } ?? true, "\(what): armed in the past")
    #expect(wall.nextInstant.map { $0 > test.now.instant } ?? true, "\(what): armed in the past")
    #expect(wall.pages.contains(wall.shown.page), "\(what): an unknown page")
    for display in wall.displays {
      let light = wall.light(of: display.name)
      #expect((0...100).contains(light.level), "\(what)")
      if wall.invitation != nil {
        #expect(!light.isDark, "\(what): the card is not seen")
      } else if let held = wall.holds.light(of: display.name) {
        #expect(light.isBlank == held.isBlank, "\(what): lit or dark against a hold")
      }
    }
    // A switch, or the end of a game that a switch waits for, begins another change.
    let isQuiet =
      (wall.nextInstant.map { $0.seconds > test.now.instant.seconds + 64 } ?? true)
      && (wall.match.scoreboard.nextEvent(after: test.now.clock).map { $0 > test.now.clock + 64 * second }
        ?? true)
    if isQuiet, wall.invitation == nil {
      var later = test
      later.sleep(62)
      later.sleep(2)
      #expect(later.wall.transition == nil, "\(what): an endless change")
    }
    guard wall.transition == nil, wall.invitation == nil,
      wall.gameStart == wall.match.scoreboard.runningSince(at: test.now.clock)
    else { return }
    // A wall that starts with the same state shows the same.
    var (generator, effects) = (SplitMix(seed: 0), Wall.Effects())
    var fresh = Wall(
      configuration, schedule: Schedule(entries), wall.saved, displays: wall.displays, at: test.now,
      &generator, keep: { _ in "" }, &effects)
    (fresh.message, fresh.network) = (wall.message, wall.network)
    fresh.setUpOffer = wall.setUpOffer
    let left = [wall, fresh].map { $0.countdownStates(at: test.now).map { [$0.milliseconds ?? 0] } }
    #expect(left[0] == left[1], "\(what): a restart changes a countdown")
    // After a restart, a countdown ends by the wall clock.
    fresh.countdowns = wall.countdowns
    // At a start, a display that is to be off after a black picture shows that picture first.
    fresh.transition = nil
    #expect(fresh.shown == wall.shown, "\(what): a restart shows something else")
  }
}
