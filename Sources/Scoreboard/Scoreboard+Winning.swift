// SPDX-License-Identifier: Apache-2.0

// Who has won a game, a set and the match. All of it is derived from the scores, so that a correction of a
// score corrects it too.
extension Scoreboard {
  // MARK: The score

  /// The points that win the game or set that is played.
  var pointsToWin: Int {
    if let games = rules.games, isTieBreak {
      return isMatchTieBreak ? games.matchTieBreak : games.tieBreakPoints
    }
    return rules.isDeciding(period) && rules.pointsToWinDeciding > 0
      ? rules.pointsToWinDeciding : rules.pointsToWin
  }

  /// The tie-break of a set is played.
  public var isTieBreak: Bool {
    guard let games = rules.games else { return false }
    if isMatchTieBreak { return true }
    return games.tieBreakAt > 0 && teams.allSatisfy { $0.games == games.tieBreakAt }
  }

  /// A tie-break in place of the last set.
  private var isMatchTieBreak: Bool { rules.isDeciding(period) && (rules.games?.matchTieBreak ?? 0) > 0 }

  /// The team whose score wins the game or the set that is played; the rules may have no such score.
  var scoreWinner: Team? {
    guard rules.hasWinningScore else { return nil }
    if rules.countsDown { return teams.first { $0.score == 0 } }
    let (target, lead) = (pointsToWin, isTieBreak ? 2 : rules.lead)
    return teams.first { team in
      guard team.score >= target else { return false }
      return isAhead(team, by: lead, \.score)
        || (rules.cap > 0 && team.score >= rules.cap && isAhead(team, by: 1, \.score))
    }
  }

  private func isAhead(_ team: Team, by lead: Int, _ value: (Team) -> Int) -> Bool {
    teams.allSatisfy { $0.id == team.id || value(team) - value($0) >= lead }
  }

  // MARK: The set

  /// The team that has won the set that is played, before the next one is begun.
  public var periodWinner: Team? {
    guard rules.scoring == .sets else { return nil }
    guard let games = rules.games else { return scoreWinner }
    if isMatchTieBreak { return teams.first { $0.games > 0 } }
    return teams.first { team in
      team.games >= games.toWin && isAhead(team, by: games.lead, \.games)
        || games.tieBreakAt > 0 && team.games > games.tieBreakAt
    }
  }

  public var isPeriodOver: Bool { periodWinner != nil }

  /// How many sets a team has won: those in which no other did as well, and the one that is played when the
  /// team has won it.
  public func periodsWon(by team: Team) -> Int {
    team.periodScores.indices.count { isPeriodWon($0, by: team) } + (periodWinner?.id == team.id ? 1 : 0)
  }

  /// Whether no other team did as well in a period that is over, counted from 0.
  public func isPeriodWon(_ index: Int, by team: Team) -> Bool {
    guard team.periodScores.indices.contains(index) else { return false }
    // In sets of games more games always win.
    let isLower = rules.better == .lower && rules.games == nil
    return teams.allSatisfy { other in
      guard other.id != team.id, other.periodScores.indices.contains(index) else { return true }
      let (mine, theirs) = (team.periodScores[index], other.periodScores[index])
      return isLower ? mine < theirs : mine > theirs
    }
  }

  // MARK: The match

  /// Whether the rules end the match here: no points are accepted any more, corrections are. Where the clock
  /// decides, the rules never do.
  public var isMatchOver: Bool {
    switch rules.scoring {
    case .total: return scoreWinner != nil
    case .sets:
      if period >= rules.periods, isPeriodOver { return true }
      return rules.periodsToWin > 0 && teams.contains { periodsWon(by: $0) >= rules.periodsToWin }
    }
  }

  /// The winner of a match that is over; nil: it is not, or it is a draw.
  public var winner: Team? {
    guard isMatchOver else { return nil }
    guard rules.scoring == .sets else { return scoreWinner }
    return teams.first { isAhead($0, by: 1, periodsWon(by:)) }
  }

  // MARK: In words

  /// The match's result so far, in the order in which the teams were declared: `3 : 1`.
  public var resultText: String {
    teams.map { String(rules.scoring == .sets ? periodsWon(by: $0) : $0.score) }.joined(separator: " : ")
  }

  /// What the period that is played brought so far: `25 : 20`.
  var periodResultText: String {
    teams.map { String(periodScores(of: $0).last ?? 0) }.joined(separator: " : ")
  }
}
