// SPDX-License-Identifier: Apache-2.0

extension Scoreboard {
  /// Ends periods, or opens ended ones again, until `target` is the one that is played. The timers begin
  /// anew where a period has a length.
  mutating func movePeriod(to target: Int) {
    guard target != period else { return }
    while period < target { endPeriod() }
    while period > target { reopenPeriod() }
    if let rule = rules.game, rule.length > 0 { gameTimer = GameTimer() }
    shotTimer = GameTimer()
  }

  private mutating func endPeriod() {
    let rules = rules
    changeTeams { team in
      switch rules.scoring {
      case .sets:
        team.periodScores.append(team.score)
        team.score = rules.startScore
      case .total:
        let points = team.score - team.periodScores.reduce(0, +) - rules.startScore
        team.periodScores.append(
          min(max(points, Self.periodScores.lowerBound), Self.periodScores.upperBound))
      }
      for counter in rules.counters where counter.reset == .period {
        team.setCounter(counter.id, to: 0)
      }
    }
    period += 1
  }

  /// What a team begins with counts for no period.
  private var startOffset: Int { rules.startScore }

  private mutating func reopenPeriod() {
    let scoring = rules.scoring
    changeTeams { team in
      let score = team.periodScores.popLast()
      if scoring == .sets, let score {
        team.score = min(max(score, Self.scores.lowerBound), Self.scores.upperBound)
      }
    }
    period -= 1
  }

  /// What the periods brought a team, the one that is played last.
  public func periodScores(of team: Team) -> [Int] {
    switch rules.scoring {
    case .sets: team.periodScores + [team.score]
    case .total: team.periodScores + [team.score - startOffset - team.periodScores.reduce(0, +)]
    }
  }

  /// How many of the periods that are over the team has won: those in which no other did as well.
  public func periodsWon(by team: Team) -> Int {
    team.periodScores.indices.count { period in
      teams.allSatisfy { other in
        guard other.id != team.id, other.periodScores.indices.contains(period) else { return true }
        let (mine, theirs) = (team.periodScores[period], other.periodScores[period])
        return rules.better == .higher ? mine > theirs : mine < theirs
      }
    }
  }

  /// Corrects what a period brought; where periods add up the score follows.
  mutating func setPeriodScore(at index: Int, period: Int, to value: Int) throws(Refusal) {
    guard (1...self.period).contains(period) else { throw .periodOutOfRange(period, maximum: self.period) }
    let current = periodScores(of: teams[index])[period - 1]
    switch rules.scoring {
    case .sets:
      guard Self.scores.contains(value) else { throw .scoreOutOfRange(value) }
      if period == self.period {
        teams[index].score = value
      } else {
        teams[index].periodScores[period - 1] = value
      }
    case .total:
      guard Self.periodScores.contains(value) else { throw .scoreOutOfRange(value) }
      let total = teams[index].score + value - current
      guard Self.scores.contains(total) else { throw .scoreOutOfRange(total) }
      teams[index].score = total
      if period < self.period { teams[index].periodScores[period - 1] = value }
    }
  }
}
