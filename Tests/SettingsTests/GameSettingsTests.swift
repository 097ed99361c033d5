// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Settings

@Suite struct GameSettingsTests {
  @Test("[game] takes a preset and what is other than in it")
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
    #expect(game.preset == .tableTennis && game.resume == .running && game.periods == 7)
    #expect(game.periodName == "GAME" && game.scoring == .sets && game.startScore == 21)
    #expect(game.better == .lower && game.increments == [-1, 5] && game.serve == .serve)
    #expect(game.clock == .up && game.clockLength == 5400 && game.overtimeLength == 5400)
    #expect(game.clockWarning == 1.5 && game.clockEnd == .countOn && game.clockContinues == true)
    #expect(game.shotClock == 0.5 && game.shotClockWarning == 0 && game.shotClockFollows == false)
    #expect(game.counters.map(\.id) == ["fouls", "cards"] && game.counters[0].limit == 5)
    #expect(game.counters[1].name == "CARDS" && game.counters[1].reset == .period)
  }

  @Test("[game] takes the rules of sets, serve, overtime and penalties")
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
      [game.counters.timeouts]
      limit = 2
      limit-second-half = 3
      limit-overtime = 1
      reset = "half"
      keep-in-overtime = true
      """)
    #expect(found(result) == [])
    let game = try #require(result.configuration).game
    #expect(game.overtimeName == "EXTRA TIME" && game.shortOvertimeName == "ET")
    #expect(game.pointsToWin == 21 && game.pointsToWinDeciding == 15 && game.lead == 2 && game.cap == 30)
    #expect(game.periodsToWin == 3 && game.periodEnd == .next && game.pointNames == .tennis)
    #expect(game.gamesToWin == 6 && game.gamesLead == 2 && game.gameName == "LEG")
    #expect(game.tieBreakAt == 6 && game.tieBreakPoints == 9 && game.matchTieBreak == 10)
    #expect(game.doubleOut == true && game.turnLimit == 180)
    #expect(game.serveRule == .rally && game.servesInRow == 5)
    #expect(game.firstServe == .winner && game.firstServeDeciding == .toss)
    #expect(game.sideChange == .periods && game.sideChangeAt == 8)
    #expect(game.penalties == [120, 300] && game.penaltiesRunning == 2 && game.shotClockSecond == 14)
    let counter = try #require(game.counters.first)
    #expect(counter.limit == 2 && counter.secondHalfLimit == 3 && counter.overtimeLimit == 1)
    #expect(counter.reset == .half && counter.keepsInOvertime == true)
  }

  @Test("A penalty that is not one is told where it is in the array")
  func penalties() {
    let wrong = [("120", "99:59:59"), ("\"0s\"", "longer than 0 seconds"), ("\"2 minutes\"", "99:59:59")]
    for (value, words) in wrong {
      let problems = found(load("[game]\npenalties = [\"2:00\", \(value)]\n"))
      #expect(
        problems.count == 1 && problems[0].contains("2:22") && problems[0].contains(words), "\(problems)")
    }
  }

  @Test("Without [game] it is a free one, and a drop-in changes a key of it")
  func defaults() {
    #expect(load("").configuration?.game == GameSettings())
    let files = [
      "[game]\npreset = \"darts\"\n[game.counters.a]\nlimit = 2\n", "[game.counters.a]\nname = \"A\"\n",
    ]
    let game = SettingsLoader.load(
      texts: files.enumerated().map { ("\($0.offset).toml", Array($0.element.utf8)) }, mode: .check
    ).configuration?.game
    #expect(game?.preset == .darts && game?.counters.count == 1)
    #expect(game?.counters.first?.limit == 2 && game?.counters.first?.name == "A")
  }

  @Test(
    "What [game] does not take is told where it stands",
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
      Rejection("game.counters.fouls", "limit-overtime", "0", "from 1 to 999"),
      Rejection("game.counters.fouls", "limit", "1000", "from 0 to 999"),
      Rejection("game.counters.fouls", "reset", "\"set\"", "\"half\" or \"game\""),
    ])
  func rejections(_ rejection: Rejection) {
    #expect(problem(rejection) == nil)
  }

  @Test("A counter's id is one, and there are not too many")
  func counterIDs() {
    #expect(
      found(load("[game.counters.Fouls]\nlimit = 1\n")).first?.contains("'Fouls' is no id for a counter")
        == true)
    let many = (0..<17).map { "[game.counters.c\($0)]\nlimit = 1\n" }.joined()
    #expect(found(load(many)).first?.contains("more than 16 counters") == true)
  }
}
