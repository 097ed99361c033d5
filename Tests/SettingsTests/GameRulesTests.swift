// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import Testing

@testable import Settings
@testable import TOMLConfig

private func read(_ text: String) -> GameRules? { load(text).configuration?.game.rules }

@Suite struct GameRulesTests {
  @Test("A preset without other keys gives its rules")
  func presets() {
    for preset in GameRules.Preset.allCases {
      #expect(read("[game]\npreset = \"\(preset.rawValue)\"\n") == GameRules(preset))
    }
    #expect(read("") == GameRules())
  }

  @Test("Keys change their rules of the preset, and no others")
  func overrides() throws {
    let text = """
      [game]
      preset = "basketball"
      periods = 2
      period-name = "HALF"
      clock-length = "20:00"
      clock-end = "next-period"
      shot-clock = "30s"
      increments = [1, 2]
      [game.counters.fouls]
      limit = 7
      [game.counters.timeouts]
      limit = 0
      [game.counters.cards]
      name = "CARDS"
      """
    let rules = try #require(read(text))
    var expected = GameRules(.basketball)
    expected.periods = 2
    expected.periodName = "HALF"
    expected.periodsName = "HALVES"
    expected.increments = [1, 2]
    let (second, minute): (Int64, Int64) = (1_000_000_000, 60_000_000_000)
    expected.game = GameRules.Timer(.down, length: 20 * minute, warning: minute, end: .nextPeriod)
    expected.shot = GameRules.Timer(.down, length: 30 * second, warning: 5 * second)
    expected.counters = [
      GameRules.Counter(
        id: "fouls", name: "FOULS", limit: 7, reset: .period, keepsInOvertime: true, warnsAtLimit: true),
      GameRules.Counter(id: "cards", name: "CARDS", limit: 99, reset: .game),
    ]
    #expect(rules == expected)
  }

  @Test("Changed rules also change the rules that depend on them")
  func houseRules() throws {
    let volleyball = try #require(read("[game]\npreset = \"volleyball\"\nperiods = 3\npoints-to-win = 21\n"))
    #expect(
      volleyball.periodsToWin == 2 && volleyball.pointsToWin == 21 && volleyball.pointsToWinDeciding == 0)
    let badminton = try #require(read("[game]\npreset = \"badminton\"\npoints-to-win = 15\ncap = 21\n"))
    #expect(badminton.pointsToWin == 15 && badminton.cap == 21 && badminton.lead == 2)
    let all = try #require(read("[game]\npreset = \"table-tennis\"\nperiods-to-win = 0\nserves-in-row = 5\n"))
    #expect(all.periodsToWin == 0 && all.servesInRow == 5)
    let darts = try #require(
      read("[game]\npreset = \"darts\"\nperiod-name = \"SET\"\ngames-to-win = 3\ndouble-out = false\n"))
    #expect(darts.games == GameRules.Games(name: "LEG", plural: "LEGS", toWin: 3) && !darts.doubleOut)
    let tennis = try #require(
      read("[game]\npreset = \"tennis\"\nlead = 1\ngames-to-win = 4\nmatch-tie-break = 10\n"))
    #expect(
      tennis.games
        == GameRules.Games(name: "GAME", plural: "GAMES", toWin: 4, lead: 2, tieBreakAt: 4, matchTieBreak: 10)
    )
    let youth = try #require(
      read("[game]\npreset = \"handball\"\npenalties = [\"1:00\"]\npenalties-running = 2\n"))
    #expect(youth.penalties == [60_000_000_000] && youth.penaltiesRunning == 2)
    let fouls = try #require(
      read(
        """
        [game]
        preset = "basketball"
        shot-clock-second = "0s"
        [game.counters.fouls]
        keep-in-overtime = false
        [game.counters.timeouts]
        limit = 3
        limit-overtime = 2
        """))
    #expect(fouls.counter("fouls")?.keepsInOvertime == false && fouls.secondShot == 0)
    var timeOuts = try #require(GameRules(.basketball).counter("timeouts"))
    (timeOuts.firstHalfLimit, timeOuts.overtimeLimit) = (3, 2)
    #expect(fouls.counter("timeouts") == timeOuts)
    #expect(read("[game]\nscoring = \"sets\"\nperiods = 3\n")?.periodsToWin == 0)
  }

  @Test("A clock can be removed, reversed, or added to a game without one")
  func clocks() {
    #expect(read("[game]\npreset = \"football\"\nclock = \"none\"\n")?.game == nil)
    #expect(read("[game]\nclock = \"none\"\nshot-clock = \"24s\"\n")?.shot?.length == 24_000_000_000)
    #expect(
      read("[game]\npreset = \"football\"\nclock = \"down\"\n")?.game
        == GameRules.Timer(.down, length: 600_000_000_000))
    #expect(
      read("[game]\nclock = \"down\"\nclock-length = \"1:30:00\"\n")?.game?.length == 5_400_000_000_000)
    #expect(read("[game]\npreset = \"basketball\"\nshot-clock = \"0s\"\n")?.shot == nil)
  }
}
