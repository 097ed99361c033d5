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
      Rejection("game.counters.fouls", "limit", "1000", "from 0 to 999"),
      Rejection("game.counters.fouls", "reset", "\"set\"", "\"period\" or \"game\""),
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
