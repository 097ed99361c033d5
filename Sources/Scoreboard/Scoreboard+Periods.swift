// SPDX-License-Identifier: Apache-2.0

/// The state of a set that was left by going back to an earlier one.
struct LeftSet: Hashable, Sendable, Codable {
  struct Team: Hashable, Sendable, Codable {
    var score: Int
    var games: Int
    var counters: [String: Int]
  }

  var serving: String?
  var firstServer: String?
  /// By their ids.
  var teams: [String: Team]

  var isSound: Bool {
    teams.values.allSatisfy { team in
      Scoreboard.scores.contains(team.score) && Scoreboard.scores.contains(team.games)
        && team.counters.values.allSatisfy { Scoreboard.counters.contains($0) && $0 != 0 }
    }
  }
}

extension Scoreboard {
  /// Ends or reopens periods until `target` is the current one. Resets the shot clock, and the game clock if
  /// its periods have a length. A break ends, and a match that was ended by hand goes on.
  mutating func movePeriod(to target: Int) {
    guard target != period else { return }
    gameBreak = nil
    isEnded = false
    let changes = sideChanges
    while period < target { endPeriod() }
    while period > target { reopenPeriod() }
    if let rule = rules.game, rule.length > 0 { gameTimer = GameTimer() }
    shotTimer = GameTimer()
    changeSides(from: changes)
  }

  private mutating func endPeriod() {
    let rules = rules
    let (server, next) = (nextFirstServer(), period + 1)
    changeTeams { team in
      switch rules.scoring {
      case .sets:
        team.periodScores.append(rules.games == nil ? team.score : team.games)
        team.score = rules.startScore
        team.games = 0
      case .total:
        let points = team.score - team.periodScores.reduce(0, +) - rules.startScore
        team.periodScores.append(
          min(max(points, Self.periodScores.lowerBound), Self.periodScores.upperBound))
      }
      for key in rules.resetCounts(before: next) { team.setCounter(key, to: 0) }
    }
    period = next
    if rules.scoring == .sets, rules.serveRule != .hand {
      firstServer = server
      serving = server
    }
    guard rules.scoring == .sets, let left = left.popLast() else { return }
    (serving, firstServer) = (left.serving, left.firstServer)
    changeTeams { team in
      guard let kept = left.teams[team.id] else { return }
      (team.score, team.games, team.counters) = (kept.score, kept.games, kept.counters)
    }
  }

  private mutating func reopenPeriod() {
    let rules = rules
    let hasBegun = teams.contains { $0.score != rules.startScore || $0.games > 0 }
    if rules.scoring == .sets, hasBegun || !left.isEmpty {
      let kept = (teams + parked).map {
        ($0.id, LeftSet.Team(score: $0.score, games: $0.games, counters: $0.counters))
      }
      left.append(
        LeftSet(
          serving: serving, firstServer: firstServer,
          teams: Dictionary(kept, uniquingKeysWith: { first, _ in first })))
    }
    changeTeams { team in
      let score = team.periodScores.popLast()
      if rules.scoring == .sets, let score {
        let score = min(max(score, Self.scores.lowerBound), Self.scores.upperBound)
        team.score = rules.games == nil ? score : rules.startScore
        team.games = rules.games == nil ? 0 : score
      }
    }
    period -= 1
    if rules.scoring == .sets { serveAfterReopening() }
  }

  /// A team's score in each period, the current one last.
  package func periodScores(of team: Team) -> [Int] {
    switch rules.scoring {
    case .sets: team.periodScores + [rules.games == nil ? team.score : team.games]
    case .total: team.periodScores + [team.score - rules.startScore - team.periodScores.reduce(0, +)]
    }
  }

  /// Corrects a team's score in one period. Where scores continue from period to period, the total changes
  /// too.
  mutating func setPeriodScore(
    at index: Int, period: Int, to value: Int, anyway: Bool
  ) throws(Refusal) {
    guard (1...self.period).contains(period) else { throw .periodOutOfRange(period, maximum: self.period) }
    let current = periodScores(of: teams[index])[period - 1]
    switch rules.scoring {
    case .sets:
      guard Self.scores.contains(value) else { throw .scoreOutOfRange(value) }
      guard period < self.period || rules.games != nil else {
        return try setScore(value, at: index, anyway: anyway)
      }
      if !anyway { try refuseImpossible(value, inSet: period) }
      let changes = sideChanges
      if period < self.period {
        teams[index].periodScores[period - 1] = value
      } else {
        teams[index].games = value
        followServe()
      }
      changeSides(from: changes)
    case .total:
      guard Self.periodScores.contains(value) else { throw .scoreOutOfRange(value) }
      let total = teams[index].score + value - current
      guard Self.scores.contains(total) else { throw .scoreOutOfRange(total) }
      teams[index].score = total
      if period < self.period { teams[index].periodScores[period - 1] = value }
    }
  }
}
