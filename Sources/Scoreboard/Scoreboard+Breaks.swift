// SPDX-License-Identifier: Apache-2.0

// A break begins by an action, or by itself after a period or within a set. It ends some time after its clock
// has run out, when the game clock is started, when another period begins, with the next point of a game of
// sets unless it is a time-out, or by an action.
extension Scoreboard {
  /// The name of the break on the scoreboard, e.g. `HALF-TIME`; nil: there is none.
  package var breakText: String? { gameBreak.map { text(of: $0.kind) } }

  func text(of kind: GameBreak.Kind) -> String { rules.breaks.names[kind.name] ?? kind.name }

  /// Begins a break in place of the present one. Stops the game clock if the rules stop it in breaks.
  mutating func beginBreak(_ kind: GameBreak.Kind, length: Int64, byItself: Bool = false, at now: Int64) {
    gameBreak = GameBreak(kind, length: length, byItself: byItself, at: now)
    guard rules.stopsInBreaks, let course = course(of: .game) else { return }
    gameTimer.stop(at: now, course)
    holdShot(at: now)
  }

  /// - Parameter length: nil: that of the rules.
  mutating func startBreak(
    _ kind: GameBreak.Kind, length: Int64?, anyway: Bool, at now: Int64
  ) throws(Refusal) {
    let own = rules.length(of: kind, inPeriod: period)
    guard let length = length ?? (own > 0 ? own : nil) else { throw .noSuchBreak(kind: kind.name) }
    guard (1...GameTimer.limit).contains(length) else { throw .breakOutOfRange(length) }
    if case .timeOut(let team) = kind {
      let index = try index(of: team)
      if let counter = rules.counters.first(where: \.startsTimeOut) {
        try count(counter, by: 1, at: index, anyway: anyway, now)
      }
    }
    beginBreak(kind, length: length, at: now)
  }

  /// Refuses a break after the end of the match. Also refuses a time-out while a set is over, while another
  /// kind of break runs, and while a time-out of the same team runs. One of another team may follow at once:
  /// the rule books let it follow, and teams often resume early.
  func refuseBreak(_ kind: GameBreak.Kind, at now: Int64) throws(Refusal) {
    let problem: BreakProblem
    if isFinished(at: now) {
      problem = .matchOver
    } else if kind.team != nil, isPeriodOver {
      problem = .periodOver
    } else if kind.team != nil, let gameBreak, gameBreak.ended == nil,
      gameBreak.kind == kind || gameBreak.kind.team == nil
    {
      problem = gameBreak.kind == kind ? .timeOut : .otherBreak
    } else {
      return
    }
    throw .breakNotNow(kind: kind.name, team: kind.team, problem: problem.rawValue)
  }

  mutating func endBreak() throws(Refusal) {
    guard gameBreak != nil else { throw .noBreak }
    gameBreak = nil
  }

  /// After a counter of time-outs has risen, begins a time-out, unless the set or the match is over or
  /// another kind of break runs. After it has fallen, ends the team's time-out.
  mutating func followTimeOut(of team: String, by difference: Int, at now: Int64) {
    if difference < 0, gameBreak?.kind == .timeOut(team: team) { gameBreak = nil }
    guard difference > 0, rules.breaks.timeOut > 0, !isPeriodOver, !isFinished(at: now),
      gameBreak.map({ $0.kind.team != nil || $0.ended != nil }) ?? true
    else { return }
    beginBreak(.timeOut(team: team), length: rules.breaks.timeOut, at: now)
  }

  /// Begins the break after `ended`, if the rules have one.
  mutating func beginInterval(after ended: Int, at now: Int64) {
    guard !isMatchOver, let kind = rules.automaticBreak(after: ended, isTied: leader == nil) else { return }
    beginBreak(kind, length: rules.length(of: kind, inPeriod: ended), byItself: true, at: now)
  }

  /// What determines the intervals within the current set: the games that have been played, or 1 if a team
  /// has the points at which the interval begins.
  private var progressInSet: Int {
    guard rules.scoring == .sets, rules.breaks.inSet > 0 else { return 0 }
    if rules.games != nil { return teams.reduce(0) { $0 + $1.games } }
    let at = rules.breaks.inSetAt
    return at > 0 && !rules.countsDown && teams.contains { $0.score >= at } ? 1 : 0
  }

  /// Whether the last period that has been played is over: a set is won, or the time is up and another period
  /// of overtime follows.
  private func isBeforeInterval(at now: Int64) -> Bool {
    guard rules.scoring == .total else { return isPeriodOver }
    return period >= rules.periods && !(rules.canEnd(after: period) && leader != nil) && isTimeUp(at: now)
  }

  /// How a score was changed.
  enum ScoreChange {
    /// A point was played.
    case play
    /// The present score was set. This may end a set, but no interval within it begins.
    case setting
    /// A score of a period was corrected. No interval begins.
    case correction
  }

  /// Begins the interval that a change of the score leads to, or removes the one that a correction takes
  /// back. In a game of sets, a break other than a time-out ends with the next point; every break ends with
  /// the match.
  ///
  /// - Parameter before: the scoreboard before the change.
  mutating func followScore(since before: Scoreboard, as change: ScoreChange, at now: Int64) {
    let (ended, wasEnded) = (isBeforeInterval(at: now), before.isBeforeInterval(at: now))
    let (progress, old) = (progressInSet, before.progressInSet)
    let isInterval = progress > old && (rules.games == nil || progress > 1 && progress % 2 == 1)
    if change != .correction, period > before.period || ended && !wasEnded {
      beginInterval(after: before.period, at: now)
    } else if change == .play, isInterval, !isPeriodOver, !isMatchOver {
      beginBreak(.interval, length: rules.breaks.inSet, byItself: true, at: now)
    } else if wasEnded && !ended || progress != old || change == .play && rules.scoring == .sets {
      if gameBreak?.kind.team == nil { gameBreak = nil }
    }
    if isFinished(at: now), !before.isFinished(at: now) { endPlay(at: now) }
  }

  /// Stores when the clock of the break ran out, or that it has time left again.
  mutating func syncBreak(at now: Int64) {
    guard let pause = gameBreak, let course = course(of: .breakClock) else { return }
    let isAtEnd = pause.timer.since == nil && pause.timer.shown(at: now, course) == course.stop
    gameBreak?.ended = isAtEnd ? pause.ended ?? now : nil
  }

  /// Removes the break if the game clock runs although it stops in breaks.
  mutating func holdBreak() {
    if gameTimer.since != nil, rules.stopsInBreaks { gameBreak = nil }
  }
}

// MARK: Limits of a counter

extension GameRules.Counter {
  /// A part of the match in which the rules limit a counter that is not reset at its beginning.
  package enum Part: String, CaseIterable, Sendable {
    /// A half of the regular periods.
    case half
    case overtime
    /// The last minutes of the last regular period.
    case end
  }

  func limit(in part: Part) -> Int? {
    switch part {
    case .half: limitPerHalf
    case .overtime: limitPerOvertime
    case .end: limitLate
    }
  }

  /// The key of a team's count in the present part. No counter has this id, because ids have no slash.
  func key(of part: Part) -> String { "\(id)/\(part.rawValue)" }

  /// The keys of this counter in `Scoreboard.Team.counters`.
  var keys: [String] { [id] + Part.allCases.map(key(of:)) }
}

extension Scoreboard {
  /// The parts of the match that are played now and in which a counter is limited.
  private func parts(limiting counter: GameRules.Counter, _ now: Int64) -> [GameRules.Counter.Part] {
    GameRules.Counter.Part.allCases.filter { part in
      guard counter.limit(in: part) != nil else { return false }
      switch part {
      case .half: return !rules.isOvertime(period)
      case .overtime: return rules.isOvertime(period)
      case .end:
        guard period == rules.periods, let course = course(of: .game), let end = course.end else {
          return false
        }
        let value = gameTimer.shown(at: now, course)
        return (course.rule.direction == .down ? value - end : end - value) <= counter.late ?? 0
      }
    }
  }

  /// The values of the game clock from which counters are limited to the end of the last period.
  func lateLimits(_ course: TimerCourse) -> [Int64?] {
    guard period == rules.periods, let end = course.end else { return [] }
    let lengths = rules.counters.filter { $0.limitLate != nil }.map { $0.late ?? 0 }
    return lengths.map { course.rule.direction == .down ? end + $0 : end - $0 }
  }

  /// Adds to a counter of a team.
  ///
  /// - Parameter anyway: whether to ignore the limits.
  mutating func count(
    _ counter: GameRules.Counter, by difference: Int, at index: Int, anyway: Bool, _ now: Int64
  ) throws(Refusal) {
    let (team, most) = (teams[index], Self.counters.upperBound)
    let value = try sum(team.counter(counter.id), difference) {
      .counterOutOfRange($0, counter: counter.id, limit: most)
    }
    if difference > 0, !anyway {
      var limits = parts(limiting: counter, now).compactMap { part in
        counter.limit(in: part).map { (counter.key(of: part), part.rawValue, $0) }
      }
      let span = rules.isOvertime(period) && counter.reset == .half ? "overtime" : counter.reset.rawValue
      limits.append((counter.id, span, limit(of: counter)))
      for (key, part, maximum) in limits where difference > maximum - team.counter(key) {
        throw .counterLimited(
          team: team.id, counter: counter.id, limit: maximum, part: part,
          milliseconds: part == GameRules.Counter.Part.end.rawValue ? Int((counter.late ?? 0) / 1_000_000) : 0
        )
      }
    }
    try setCounter(
      counter, to: value, limit: difference > 0 ? most : limit(of: counter), at: index, now)
  }

  mutating func setCounter(
    _ counter: GameRules.Counter, to value: Int, limit: Int, at index: Int, _ now: Int64
  ) throws(Refusal) {
    let old = teams[index].counter(counter.id)
    // A count above the limit was confirmed, and can be lowered.
    guard (0...max(limit, old)).contains(value) else {
      throw .counterOutOfRange(value, counter: counter.id, limit: limit)
    }
    teams[index].setCounter(counter.id, to: value)
    // A decrease takes back what was counted last, so it also lowers the counts of the parts.
    let parts = value > old ? parts(limiting: counter, now) : GameRules.Counter.Part.allCases
    for key in parts.map(counter.key(of:)) {
      let part = teams[index].counter(key) + value - old
      teams[index].setCounter(key, to: min(max(part, 0), value))
    }
  }
}
