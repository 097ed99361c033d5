// SPDX-License-Identifier: Apache-2.0

// Who has won a game, a set and the match. This is derived from the scores of the current and past periods
// and from the games won, so a correction of these also corrects the result.
extension Scoreboard {
  // MARK: The score

  /// The points that win the current game or set, or the match if `rules.scoring` is `.total`.
  var pointsToWin: Int {
    guard let games = rules.games else { return rules.pointsToWin(inSet: period) }
    guard isTieBreak else { return rules.pointsToWin }
    if isMatchTieBreak { return games.matchTieBreak }
    return rules.isDeciding(period) && games.tieBreakPointsDeciding > 0
      ? games.tieBreakPointsDeciding : games.tieBreakPoints
  }

  /// Whether a tie-break is being played.
  package var isTieBreak: Bool {
    guard let games = rules.games else { return false }
    if isMatchTieBreak { return true }
    return games.tieBreakAt > 0 && teams.allSatisfy { $0.games == games.tieBreakAt }
  }

  /// Whether the current set is the last possible one and is played as a tie-break.
  private var isMatchTieBreak: Bool { rules.isDeciding(period) && (rules.games?.matchTieBreak ?? 0) > 0 }

  /// The team whose score wins the current game or set, or the match if `rules.scoring` is `.total`. Nil if
  /// no team has a winning score, or the rules have none.
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

  /// The winner of the current set, until the next one begins.
  package var periodWinner: Team? {
    guard rules.scoring == .sets else { return nil }
    guard let games = rules.games else { return scoreWinner }
    if isMatchTieBreak { return teams.first { $0.games > 0 } }
    return teams.first { team in
      team.games >= games.toWin && isAhead(team, by: games.lead, \.games)
        || games.tieBreakAt > 0 && team.games > games.tieBreakAt
    }
  }

  package var isPeriodOver: Bool { periodWinner != nil }

  /// How many sets a team has won, including the current one once it is won. A tied set counts for nobody.
  package func periodsWon(by team: Team) -> Int {
    team.periodScores.indices.count { isPeriodWon($0, by: team) } + (periodWinner?.id == team.id ? 1 : 0)
  }

  /// Whether a team did better than every other in the past period `index`, counted from 0.
  package func isPeriodWon(_ index: Int, by team: Team) -> Bool {
    guard team.periodScores.indices.contains(index) else { return false }
    // Where sets consist of games, more games are always better.
    let isLower = rules.better == .lower && rules.games == nil
    return teams.allSatisfy { other in
      guard other.id != team.id, other.periodScores.indices.contains(index) else { return true }
      let (mine, theirs) = (team.periodScores[index], other.periodScores[index])
      return isLower ? mine < theirs : mine > theirs
    }
  }

  // MARK: The match

  /// Whether the match is over by the rules, or was ended by hand: points of sets are refused, corrections
  /// accepted. By the rules it is never over if they have neither a winning score nor a number of sets to
  /// win, and no goal wins in overtime.
  package var isMatchOver: Bool {
    if isEnded { return true }
    switch rules.scoring {
    case .total:
      return scoreWinner != nil || rules.overtime.goalWins && rules.isOvertime(period) && leader != nil
    case .sets:
      if period >= rules.periods, isPeriodOver { return true }
      return rules.periodsToWin > 0 && teams.contains { periodsWon(by: $0) >= rules.periodsToWin }
    }
  }

  /// The winner of a finished match; nil while it is not over, or for a draw.
  package var winner: Team? { isMatchOver ? leader : nil }

  /// Whether the match is over: by the rules, or because the time of the last period or of an overtime is up
  /// and a team leads. In the second case points are still accepted.
  package func isFinished(at now: Int64) -> Bool {
    if isMatchOver { return true }
    return rules.scoring == .total && rules.canEnd(after: period) && leader != nil && isTimeUp(at: now)
  }

  /// Whether a match that was replaced by a new game was abandoned: the rules or the clock could have ended
  /// it, and have not. A draw at the end of the time is a result.
  package func isAbandoned(at now: Int64) -> Bool {
    let hasEnd = rules.scoring == .sets || rules.hasWinningScore || course(of: .game)?.end != nil
    return hasEnd && !isFinished(at: now) && !isAtFullTime(at: now)
  }

  /// Whether anything has been scored, or the match was ended by hand or played to the end of its time.
  package func hasResult(at now: Int64) -> Bool {
    isEnded || isAtFullTime(at: now) || teams.contains { hasScored($0, in: 1...period) }
  }

  private func isAtFullTime(at now: Int64) -> Bool {
    rules.scoring == .total && rules.canEnd(after: period)
      && reading(of: .game, at: now).map { $0.hasEnded } ?? false
  }

  private func hasScored(_ team: Team, in periods: ClosedRange<Int>) -> Bool {
    let start = rules.scoring == .sets && rules.games == nil ? rules.startScore : 0
    return periodScores(of: team)[(periods.lowerBound - 1)...(periods.upperBound - 1)].contains {
      $0 != start
    }
      || rules.games != nil && periods.contains(period) && team.score != rules.startScore
  }

  /// The number of the last period that was played: in one after it nobody has scored, and no clock was
  /// started.
  package func lastPlayedPeriod(at now: Int64) -> Int {
    if isFinished(at: now) && !isEnded || isAtFullTime(at: now)
      || rules.scoring == .total && hasStarted(.game)
    {
      return period
    }
    return (1...period).last { number in teams.contains { hasScored($0, in: number...number) } } ?? 1
  }

  /// Whether the game clock has stopped at the end of the current period or, if it counts on, after it.
  func isTimeUp(at now: Int64) -> Bool {
    guard let clock = reading(of: .game, at: now) else { return false }
    return clock.hasEnded && !clock.isRunning
  }

  /// The team that is ahead of all others, by the sets won or else by the score; nil: none.
  package var leader: Team? {
    rules.scoring == .total ? scoreLeader : teams.first { isAhead($0, by: 1, periodsWon(by:)) }
  }

  // MARK: Texts

  /// The result so far, in the order in which the teams were declared: `3 : 1`.
  package var resultText: String {
    teams.map { String(rules.scoring == .sets ? periodsWon(by: $0) : $0.score) }.joined(separator: " : ")
  }

  /// The result of the current period so far: `25 : 20`.
  var periodResultText: String {
    teams.map { String(periodScores(of: $0).last ?? 0) }.joined(separator: " : ")
  }
}
