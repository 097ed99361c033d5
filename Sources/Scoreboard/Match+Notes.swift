// SPDX-License-Identifier: Apache-2.0

extension Match {
  /// The summary of `action` where action and patches do not give it: who has the ball or the serve, a game, a set or the match is won, a turn scores
  /// nothing, points have names (tennis), or the period is changed to or from an overtime. Otherwise nil.
  static func note(
    on action: Scoreboard.Action, from old: Scoreboard, to new: Scoreboard
  ) -> String? {
    switch action {
    case .addScore(let id, let points): note(on: id, by: points, from: old, to: new)
    case .setScore(let id, _): note(on: id, by: nil, from: old, to: new)
    case .setServing(let id):
      // Whether it is the ball or the throw that a team has.
      "\(new.rules.serve == .possession ? "ball" : new.rules.countsDown ? "throw" : "serve"): \(id ?? "nobody")"
    case .setPeriod, .addPeriod:
      old.rules.isOvertime(max(old.period, new.period))
        ? "period: \(old.periodText) → \(new.periodText)" : nil
    default: nil
    }
  }

  /// - Parameter points: the points added; nil: the score was set directly.
  private static func note(
    on id: String, by points: Int?, from old: Scoreboard, to new: Scoreboard
  ) -> String? {
    guard let before = old.team(id), let after = new.team(id) else { return nil }
    if let points, points < 0, old.isBust(0 - max(points, -.max), of: before) {
      return bust(0 - max(points, -.max), of: before)
    }
    let isNewPeriod = old.period != new.period
    let hasWonGame = new.rules.games != nil && (isNewPeriod || before.games != after.games)
    let isOver = !old.isPeriodOver && new.isPeriodOver
    guard isNewPeriod || hasWonGame || isOver || (!old.isMatchOver && new.isMatchOver) else {
      if points == 0, new.rules.countsDown { return "turn of \(id) scores nothing" }
      let (from, to) = (old.pointsText(of: before), new.pointsText(of: after))
      return new.rules.pointNames == .tennis && from != to ? "score of \(id): \(from) → \(to)" : nil
    }
    var parts: [String] = []
    if isNewPeriod || hasWonGame {
      parts.append("score of \(id)" + (points.map { $0 < 0 ? " \($0)" : " +\($0)" } ?? " set"))
    } else {
      parts.append("score of \(id): \(before.score) → \(after.score)")
    }
    if isNewPeriod {
      let index = new.period - 2
      let result = new.teams.map {
        String($0.periodScores.indices.contains(index) ? $0.periodScores[index] : 0)
      }
      let winner = new.teams.first { new.isPeriodWon(index, by: $0) }?.id ?? id
      parts.append(
        "\(winner) wins \(new.rules.englishText(ofSet: new.period - 1)), \(result.joined(separator: " : "))")
    } else if let winner = new.periodWinner?.id, isOver, new.rules.periods > 1 {
      parts.append("\(winner) wins \(new.rules.englishText(ofSet: new.period)), \(new.periodResultText)")
    } else if hasWonGame {
      parts.append("\(id) wins the \(new.rules.countsDown ? "leg" : "game"), \(new.periodResultText)")
    }
    if let winner = new.winner?.id { parts.append("\(winner) wins the match, \(new.resultText)") }
    return parts.joined(separator: ", ")
  }

  private static func bust(_ points: Int, of team: Scoreboard.Team) -> String {
    let why = points > team.score ? "\(points) is more than the \(team.score) left" : "\(points) leaves 1"
    return "bust of \(team.id): \(why); the turn scores nothing"
  }
}
