// SPDX-License-Identifier: Apache-2.0

extension Match {
  /// The facts about `action`; nil if the action and its patches give all of them. They do not give: which
  /// team has the ball or the serve; that a game, a set or the match is won; that a turn scores nothing; the
  /// names of points (tennis); the name of an overtime; the counters and the clock that a new period resets;
  /// the name of a break, the counter of a time-out, and the time-out that one more of it begins; and the
  /// winner of a match that was ended by hand.
  ///
  /// - Parameter now: when the action is performed.
  static func outcome(
    of action: Scoreboard.Action, from old: Scoreboard, to new: Scoreboard, at now: Int64
  ) -> [Fact]? {
    switch action {
    case .addScore(let id, let points): outcome(of: id, by: points, score: nil, from: old, to: new)
    case .setScore(let id, let score, _): outcome(of: id, by: nil, score: score, from: old, to: new)
    case .setServing(let id):
      [
        Fact(
          .serve, team: id,
          english: new.rules.serve == .possession ? "ball" : new.rules.countsDown ? "throw" : "serve")
      ]
    case .setPeriod, .addPeriod: outcomeOfPeriod(from: old, to: new, at: now)
    case .startBreak(let kind, _, _):
      counterFacts(from: old, to: new) + [fact(kind.team == nil ? .breakStart : .timeOut, kind, new)]
    case .addCounter where old.gameBreak != new.gameBreak:
      counterFacts(from: old, to: new)
        + (new.gameBreak.map { [fact(.timeOut, $0.kind, new)] }
          ?? old.gameBreak.map { [fact(.breakEnd, $0.kind, old)] } ?? [])
    case .endMatch:
      [Fact(.matchEnd)] + (new.winner.map { [Fact(.matchWon, team: $0.id, to: new.resultText)] } ?? [])
    case .endBreak: old.gameBreak.map { [fact(.breakEnd, $0.kind, old)] }
    default: nil
    }
  }

  private static func fact(_ what: Fact.Kind, _ kind: GameBreak.Kind, _ scoreboard: Scoreboard) -> Fact {
    Fact(
      what, team: what == .timeOut ? kind.team : nil, name: scoreboard.text(of: kind), english: kind.name)
  }

  private static func counterFacts(from old: Scoreboard, to new: Scoreboard) -> [Fact] {
    old.teams.flatMap { team in
      old.rules.counters.compactMap { counter -> Fact? in
        let (from, to) = (team.counter(counter.id), new.team(team.id)?.counter(counter.id) ?? 0)
        return from == to
          ? nil : Fact(.counter, team: team.id, counter: counter.id, from: String(from), to: String(to))
      }
    }
  }

  /// The change of the period, and the counters and the clock that it has reset; nil if it resets nothing and
  /// no overtime is involved.
  private static func outcomeOfPeriod(
    from old: Scoreboard, to new: Scoreboard, at now: Int64
  ) -> [Fact]? {
    var resets = counterFacts(from: old, to: new)
    let clocks = [old, new].map { $0.reading(of: .game, at: now) }
    // A clock that continues may show the same time as before.
    let isOther = clocks[0]?.value != clocks[1]?.value || clocks[0]?.isRunning != clocks[1]?.isRunning
    if isOther, old.gameTimer != new.gameTimer {
      resets.append(Fact(.timerReset, timer: .game))
    }
    let isOvertime = old.rules.isOvertime(max(old.period, new.period))
    guard isOvertime || !resets.isEmpty else { return nil }
    let (from, to) = (old.period, new.period)
    return [
      Fact(.period, from: isOvertime ? old.periodText : "\(from)", to: isOvertime ? new.periodText : "\(to)")
    ] + resets
  }

  /// - Parameter points: the points added; nil: the score was set to `score`.
  private static func outcome(
    of id: String, by points: Int?, score: Int?, from old: Scoreboard, to new: Scoreboard
  ) -> [Fact]? {
    guard let before = old.team(id), let after = new.team(id) else { return nil }
    if let points, points < 0, old.isBust(0 - max(points, -.max), of: before) {
      return [Fact(.bust, team: id, from: String(before.score), by: String(0 - max(points, -.max)))]
    }
    let isNewPeriod = old.period != new.period
    let hasWonGame = new.rules.games != nil && (isNewPeriod || before.games != after.games)
    let isOver = !old.isPeriodOver && new.isPeriodOver
    guard isNewPeriod || hasWonGame || isOver || (!old.isMatchOver && new.isMatchOver) else {
      if points == 0, new.rules.countsDown { return [Fact(.turn, team: id)] }
      guard new.rules.pointNames == .tennis else { return nil }
      // At deuce it is the other player's points that change.
      let changes = zip(old.teams, new.teams).compactMap { before, after -> Fact? in
        let (from, to) = (old.pointsText(of: before), new.pointsText(of: after))
        return from == to ? nil : Fact(.score, team: after.id, from: from, to: to)
      }
      return changes.isEmpty ? nil : changes
    }
    var facts: [Fact] = []
    if isNewPeriod || hasWonGame {
      facts.append(
        Fact(.score, team: id, to: score.map { String($0) }, by: points.map { Step.signed($0) }))
    } else {
      facts.append(Fact(.score, team: id, from: String(before.score), to: String(after.score)))
    }
    if isNewPeriod {
      let index = new.period - 2
      let result = new.teams.map {
        String($0.periodScores.indices.contains(index) ? $0.periodScores[index] : 0)
      }
      let winner = new.teams.first { new.isPeriodWon(index, by: $0) }?.id ?? id
      facts.append(
        Fact(
          .periodWon, team: winner, name: new.rules.periodText(new.period - 1),
          english: new.rules.englishText(ofSet: new.period - 1),
          to: result.joined(separator: " : ")))
    } else if let winner = new.periodWinner?.id, isOver, new.rules.periods > 1 {
      facts.append(
        Fact(
          .periodWon, team: winner, name: new.periodText, english: new.rules.englishText(ofSet: new.period),
          to: new.periodResultText))
    } else if hasWonGame, let name = new.rules.games?.name {
      facts.append(
        Fact(
          .gameWon, team: id, name: name, english: new.rules.countsDown ? "leg" : "game",
          to: new.periodResultText))
    }
    if let winner = new.winner?.id { facts.append(Fact(.matchWon, team: winner, to: new.resultText)) }
    return facts
  }
}
