// SPDX-License-Identifier: Apache-2.0

// Points, and what the rules derive from them: the serve, games, sets and changes of sides.
extension Scoreboard {
  /// Sets a score directly, as a correction. Also accepted when the set or the match is over, but then it
  /// wins nothing.
  mutating func setScore(_ score: Int, at index: Int, anyway: Bool) throws(Refusal) {
    let score = try namedPoints(score, at: index)
    guard Self.scores.contains(score) else { throw .scoreOutOfRange(score) }
    try refuseAboveStart(score)
    if rules.games == nil, !anyway { try refuseImpossible(score, inSet: period) }
    let wasOver = isPeriodOver || isMatchOver
    setPoints(score, at: index)
    if !wasOver { award() }
  }

  /// Converts a score as it is announced to a number of points: in tennis, 15, 30 and 40 are the first three
  /// points. Numbers of points are accepted, too, unless they would win the game.
  private func namedPoints(_ score: Int, at index: Int) throws(Refusal) -> Int {
    guard rules.pointNames == .tennis, !isTieBreak, Self.scores.contains(score) else { return score }
    let points = [15: 1, 30: 2, 40: 3][score] ?? score
    guard rules.pointsToWin > 0, points >= rules.pointsToWin else { return points }
    // The points that would win the game are accepted only as an advantage, or as deuce after the other
    // team's advantage.
    let best = teams.indices.filter { $0 != index }.map { teams[$0].score }.max() ?? 0
    guard points == rules.pointsToWin, points - best < rules.lead else {
      throw .notTennisPoints(score: score)
    }
    return points
  }

  /// Refuses a score that no team can have in a set, whatever the others have.
  func refuseImpossible(_ score: Int, inSet number: Int) throws(Refusal) {
    guard !rules.isPossible(score, inSet: number) else { return }
    throw .scoreLimited(score: score, set: rules.englishText(ofSet: number))
  }

  /// Refuses a score above the start score, where scores count down.
  private func refuseAboveStart(_ score: Int) throws(Refusal) {
    guard rules.countsDown, score > rules.startScore else { return }
    throw .scoreAboveStart(score: score, start: rules.startScore)
  }

  /// Adds points, or takes a turn where scores count down. Points with the opposite sign are a correction.
  mutating func addPoints(_ points: Int, at index: Int) throws(Refusal) {
    let (sum, overflow) = teams[index].score.addingReportingOverflow(points)
    if rules.countsDown, points <= 0 { return try takeTurn(0 - max(points, -.max), at: index) }
    guard !overflow else { throw .scoreOutOfRange(points) }
    guard Self.scores.contains(sum) else { throw .scoreOutOfRange(sum) }
    try refuseAboveStart(sum)
    guard points > 0, !rules.countsDown else { return setPoints(sum, at: index) }
    guard rules.hasWinningScore || rules.periodsToWin > 0 || rules.overtime.goalWins else {
      return setPoints(sum, at: index, wonRally: true)
    }
    if rules.scoring == .total {
      // A throw that ends the match counts whole: two points at 20 of 21 make 22.
      try refuseAfterEnd()
      setPoints(sum, at: index, wonRally: true)
      return award()
    }
    // The points are added one at a time, because each can change the serve or end the set.
    let played = period
    for count in 0..<points {
      if count > 0, isMatchOver || isPeriodOver || period != played {
        throw .tooManyPoints(
          points: points, needed: count, period: isMatchOver ? nil : rules.englishText(ofSet: played))
      }
      try refuseAfterEnd()
      setPoints(teams[index].score + 1, at: index, wonRally: true)
      award()
    }
  }

  /// Sets a team's points, and the server and the sides that follow from them.
  ///
  /// - Parameter wonRally: whether the team has won a rally, or taken a turn; otherwise the score is
  ///   corrected.
  private mutating func setPoints(_ points: Int, at index: Int, wonRally: Bool = false) {
    let changes = sideChanges
    teams[index].score = points
    if wonRally, rules.serveRule == .rally { serving = teams[index].id }
    followServe()
    changeSides(from: changes)
  }

  private func refuseAfterEnd() throws(Refusal) {
    if isMatchOver { throw .matchOver(result: resultText) }
    if isPeriodOver { throw .periodOver(period: rules.englishText(ofSet: period), result: periodResultText) }
  }

  /// Subtracts the points of one turn where scores count down.
  private mutating func takeTurn(_ points: Int, at index: Int) throws(Refusal) {
    try refuseAfterEnd()
    if rules.turnLimit > 0, points > rules.turnLimit {
      throw .turnOutOfRange(points: points, maximum: rules.turnLimit)
    }
    guard rules.isPossibleTurn(points) else { throw .impossibleTurn(points: points) }
    if points == teams[index].score, !rules.isPossibleFinish(points) {
      throw .impossibleFinish(points: points)
    }
    let id = teams[index].id
    if isBust(points, of: teams[index]) {
      // After a bust it is the next team's turn. Where it is that already, the bust changes nothing.
      var next = self
      next.passTurn(of: id)
      guard rules.serveRule == .turns, teams.count > 1, next != self else {
        throw .bust(points: points, left: teams[index].score)
      }
    } else {
      setPoints(teams[index].score - points, at: index, wonRally: true)
    }
    if rules.serveRule == .turns { passTurn(of: id) }
    award()
  }

  /// Whether a turn scores nothing, because it exceeds the remaining score or, with `doubleOut`, leaves 1,
  /// which no double can finish.
  func isBust(_ points: Int, of team: Team) -> Bool {
    guard rules.countsDown, points > 0 else { return false }
    return points > team.score || (rules.doubleOut && team.score - points == 1)
  }

  /// Awards a won game to its winner, and begins the next set unless the operator does that.
  private mutating func award() {
    if rules.games != nil {
      if let id = scoreWinner?.id {
        let (start, changes) = (rules.startScore, sideChangesBetweenGames)
        let (isTieBreak, period) = (isTieBreak, period)
        changeTeams { team in
          if isTieBreak { team.tieBreaks[period] = team.score }
          if team.id == id { team.games += 1 }
          team.score = start
        }
        serveAfterGame()
        changeSides(from: changes)
      } else if rules.pointNames == .tennis, !isTieBreak, teams.allSatisfy({ $0.score >= rules.pointsToWin })
      {
        // Deuce is always stored as 40 : 40.
        for index in teams.indices { teams[index].score = max(rules.pointsToWin - 1, 0) }
        followServe()
      }
    }
    if rules.periodEnd == .next, isPeriodOver, !isMatchOver { movePeriod(to: period + 1) }
  }
}
