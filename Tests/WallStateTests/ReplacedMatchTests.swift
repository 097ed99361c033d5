// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import Scoreboard
import Settings
import TestSupport
import Testing

@testable import WallState

@Suite("A match that a match of another game has replaced") struct ReplacedMatchTests {
  private static let events = [
    "add-score home 2", "set-score guest 7", "timer start", "timer pause", "period +1", "time-out home",
    "undo",
    "redo", "set guest fouls 2", "swap", "undo 2", "timer set 3:00",
  ]

  private func configuration(_ preset: GameRules.Preset) -> Configuration {
    TestWall.configuration { $0.game.rules = GameRules(preset) }
  }

  /// The values of all timers that a match has. A break whose clock is at 0 is over.
  private func timers(_ match: Match, at now: Int64) -> [Int64?] {
    GameTimer.ID.allCases.map { id in
      let value = match.scoreboard.reading(of: id, at: now)?.value
      return id == .breakClock && value == 0 ? nil : value
    }
  }

  @Test("It comes back with its game while nothing has happened in the new one", arguments: 0..<20)
  func comesBack(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var (returned, lost) = (0, 0)
    for _ in 0..<TestEffort.rounds(20, long: 500) {
      var test = TestWall(seed: seed)
      for _ in 0..<random.int(1...12) {
        _ = try? test.command(Self.events[random.int(0...(Self.events.count - 1))])
        test.pass(Double(random.int(0...20)))
      }
      let before = test.wall.match
      guard before.scoreboard.hasContent, !before.scoreboard.isFinished(at: test.now.clock) else { continue }
      var paused = before
      paused.pauseTimers(at: test.now.clock)
      let shown = timers(paused, at: test.now.clock)
      let beforeChange = test.wall
      test.adopt(configuration(.tennis))
      #expect(test.wall.effect(since: beforeChange) == .setAside)
      #expect(test.wall.match.isUntouched && test.asides.count == 1)
      var isTouched = false
      for _ in 0..<random.int(0...4) {
        switch random.int(0...4) {
        case 0: test.pass(Double(random.int(0...100)))
        case 1: test.adopt(configuration([.tennis, .volleyball, .darts][random.int(0...2)]))
        case 2:
          let saved = test.wall.saved
          let preset = test.wall.match.scoreboard.rules.preset
          test = TestWall(seed: seed, saved: saved, at: test.now) {
            $0.game.rules = GameRules(.init(rawValue: preset) ?? .tennis)
          }
        case 3: test.adopt([.init(name: "A"), .init(name: "B")])
        default:
          guard random.int(0...2) == 0 else { continue }
          // In darts, a score cannot rise.
          if (try? test.command("add-score home 1")) == nil { _ = try test.command("swap") }
          // What is undone has not happened.
          if random.int(0...1) == 0 { _ = try test.command("undo") } else { isTouched = true }
        }
      }
      let (revision, last) = (test.wall.match.revision, test.wall)
      test.adopt(configuration(.basketball))
      let match = test.wall.match
      if isTouched {
        lost += 1
        #expect(match.past.isEmpty || match.past != before.past)
        #expect(test.wall.effect(since: last) != .broughtBack)
        continue
      }
      returned += 1
      #expect(test.wall.effect(since: last) == .broughtBack && test.wall.replaced == nil)
      #expect(match.scoreboard.teams.map(\.score) == before.scoreboard.teams.map(\.score))
      #expect(match.scoreboard.period == before.scoreboard.period)
      #expect(match.scoreboard.game == before.scoreboard.game)
      #expect(match.past.map(\.number) == before.past.map(\.number))
      #expect(match.future.map(\.number) == before.future.map(\.number))
      #expect(match.revision > revision)
      #expect(timers(match, at: test.now.clock) == shown, "\(before.past.map(\.action))")
      #expect(timers(match, at: test.now.clock + second) == shown)
      #expect(test.disk.match == match && test.disk.replaced == nil)
      if !match.past.isEmpty { _ = try test.command("undo") }
    }
    #expect(returned > 3 || lost > 3)
  }

  @Test("A finished match comes back too, and is listed once")
  func finished() throws {
    var test = TestWall()
    _ = try test.command("set-score home 40")
    _ = try test.command("end-match")
    #expect(test.wall.finished.matches.count == 1)
    test.adopt(configuration(.tennis))
    #expect(test.asides.isEmpty && test.wall.match.isUntouched)
    test.adopt(configuration(.basketball))
    #expect(test.score == 40 && test.wall.finished.matches.count == 1)
    #expect(test.wall.match.scoreboard.isFinished(at: test.now.clock))
  }

  @Test("Without a game in the config, the match of the last one goes on, and the one before waits")
  func withoutGame() throws {
    var test = TestWall()
    _ = try test.command("set-score home 40")
    test.adopt(configuration(.football))
    test.adopt(configuration(.free))
    #expect(test.score == 0 && test.wall.replaced?.match.scoreboard.teams[0].score == 40)
    test.adopt(configuration(.basketball))
    #expect(test.score == 40)
  }

  @Test("A match that a change of the rules finishes goes on if they are changed back")
  func rules() throws {
    func volleyball(_ periods: Int) -> Configuration {
      TestWall.configuration {
        $0.game.rules = GameRules(.volleyball)
        ($0.game.rules.periods, $0.game.rules.periodsToWin) = (periods, periods / 2 + 1)
        $0.game.rules.pointsToWinDeciding = 15
      }
    }
    var test = TestWall { $0 = volleyball(5) }
    _ = try test.command("set-score guest 5")
    _ = try test.command("set-score home 16")
    for _ in 0..<3 {
      test.adopt(volleyball(1))
      #expect(test.wall.finished.matches.map(\.over) == [true])
      test.pass(30)
      test.adopt(volleyball(5))
      #expect(test.wall.finished.matches.isEmpty)
    }
    // What was finished by play stays so.
    test.adopt(volleyball(1))
    _ = try test.command("set-score home 17")
    test.adopt(volleyball(5))
    #expect(test.wall.finished.matches.map(\.over) == [true])
  }

  @Test("A match that cannot be set aside goes on, and is said to")
  func noRoom() throws {
    var test = TestWall()
    _ = try test.command("set-score home 40")
    test.hasRoom = false
    let before = test.wall
    test.adopt(configuration(.tennis))
    #expect(test.wall.effect(since: before) == .notSetAside && test.score == 40)
    test.adopt(configuration(.basketball))
    #expect(test.score == 40 && test.wall.gameWarning == nil && test.wall.replaced == nil)
  }
}
