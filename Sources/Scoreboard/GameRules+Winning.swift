// SPDX-License-Identifier: Apache-2.0

extension GameRules {
  /// What happens when a set is won.
  public enum PeriodEnd: String, CaseIterable, Hashable, Sendable {
    /// Its score stays on the board until somebody begins the next set; no points are accepted meanwhile.
    case hold
    /// The next set begins at once.
    case next
  }

  /// What the points of a game are called.
  public enum PointNames: String, CaseIterable, Hashable, Sendable {
    case numbers
    /// 0, 15, 30, 40 and AD; numbers in a tie-break.
    case tennis
  }

  /// Who serves next.
  public enum ServeRule: String, CaseIterable, Hashable, Sendable {
    /// Whoever the operator says.
    case hand
    /// The team that won the rally.
    case rally
    /// The teams take turns after `servesInRow` points, and after every point from deuce on.
    case points
    /// The teams take turns after every game; in a tie-break after the first point and then every two.
    case games
    /// The teams take turns after every score (darts).
    case turns
  }

  /// Who serves first in a set that is not the first.
  public enum FirstServe: String, CaseIterable, Hashable, Sendable {
    /// Not the team that did in the set before.
    case alternate
    /// The winner of the set before.
    case winner
    /// Nobody until the operator says who.
    case toss
  }

  public enum SideChange: String, CaseIterable, Hashable, Sendable {
    /// When the operator says so.
    case hand
    /// After every set, and at `sideChangeAt` in the last one.
    case periods
  }

  /// The games, or legs, of which a set consists.
  public struct Games: Hashable, Sendable {
    /// As a board says it: `GAME`.
    public var name: String
    /// Games that win the set, and how far ahead the winner must be.
    public var toWin: Int
    public var lead: Int
    /// With so many games each a tie-break decides the set; 0: there is none.
    public var tieBreakAt: Int
    /// Points that win a tie-break, with a lead of two.
    public var tieBreakPoints: Int
    /// A tie-break to so many points replaces the last set; 0: it is played as the others.
    public var matchTieBreak: Int

    public init(
      name: String, toWin: Int, lead: Int = 1, tieBreakAt: Int = 0, tieBreakPoints: Int = 7,
      matchTieBreak: Int = 0
    ) {
      self.name = name
      self.toWin = max(toWin, 1)
      self.lead = max(lead, 1)
      self.tieBreakAt = max(tieBreakAt, 0)
      self.tieBreakPoints = max(tieBreakPoints, 1)
      self.matchTieBreak = max(matchTieBreak, 0)
    }
  }

  /// Scores go down from the start score, and 0 wins.
  public var countsDown: Bool { better == .lower && startScore > 0 }

  /// Whether a score can win a set or the match.
  public var hasWinningScore: Bool { pointsToWin > 0 || countsDown }

  /// The last set of a match that the others have not decided.
  func isDeciding(_ period: Int) -> Bool { scoring == .sets && periodsToWin > 0 && period == periods }
}
