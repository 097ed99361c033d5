// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import Testing

@testable import Settings
@testable import TOMLConfig

@Suite struct GameSettingsTests {
  @Test("[game] accepts a preset and changes to it")
  func values() throws {
    let result = load(
      """
      [teams.home]
      short-name = "HOM"
      [game]
      preset = "table-tennis"
      resume = "running"
      periods = 7
      period-name = "GAME"
      scoring = "sets"
      start-score = 21
      better = "lower"
      increments = [-1, 5]
      serve = "serve"
      clock = "up"
      clock-length = "90:00"
      overtime-length = "1:30:00"
      clock-warning = "1.5s"
      clock-end = "count-on"
      clock-continues = true
      shot-clock = "500ms"
      shot-clock-warning = "0s"
      shot-clock-follows = false
      [game.counters.fouls]
      limit = 5
      [game.counters.cards]
      name = "CARDS"
      reset = "period"
      """)
    #expect(found(result) == [])
    let configuration = try #require(result.configuration)
    let game = configuration.game
    #expect(configuration.teams[0].shortName == "HOM")
    let rules = game.rules
    let (second, minute): (Int64, Int64) = (1_000_000_000, 60_000_000_000)
    #expect(rules.preset == "table-tennis" && game.resume == .running && rules.periods == 7)
    #expect(rules.periodName == "GAME" && rules.scoring == .sets && rules.startScore == 21)
    #expect(rules.better == .lower && rules.increments == [-1, 5] && rules.serve == .serve)
    #expect(
      rules.game
        == GameRules.Timer(
          .up, length: 90 * minute, overtimeLength: 90 * minute, warning: 3 * second / 2, end: .countOn,
          continues: true))
    #expect(rules.shot == GameRules.Timer(.down, length: second / 2) && !rules.shotFollows)
    #expect(rules.counters.map(\.id) == ["timeouts", "fouls", "cards"])
    #expect(rules.counter("fouls")?.limit == 5)
    #expect(rules.counter("cards")?.name == "CARDS" && rules.counter("cards")?.reset == .period)
  }

  @Test("[game] accepts the rules of sets, serve, overtime and penalties")
  func rules() throws {
    let result = load(
      """
      [game]
      overtime-name = "EXTRA TIME"
      overtime-short-name = "ET"
      points-to-win = 21
      points-to-win-deciding = 15
      lead = 2
      cap = 30
      periods-to-win = 3
      period-end = "next"
      games-to-win = 6
      games-lead = 2
      game-name = "LEG"
      tie-break-at = 6
      tie-break-points = 9
      tie-break-points-deciding = 12
      match-tie-break = 10
      point-names = "tennis"
      double-out = true
      turn-limit = 180
      serve-rule = "rally"
      serves-in-row = 5
      first-serve = "winner"
      first-serve-deciding = "toss"
      side-change = "periods"
      side-change-at = 8
      penalties = ["2:00", "300s"]
      penalties-running = 2
      shot-clock-second = "14s"
      time-out-length = "30s"
      interval-in-set = "1:15"
      interval-in-set-at = 12
      overtime-interval = "2:30"
      overtime-periods = 2
      overtime-goal-wins = true
      interval-lengths = ["1:00", "5:00"]
      half-time = "10:00"
      warm-up = "20:00"
      break-warning = "15s"
      [game.counters.timeouts]
      limit = 2
      limit-second-half = 3
      limit-overtime = 1
      reset = "half"
      keep-in-overtime = true
      time-out = true
      limit-per-half = 2
      limit-per-overtime = 0
      limit-late = 1
      late = "5:00"
      """)
    #expect(found(result) == [])
    let rules = try #require(result.configuration).game.rules
    #expect(rules.overtimeName == "EXTRA TIME" && rules.shortOvertimeName == "ET")
    #expect(rules.pointsToWin == 21 && rules.pointsToWinDeciding == 15 && rules.lead == 2 && rules.cap == 30)
    #expect(rules.periodsToWin == 3 && rules.periodEnd == .next && rules.pointNames == .tennis)
    #expect(
      rules.games
        == GameRules.Games(
          name: "LEG", plural: "LEGS", toWin: 6, lead: 2, tieBreakAt: 6, tieBreakPoints: 9,
          tieBreakPointsDeciding: 12, matchTieBreak: 10))
    #expect(rules.doubleOut && rules.turnLimit == 180)
    #expect(rules.serveRule == .rally && rules.servesInRow == 5)
    #expect(rules.firstServe == .winner && rules.firstServeDeciding == .toss)
    #expect(rules.sideChange == .periods && rules.sideChangeAt == 8)
    let second: Int64 = 1_000_000_000
    #expect(rules.penalties == [120 * second, 300 * second] && rules.penaltiesRunning == 2)
    #expect(rules.secondShot == 14 * second)
    #expect(rules.breaks.timeOut == 30 * second && rules.breaks.intervals == [60 * second, 300 * second])
    #expect(rules.breaks.halfTime == 600 * second && rules.breaks.warmUp == 1200 * second)
    #expect(rules.breaks.warning == 15 * second)
    #expect(rules.breaks.inSet == 75 * second && rules.breaks.inSetAt == 12)
    #expect(rules.breaks.overtimeInterval == 150 * second)
    #expect(rules.overtime.periods == 2 && rules.overtime.goalWins)
    var expected = GameRules.Counter(
      id: "timeouts", name: "TIMEOUTS", limit: 2, secondHalf: 3, overtime: 1, reset: .half,
      keepsInOvertime: true, startsTimeOut: true)
    (expected.limitPerHalf, expected.limitPerOvertime, expected.limitLate) = (2, 0, 1)
    expected.late = 300 * second
    #expect(rules.counter("timeouts") == expected)
  }

  @Test("A bad penalty is reported at its position in the array")
  func penalties() {
    let wrong = [("120", "99:59:59"), ("\"0s\"", "longer than 0 seconds"), ("\"2 minutes\"", "99:59:59")]
    for (value, words) in wrong {
      let problems = found(load("[game]\npenalties = [\"2:00\", \(value)]\n"))
      #expect(
        problems.count == 1 && problems[0].contains("2:22") && problems[0].contains(words), "\(problems)")
    }
  }

  @Test("Without [game], the preset is 'free'; a drop-in can change a single key")
  func defaults() {
    #expect(load("").configuration?.game == GameSettings())
    let files = [
      "[game]\npreset = \"darts\"\n[game.counters.a]\nlimit = 2\n", "[game.counters.a]\nname = \"A\"\n",
    ]
    let game = SettingsLoader.load(
      texts: files.enumerated().map { ("\($0.offset).toml", Array($0.element.utf8)) }, mode: .check
    ).configuration?.game
    #expect(game?.rules.preset == "darts" && game?.rules.counters.count == 1)
    #expect(game?.rules.counters.first?.limit == 2 && game?.rules.counters.first?.name == "A")
  }

  @Test(
    "[game] reports bad values at their positions",
    arguments: [
      Rejection("game", "preset", "\"basket\"", "must be \"free\""),
      Rejection("game", "preset", "\"tabletennis\"", "did you mean 'table-tennis'"),
      Rejection("game", "periods", "0", "from 1 to 99"),
      Rejection("game", "start-score", "1000", "from 0 to 999"),
      Rejection("game", "increments", "[]", "1 to 9 whole numbers"),
      Rejection("game", "increments", "[1, 1]", "each once"),
      Rejection("game", "increments", "[0]", "not 0"),
      Rejection("game", "increments", "[1.5]", "whole numbers"),
      Rejection("game", "increments", "[-9223372036854775807]", "whole numbers"),
      Rejection("game", "clock-length", "600", "write \"10:00\""),
      Rejection("game", "clock-length", "\"10:60\"", "99:59:59"),
      Rejection("game", "clock-length", "\"100:00:00\"", "99:59:59"),
      Rejection("game", "clock-length", "\"-1:00\"", "99:59:59"),
      Rejection("game", "shot-clock", "\"24\"", "24s"),
      Rejection("game", "counters", "3", "must be a table"),
      Rejection("game", "points-to-win", "-1", "from 0 to 999"),
      Rejection("game", "lead", "0", "from 1 to 99"),
      Rejection("game", "period-end", "\"auto\"", "\"hold\" or \"next\""),
      Rejection("game", "serve-rule", "\"raly\"", "did you mean 'rally'"),
      Rejection("game", "penalties", "\"2:00\"", "write [\"2:00\", \"5:00\"]"),
      Rejection("game", "penalties-running", "9", "from 0 to 8"),
      Rejection("game", "interval-lengths", "\"2:00\"", "up to 8 times in brackets"),
      Rejection("game.counters.fouls", "limit-late", "-1", "from 0 to 999"),
      Rejection("game.counters.fouls", "limit-overtime", "0", "from 1 to 999"),
      Rejection("game.counters.fouls", "limit", "1000", "from 0 to 999"),
      Rejection("game.counters.fouls", "reset", "\"set\"", "\"half\" or \"game\""),
    ])
  func rejections(_ rejection: Rejection) {
    #expect(problem(rejection) == nil)
  }

  @Test("Bad ids and too many counters are errors")
  func counterIDs() {
    #expect(
      found(load("[game.counters.Fouls]\nlimit = 1\n")).first?.contains("'Fouls' is not an id for a counter")
        == true)
    let many = (0..<17).map { "[game.counters.c\($0)]\nlimit = 1\n" }.joined()
    #expect(found(load(many)).first?.contains("at most 16 tables [game.counters.ID]") == true)
  }
}
