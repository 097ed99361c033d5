// SPDX-License-Identifier: Apache-2.0

import Languages
import Testing

@testable import Scoreboard

/// Set points and match points. `PlayTests` compares them with what the points win in random matches.
@Suite struct WinningPointTests {
  /// What the next points of home and guest would win, as `set -`.
  private func points(_ scoreboard: Scoreboard) -> String {
    scoreboard.teams.map { scoreboard.winningPoint(of: $0)?.rawValue ?? "-" }.joined(separator: " ")
  }

  private func scoreboard(
    _ rules: GameRules, period: Int = 1, sets: [(Int, Int)] = [], _ home: Int, _ guest: Int
  ) throws -> Scoreboard {
    var scoreboard = Scoreboard(teams: [])
    scoreboard.adopt(declaredTeams, rules: rules)
    for (home, guest) in sets {
      for (team, score) in [("home", home), ("guest", guest)] {
        try scoreboard.apply(.setPeriodScore(team: team, period: scoreboard.period, to: score))
      }
      try scoreboard.apply(.addPeriod(by: 1))
    }
    for (team, score) in [("home", home), ("guest", guest)] {
      try scoreboard.apply(.setScore(team: team, to: score))
    }
    return scoreboard
  }

  @Test("Sets of points: at the points to win less one, with the lead, at the cap, in the last set")
  func sets() throws {
    let volleyball = GameRules(.volleyball)
    let (first, second) = ([(25, 20)], [(25, 20), (25, 20)])
    for (sets, home, guest, expected) in [
      ([], 23, 23, "- -"), ([], 24, 23, "set -"), ([], 24, 24, "- -"), ([], 24, 25, "- set"),
      (first, 24, 3, "set -"), (second, 24, 3, "match -"), (second, 3, 24, "- set"),
      (second + [(20, 25), (20, 25)], 14, 13, "match -"), (second + [(20, 25), (20, 25)], 13, 14, "- match"),
      // A set that is over, and a match that is over, have no such points.
      ([], 25, 23, "- -"), (second, 25, 3, "- -"),
    ] as [([(Int, Int)], Int, Int, String)] {
      #expect(
        try points(scoreboard(volleyball, sets: sets, home, guest)) == expected, "\(sets) \(home) : \(guest)")
    }
    // With the cap, both need one point.
    #expect(try points(scoreboard(GameRules(.badminton), 29, 29)) == "set set")
    #expect(try points(scoreboard(GameRules(.badminton), sets: [(21, 2)], 29, 29)) == "match set")
    // All sets are played, so the last one need not win the match.
    var all = GameRules(.tableTennis)
    (all.periods, all.periodsToWin) = (3, 0)
    #expect(try points(scoreboard(all, sets: [(11, 2), (11, 2)], 10, 10 - 1)) == "match -")
    #expect(try points(scoreboard(all, sets: [(11, 2), (11, 2)], 2, 10)) == "- set")
  }

  @Test("Tennis: the point that wins the game that wins the set, in deuces and tie-breaks too")
  func tennis() throws {
    let rules = GameRules(.tennis)
    for (sets, games, home, guest, expected) in [
      ([], (5, 4), 40, 30, "set -"), ([], (5, 4), 30, 40, "- -"), ([], (5, 5), 40, 0, "- -"),
      ([], (6, 5), 40, 15, "set -"), ([], (5, 4), 40, 40, "- -"), ([], (5, 3), 0, 40, "- -"),
      ([], (6, 6), 6, 5, "set -"), ([], (6, 6), 6, 6, "- -"), ([], (6, 6), 5, 6, "- set"),
      ([(6, 4)], (5, 4), 40, 30, "match -"), ([(6, 4)], (4, 5), 30, 40, "- set"),
      ([(6, 4), (4, 6)], (4, 5), 30, 40, "- match"), ([(6, 4), (4, 6)], (6, 6), 6, 0, "match -"),
    ] as [([(Int, Int)], (Int, Int), Int, Int, String)] {
      var board = try scoreboard(rules, sets: sets, 0, 0)
      for (team, count) in [("home", games.0), ("guest", games.1)] {
        try board.apply(.setPeriodScore(team: team, period: board.period, to: count))
      }
      for (team, score) in [("home", home), ("guest", guest)] {
        try board.apply(.setScore(team: team, to: score))
      }
      #expect(points(board) == expected, "\(sets) \(games) \(home) : \(guest)")
    }
    // An advantage.
    var board = try scoreboard(rules, 0, 0)
    try board.apply(.setPeriodScore(team: "home", period: 1, to: 5))
    for team in ["home", "guest"] { try board.apply(.setScore(team: team, to: 40)) }
    #expect(points(board) == "- -")
    try board.apply(.addScore(team: "home", by: 1))
    #expect(points(board) == "set -")
    // Without advantages, the point at 40 : 40 decides.
    var plain = rules
    plain.lead = 1
    board = try scoreboard(plain, 0, 0)
    for team in ["home", "guest"] {
      try board.apply(.setPeriodScore(team: team, period: 1, to: 5))
      try board.apply(.setScore(team: team, to: 40))
    }
    #expect(points(board) == "- -")
    try board.apply(.setPeriodScore(team: "guest", period: 1, to: 4))
    #expect(points(board) == "set -")
  }

  @Test("A free game to a number of points has match points; games that the clock ends, and darts, have none")
  func others() throws {
    var free = GameRules(.free)
    free.pointsToWin = 21
    #expect(try points(scoreboard(free, 20, 3)) == "match -")
    for preset in GameRules.Preset.allCases where GameRules(preset).pointsToWin == 0 {
      let rules = GameRules(preset)
      #expect(!rules.hasWinningPoints)
      #expect(try points(scoreboard(rules, rules.countsDown ? 1 : 99, 0)) == "- -")
    }
  }

  @Test("The names are those of the game in the display's language; an older release has none")
  func names() throws {
    let german = try #require(Language("de")).words
    #expect(
      try scoreboard(GameRules(.volleyball), 24, 0).winningPointText(of: declaredTeams[0]) == "SET POINT")
    let badminton = GameRules(.badminton, words: german)
    #expect(try scoreboard(badminton, 20, 0).winningPointText(of: declaredTeams[0]) == "SATZBALL")
    #expect(
      try scoreboard(badminton, sets: [(21, 3)], 20, 0).winningPointText(of: declaredTeams[0]) == "MATCHBALL")
  }
}
