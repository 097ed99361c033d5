// SPDX-License-Identifier: Apache-2.0

/// What the next point of a team would win.
package enum WinningPoint: String, CaseIterable, Hashable, Sendable, Codable {
  case set
  case match
}

extension GameRules {
  /// The names of set points and match points on the scoreboard.
  package struct WinningPointNames: Hashable, Sendable, Codable {
    package var set = "SET POINT"
    package var match = "MATCH POINT"

    package init() {}

    package init(set: String, match: String) {
      self.set = set
      self.match = match
    }

    package subscript(_ point: WinningPoint) -> String {
      switch point {
      case .set: set
      case .match: match
      }
    }
  }

  /// Whether a single point can win a set or the match. In darts, the remaining score says what is needed.
  package var hasWinningPoints: Bool { hasWinningScore && !countsDown }
}

extension KeyedDecodingContainer {
  /// The rules of an older release have no such names.
  func decode(
    _ type: GameRules.WinningPointNames.Type, forKey key: Key
  ) throws -> GameRules.WinningPointNames {
    try decodeIfPresent(type, forKey: key) ?? GameRules.WinningPointNames()
  }
}

extension Scoreboard {
  /// What a team would win with its next point; nil: neither the set nor the match. The point is played on a
  /// copy, so that the same rules apply.
  package func winningPoint(of team: Team) -> WinningPoint? {
    guard rules.hasWinningPoints, let index = teams.firstIndex(where: { $0.id == team.id }) else {
      return nil
    }
    var next = self
    do throws(Refusal) { try next.addPoints(1, at: index) } catch { return nil }
    if next.winner?.id == team.id { return .match }
    return next.periodsWon(by: next.teams[index]) > periodsWon(by: teams[index]) ? .set : nil
  }

  /// `SET POINT`, `MATCH POINT`; nil: the team's next point wins neither.
  package func winningPointText(of team: Team) -> String? {
    winningPoint(of: team).map { rules.winningPointNames[$0] }
  }
}
