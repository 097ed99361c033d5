// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Scoreboard

/// The changes of ends and the tie-breaks of tennis, by the Rules of Tennis of the ITF (rules 5, 6 and 10).
@Suite struct TennisTests {
  /// Plays a match and records an issue wherever the ends differ from the sheet: `h` and `g` win a game, in
  /// parentheses a point of a tie-break, and `|` is a change of ends. Each line is a set.
  private func play(_ sheet: String, _ rules: GameRules = GameRules(.tennis)) throws -> CheckedMatch {
    var rules = rules
    rules.sideChange = .games
    var match = CheckedMatch(rules)
    try match.apply(.setServing(team: "home"), at: 0)
    var (isSwapped, isTieBreak) = (false, false)
    for (set, line) in sheet.split(separator: "\n").enumerated() {
      #expect(match.scoreboard.period == set + 1)
      let marks = line.filter { $0 != " " }
      for (index, mark) in zip(marks.indices, marks) {
        switch mark {
        case "(", ")": isTieBreak = mark == "("
        case "|": isSwapped.toggle()
        default:
          #expect(match.scoreboard.sidesSwapped == isSwapped, "before \(marks[index...])")
          #expect(match.scoreboard.isTieBreak == isTieBreak, "before \(marks[index...])")
          try match.apply(.addScore(team: mark == "h" ? "home" : "guest", by: isTieBreak ? 1 : 4), at: 0)
        }
      }
    }
    #expect(match.scoreboard.sidesSwapped == isSwapped)
    return match
  }

  @Test("A Grand Slam match: ends after odd games and six points, a tie-break to 10 at 6 : 6 of the last set")
  func grandSlam() throws {
    var rules = GameRules(.tennis)
    rules.games?.tieBreakPointsDeciding = 10
    let match = try play(
      """
      h | g h | g h | g h | g h | g h | g (hhhhgh | hh) |
      g | g g | h g | h g | h h | g
      h | g h | g h | g h | g h | g h | g (hhhhhh | hggggg | gghggh | hh)
      """, rules)
    let scoreboard = match.scoreboard
    #expect(scoreboard.winner?.id == "home" && scoreboard.resultText == "2 : 1")
    #expect(scoreboard.teams.map { scoreboard.periodScores(of: $0) } == [[7, 4, 7], [6, 6, 6]])
    try match.replay(at: 0)
  }

  @Test("After a set with an even number of games, the ends change after the first game of the next")
  func evenSets() throws {
    let match = try play("h | h h | h h | h\ng | g g | g g | h g |\nh | h h | h h | h")
    #expect(match.scoreboard.winner?.id == "home")
    try match.replay(at: 0)
  }

  @Test("A tie-break instead of the last set changes the ends after each six points")
  func matchTieBreak() throws {
    var rules = GameRules(.tennis)
    rules.games?.matchTieBreak = 10
    let match = try play("h | h h | h h | h\ng | g g | g g | g\n(hghghg | hghghg | ghghgg)", rules)
    #expect(match.scoreboard.winner?.id == "guest" && match.scoreboard.resultText == "1 : 2")
    try match.replay(at: 0)
  }

  @Test("A correction of points or games corrects the ends")
  func corrections() throws {
    var match = try play("h | g h | g h | g h | g h | g h | g (hghgh")
    // 6 : 6 and 3 : 2 in the tie-break, after six changes.
    for (action, isSwapped) in [
      (.addScore(team: "guest", by: 1), true), (.addScore(team: "guest", by: -1), false),
      (.addScore(team: "home", by: 1), true), (.setScore(team: "home", to: 0), false),
      (.setPeriodScore(team: "home", period: 1, to: 7), true),
      (.setPeriodScore(team: "guest", period: 1, to: 5), false),
      (.addPeriod(by: 1), false), (.setPeriodScore(team: "guest", period: 1, to: 6), true), (.undo, false),
      (.setPeriodScore(team: "guest", period: 2, to: 1), true), (.addPeriod(by: -1), false),
    ] as [(Scoreboard.Action, Bool)] {
      try match.apply(action, at: 0)
      #expect(match.scoreboard.sidesSwapped == isSwapped, "\(action)")
    }
  }

  @Test("The points of the last set do not apply to its games")
  func pointsOfTheLastSet() throws {
    var rules = GameRules(.tennis)
    rules.pointsToWinDeciding = 10
    let match = try play("h | h h | h h | h\ng | g g | g g | g\nh | h h | h h | h", rules)
    #expect(match.scoreboard.winner?.id == "home")
  }
}
