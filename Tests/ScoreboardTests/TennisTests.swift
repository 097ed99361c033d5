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

  // MARK: Tie-breaks

  private struct TieBreak: Sendable, CustomTestStringConvertible {
    var matchTieBreak = 0
    var deciding = 0
    var periodEnd = GameRules.PeriodEnd.next
    var isLast = false
    var winner = "home"
    var lost = 0
    var testDescription: String { "\(self)" }

    /// All kinds of tie-breaks, with every number of points of the loser.
    static let all: [TieBreak] = {
      var all: [TieBreak] = []
      for (matchTieBreak, deciding) in [(0, 0), (10, 0), (0, 10)] {
        for periodEnd in GameRules.PeriodEnd.allCases {
          for isLast in [false, true] {
            for winner in ["home", "guest"] {
              for lost in [0, 5, 8, 11] {
                all.append(
                  TieBreak(
                    matchTieBreak: matchTieBreak, deciding: deciding, periodEnd: periodEnd, isLast: isLast,
                    winner: winner, lost: lost))
              }
            }
          }
        }
      }
      return all
    }()
  }

  @Test(
    "The points of a tie-break are kept with its set, in whatever set it is played", arguments: TieBreak.all)
  private func tieBreakPoints(_ kind: TieBreak) throws {
    var rules = GameRules(.tennis)
    rules.games?.matchTieBreak = kind.matchTieBreak
    rules.games?.tieBreakPointsDeciding = kind.deciding
    rules.periodEnd = kind.periodEnd
    var match = CheckedMatch(rules)
    let set = kind.isLast ? 3 : 1
    if kind.isLast {
      for (period, team) in [(1, "home"), (2, "guest")] {
        try match.apply(.setPeriod(to: period), at: 0)
        try match.apply(.setPeriodScore(team: team, period: period, to: 6), at: 0)
      }
      try match.apply(.setPeriod(to: 3), at: 0)
    }
    if !(kind.isLast && kind.matchTieBreak > 0) {
      // The games alternate, so that nobody wins the set before the tie-break.
      for team in ["home", "guest"] {
        try match.apply(.setPeriodScore(team: team, period: set, to: 5), at: 0)
      }
      for team in ["home", "guest"] { try match.apply(.addScore(team: team, by: 4), at: 0) }
    }
    #expect(match.scoreboard.isTieBreak)
    let loser = kind.winner == "home" ? "guest" : "home"
    for _ in 0..<kind.lost {
      for team in [loser, kind.winner] { try match.apply(.addScore(team: team, by: 1), at: 0) }
    }
    func points() -> [Int]? { match.scoreboard.tieBreak(inPeriod: set, of: match.scoreboard.teams) }
    var won = kind.lost
    while points() == nil, won < 30 {
      try match.apply(.addScore(team: kind.winner, by: 1), at: 0)
      won += 1
    }
    let expected = kind.winner == "home" ? [won, kind.lost] : [kind.lost, won]
    #expect(points() == expected && won >= kind.lost + 2)
    if match.scoreboard.period == set, match.scoreboard.hasNextPeriod {
      try match.apply(.addPeriod(by: 1), at: 0)
      #expect(points() == expected)
      try match.apply(.addPeriod(by: -1), at: 0)
    }
    #expect(points() == expected)
    #expect(
      match.scoreboard.pastPeriods(of: match.scoreboard.teams, at: 0).contains { $0.tieBreak == expected })
    // A correction to another winner has no tie-break.
    var corrected = match
    for (team, games) in [(kind.winner, 6), (loser, 7)] {
      try corrected.apply(.setPeriodScore(team: team, period: set, to: games, anyway: true), at: 0)
    }
    #expect(corrected.scoreboard.tieBreak(inPeriod: set, of: corrected.scoreboard.teams) == nil)
    try match.replay(at: 0)
    try match.apply(.newGame, at: 0)
    #expect(match.scoreboard.teams.allSatisfy { $0.tieBreaks.isEmpty })
  }
}
