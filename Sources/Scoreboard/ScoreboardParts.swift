// SPDX-License-Identifier: Apache-2.0

/// What the scoreboard of a game shows besides the names and the points. A display shows less where its
/// config says so, or where there is no space.
package struct ScoreboardParts: Hashable, Sendable {
  /// How the scoreboard of a game is composed.
  package enum Kind: String, Hashable, Sendable {
    /// The points of all periods add up.
    case total
    /// Periods are won by points.
    case sets
    /// Periods consist of games, or count down: a row for each player.
    case rows
  }

  package let kind: Kind
  /// Whether the game has more than one period.
  package let hasPeriods: Bool
  /// Whether the numbers of periods won are shown.
  package let hasPeriodsWon: Bool
  /// Whether sets consist of games.
  package let hasGames: Bool
  /// Whether the points of the past periods are shown.
  package let hasPeriodPoints: Bool
  /// The clocks of the match, without that of a break.
  package let clocks: [GameTimer.ID]
  package let counters: [GameRules.Counter]
  package let hasPenalties: Bool

  /// Whether a counter is shown after a match whose points add up.
  package static func isResult(_ counter: GameRules.Counter) -> Bool {
    !counter.startsTimeOut && counter.reset == .game
  }

  /// - Parameters:
  ///   - scoreboard: nil: before the match has begun.
  ///   - isOver: whether the end of the match is shown, without what only matters during play where points
  ///     add up: penalties, time-outs, and what begins at 0 in each part of the match. The points of the
  ///     periods get their space.
  package init(_ rules: GameRules, _ scoreboard: Scoreboard?, isOver: Bool = false) {
    let isResult = isOver && rules.scoring == .total
    counters = isResult ? rules.counters.filter(Self.isResult) : rules.counters
    hasPenalties = !rules.penalties.isEmpty && !isResult
    kind = rules.scoring == .total ? .total : rules.games != nil || rules.countsDown ? .rows : .sets
    hasPeriods = rules.scoring == .sets || rules.periods > 1
    hasPeriodsWon = rules.scoring == .sets
    hasGames = rules.games != nil
    // In darts, the points that were left in past legs say nothing about the match.
    hasPeriodPoints = hasPeriods && rules.better == .higher
    // A stopwatch that nobody has started takes no space.
    clocks = rules.timers.filter { rules.timer($0)?.length != 0 || scoreboard?.hasStarted($0) == true }
  }
}

extension Scoreboard {
  /// What teams have scored in a period.
  package struct PastPeriod: Hashable, Sendable {
    /// Counted from 1.
    package var number: Int
    /// In the order of the teams.
    package var points: [Int]
    /// The index of the team that has won the period: it has better points than all others. Nil for a set
    /// that was broken off.
    package var best: Int?
    /// The points of the teams in the tie-break that decided the period; nil: there was none.
    package var tieBreak: [Int]?
    /// What the teams had in the game or the tie-break within which the match has ended, as it was displayed;
    /// nil: it has not ended within one.
    package var brokenOff: [String]?
  }

  /// The past periods, and the current one when it is over. When the match has ended, all that were played.
  package func pastPeriods(of teams: [Team], at now: Int64) -> [PastPeriod] {
    let scores = teams.map(periodScores(of:))
    let count = isFinished(at: now) ? lastPlayedPeriod(at: now) : isPeriodOver ? period : period - 1
    // Where sets consist of games, more games are always better.
    let isLower = rules.better == .lower && rules.games == nil
    return (0..<(teams.isEmpty ? 0 : count)).map { index in
      let points = scores.map { index < $0.count ? $0[index] : 0 }
      let best = isLower ? points.min() : points.max()
      let leaders = points.indices.filter { points[$0] == best }
      let isBrokenOff = rules.scoring == .sets && index + 1 == period && !isPeriodOver
      return PastPeriod(
        number: index + 1, points: points, best: leaders.count == 1 && !isBrokenOff ? leaders[0] : nil,
        tieBreak: tieBreak(inPeriod: index + 1, of: teams),
        brokenOff: index + 1 == period ? pointsInGame(of: teams) : nil)
    }
  }

  /// What the teams have in the game or the tie-break that is played, as it is displayed; nil: nobody has a
  /// point in one.
  package func pointsInGame(of teams: [Team]) -> [String]? {
    guard rules.games != nil, teams.contains(where: { $0.score != rules.startScore }) else { return nil }
    return teams.map(pointsText)
  }

  /// The points of the teams in the tie-break that decided a period; nil: there was none, or a correction has
  /// given the set another winner or more games.
  package func tieBreak(inPeriod number: Int, of teams: [Team]) -> [Int]? {
    let points = teams.compactMap { $0.tieBreaks[number] }
    let games = teams.compactMap { team in
      let scores = periodScores(of: team)
      return scores.indices.contains(number - 1) ? scores[number - 1] : nil
    }
    guard rules.games != nil, !teams.isEmpty, points.count == teams.count, games.count == teams.count,
      let most = games.max(), let winner = games.firstIndex(of: most)
    else { return nil }
    let others = games.indices.filter { $0 != winner }
    return others.allSatisfy { games[$0] == most - 1 && points[$0] < points[winner] } ? points : nil
  }

  /// The team with a frame around its score: it has won the set or the match, or it leads when the time of
  /// the match is up.
  package func framed(at now: Int64) -> Team? { isFinished(at: now) ? leader : periodWinner }

  /// Whether the frame is around the number of sets that the team has won, because it has not won the current
  /// one: the match was ended by hand, or all sets are played.
  package func framesPeriodsWon(at now: Int64) -> Bool {
    rules.scoring == .sets && framed(at: now)?.id != periodWinner?.id
  }

  /// The name and number of the current period, e.g. `SET` and 3. Overtimes count from 1 again.
  package var periodParts: (name: String, number: Int) {
    rules.isOvertime(period)
      ? (rules.overtimeName, period - rules.periods)
      : (rules.ownName(ofPeriod: period) ?? rules.periodName, period)
  }
}
