// SPDX-License-Identifier: Apache-2.0

extension GameRules {
  /// What happens when a set is won.
  package enum PeriodEnd: String, CaseIterable, Hashable, Sendable {
    /// The score stays on the scoreboard until the operator begins the next set; until then points are
    /// refused.
    case hold
    /// The next set begins at once.
    case next
  }

  /// How the points of a game are displayed.
  package enum PointNames: String, CaseIterable, Hashable, Sendable {
    case numbers
    /// Points are shown as 0, 15, 30, 40 and AD; in a tie-break as numbers.
    case tennis
  }

  /// Who serves next.
  package enum ServeRule: String, CaseIterable, Hashable, Sendable {
    /// The team that the operator sets.
    case hand
    /// The team that won the rally.
    case rally
    /// The teams alternate after `servesInRow` points, and after every point from deuce on.
    case points
    /// The teams alternate after every game; in a tie-break after the first point and then after every second
    /// one.
    case games
    /// The teams alternate after every turn (darts).
    case turns
  }

  /// Who serves first in a set other than the first. Ignored with `ServeRule.hand` and `ServeRule.games`.
  package enum FirstServe: String, CaseIterable, Hashable, Sendable {
    /// The next team in turn after the one that served first in the previous set.
    case alternate
    /// The winner of the previous set.
    case winner
    /// Nobody serves first until the operator sets the team.
    case toss
  }

  package enum SideChange: String, CaseIterable, Hashable, Sendable {
    /// Sides change only when the operator swaps them.
    case hand
    /// Sides change after every period, and at `sideChangeAt` points in the last set.
    case periods
    /// Sides change after every odd game of a set, and in a tie-break after every six points.
    case games
  }

  /// The games that make up a set.
  package struct Games: Hashable, Sendable, Codable {
    /// The name on the scoreboard, e.g. `GAME`.
    package var name: String
    /// The heading of the number of games that a team has won; nil: the name.
    package var plural: String?
    /// How many games win the set, and by what lead.
    package var toWin: Int
    package var lead: Int
    /// A tie-break decides the set when each team has won this many games; 0: no tie-break.
    package var tieBreakAt: Int
    /// The points that win a tie-break, with a lead of two.
    package var tieBreakPoints: Int
    /// `tieBreakPoints` for the last set; 0: the same as in the other sets.
    package var tieBreakPointsDeciding: Int {
      get { decidingPoints ?? 0 }
      set { decidingPoints = newValue > 0 ? newValue : nil }
    }
    private var decidingPoints: Int?
    /// The points of a tie-break that replaces the last set; 0: the last set is played like the others.
    package var matchTieBreak: Int

    package init(
      name: String, plural: String? = nil, toWin: Int, lead: Int = 1, tieBreakAt: Int = 0,
      tieBreakPoints: Int = 7, tieBreakPointsDeciding: Int = 0,
      matchTieBreak: Int = 0
    ) {
      self.name = name
      self.plural = plural
      self.toWin = max(toWin, 1)
      self.lead = max(lead, 1)
      self.tieBreakAt = max(tieBreakAt, 0)
      self.tieBreakPoints = max(tieBreakPoints, 1)
      self.matchTieBreak = max(matchTieBreak, 0)
      self.tieBreakPointsDeciding = tieBreakPointsDeciding
    }
  }

  /// Whether scores count down from the start score to 0, which wins.
  package var countsDown: Bool { better == .lower && startScore > 0 }

  /// Whether some score wins a game, a set or the match.
  package var hasWinningScore: Bool { pointsToWin > 0 || countsDown }

  /// Whether a team can have this score in a set, whatever the others have. Where sets consist of games, it
  /// is the number of games.
  func isPossible(_ score: Int, inSet number: Int) -> Bool {
    guard scoring == .sets, hasWinningScore else { return true }
    if let games {
      if isDeciding(number), games.matchTieBreak > 0 { return score <= 1 }
      if games.lead > 1, games.tieBreakAt == 0 { return true }
      return score <= max(games.toWin, games.lead > 1 ? games.tieBreakAt + 1 : 0)
    }
    if countsDown { return score <= startScore }
    let target = pointsToWin(inSet: number)
    if lead > 1, cap == 0 { return true }
    return score <= max(target, lead > 1 ? cap : 0)
  }

  /// The points that win a set that does not consist of games.
  func pointsToWin(inSet number: Int) -> Int {
    isDeciding(number) && pointsToWinDeciding > 0 ? pointsToWinDeciding : pointsToWin
  }

  /// Whether `period` is the last possible set of the match; false if all sets are played in any case.
  func isDeciding(_ period: Int) -> Bool { scoring == .sets && periodsToWin > 0 && period == periods }
}
