// SPDX-License-Identifier: Apache-2.0

// Who serves, and on which sides the teams are. With the serve rules `points` and `games`, the server is
// derived from the score and from the team that served first in the set. With `rally`, the server is derived
// only if the score alone shows who won the last rally. A correction of the score therefore also corrects the
// server and the sides.
extension Scoreboard {
  /// The team `steps` further in the order of turns.
  private func team(_ steps: Int, after id: String?) -> String? {
    guard let id, let index = teams.firstIndex(where: { $0.id == id }) else { return nil }
    let count = teams.count
    return teams[((index + steps) % count + count) % count].id
  }

  /// How often the serve has changed since the set began; nil if the server is not derived from the score.
  private var serveChanges: Int? {
    let points = teams.reduce(0) { $0 + abs($1.score - rules.startScore) }
    let games = teams.reduce(0) { $0 + $1.games }
    switch rules.serveRule {
    case .hand, .rally, .turns: return nil
    case .games: return isTieBreak ? games + (points + 1) / 2 : games
    case .points:
      let each = max(rules.servesInRow, 1)
      let target = pointsToWin
      let deuce = teams.count * max(target - 1 - rules.startScore, 0)
      guard target > 0, points >= deuce else { return points / each }
      return deuce / each + points - deuce
    }
  }

  private var isAtStart: Bool {
    teams.allSatisfy { $0.score == rules.startScore && $0.games == 0 }
  }

  mutating func setServing(_ id: String?) {
    serving = id
    if let changes = serveChanges {
      firstServer = team(-changes, after: id)
    } else if isAtStart {
      firstServer = id
    }
  }

  /// Updates the server after a change of the score.
  mutating func followServe() {
    if let changes = serveChanges, let first = firstServer { serving = team(changes, after: first) }
    if rules.serveRule == .rally {
      let scorers = teams.filter { $0.score != rules.startScore }
      if scorers.count == 1 { serving = scorers[0].id }
      if scorers.isEmpty, let first = firstServer { serving = first }
    }
  }

  /// Makes the next team the server after a turn of team `id`, in games where the teams take turns.
  mutating func passTurn(of id: String) {
    if firstServer == nil, serving == nil { firstServer = id }
    serving = team(1, after: id)
  }

  /// Updates the server after a game, before the next one.
  mutating func serveAfterGame() {
    followServe()
    if rules.serveRule == .turns {
      serving = team(teams.reduce(0) { $0 + $1.games }, after: firstServer)
    }
  }

  /// Call when the current period ends, before its scores are cleared.
  ///
  /// - Returns: the team that serves first in the next period.
  func nextFirstServer() -> String? {
    if rules.serveRule == .games {
      return team(max(teams.reduce(0) { $0 + $1.games }, 1), after: firstServer)
    }
    switch rules.isDeciding(period + 1) ? rules.firstServeDeciding ?? rules.firstServe : rules.firstServe {
    case .alternate: return team(1, after: firstServer)
    case .winner: return (periodWinner ?? scoreLeader)?.id
    case .toss: return nil
    }
  }

  /// The team whose score is better than all others.
  var scoreLeader: Team? {
    teams.first { team in
      teams.allSatisfy { other in
        other.id == team.id || (rules.better == .lower ? team.score < other.score : team.score > other.score)
      }
    }
  }

  /// Restores the server after a period has been reopened.
  mutating func serveAfterReopening() {
    guard rules.serveRule != .hand else { return }
    switch rules.serveRule {
    case .games: firstServer = team(-max(teams.reduce(0) { $0 + $1.games }, 1), after: firstServer)
    default: firstServer = rules.firstServe == .alternate ? team(-1, after: firstServer) : nil
    }
    // The winner of the reopened set won its last rally, and so serves under `rally`.
    serving = rules.serveRule == .rally ? scoreLeader?.id : firstServer
    followServe()
  }

  // MARK: Sides

  /// How often the teams have changed sides by the rules since the match began, except in tie-breaks that are
  /// over, because their points are not stored.
  var sideChanges: Int { sideChangesBetweenGames + sideChangesByPoints }

  /// The changes of sides after periods and games.
  var sideChangesBetweenGames: Int {
    switch rules.sideChange {
    case .hand: return 0
    case .periods: return period - 1
    case .games:
      guard rules.scoring == .sets, rules.games != nil else { return 0 }
      let past = (0..<period - 1).reduce(0) { changes, index in
        let games = teams.reduce(0) { sum, team in
          sum + (team.periodScores.indices.contains(index) ? team.periodScores[index] : 0)
        }
        return changes + (games + 1) / 2
      }
      // After the last game of the match, the sides do not change.
      let games = teams.reduce(0) { $0 + $1.games }
      return past + (isMatchOver ? games : games + 1) / 2
    }
  }

  /// The changes of sides at points of the current set or tie-break.
  private var sideChangesByPoints: Int {
    switch rules.sideChange {
    case .hand: return 0
    case .periods:
      let at = rules.sideChangeAt
      let hasTurned =
        at > 0 && rules.isDeciding(period) && rules.games == nil && !rules.countsDown
        && teams.contains { $0.score >= at }
      return hasTurned ? 1 : 0
    case .games:
      guard rules.scoring == .sets, isTieBreak else { return 0 }
      // The point that wins the tie-break ends a game, which is counted above.
      let points = teams.reduce(0) { $0 + $1.score } - (scoreWinner == nil ? 0 : 1)
      return max(points, 0) / 6
    }
  }

  /// Updates the sides after a change of the score or the period.
  ///
  /// - Parameter before: `sideChanges` before it.
  mutating func changeSides(from before: Int) {
    if !(sideChanges - before).isMultiple(of: 2) { sidesSwapped.toggle() }
  }
}
