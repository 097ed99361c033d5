// SPDX-License-Identifier: Apache-2.0

extension Scoreboard {
  /// Every operation on a scoreboard. Teams and counters are identified by id; times are nanoseconds.
  package enum Action: Hashable, Sendable, Codable {
    /// - Parameter anyway: whether to do what the rules do not allow now (`overruling`); nil: no.
    case setScore(team: String, to: Int, anyway: Bool? = nil)
    /// Adds points and applies the rules that follow from them. Negative points or, where scores count down,
    /// positive points are a correction, which wins nothing.
    case addScore(team: String, by: Int)
    /// Corrects a team's score in one period, past or current.
    case setPeriodScore(team: String, period: Int, to: Int, anyway: Bool? = nil)
    case setPeriod(to: Int, anyway: Bool? = nil)
    /// 1 ends the current period; −1 reopens the previous one.
    case addPeriod(by: Int, anyway: Bool? = nil)
    /// Nil leaves a field unchanged, except that a new name without a short name drops the present short
    /// name. An empty short name restores the one derived from the name.
    case setTeam(team: String, name: String?, shortName: String?, color: UInt32?)
    /// Nil: no team.
    case setServing(team: String?)
    case setCounter(team: String, counter: String, to: Int)
    case addCounter(team: String, counter: String, by: Int, anyway: Bool? = nil)
    case startTimer(GameTimer.ID)
    case pauseTimer(GameTimer.ID)
    /// Starts a timer that is at rest, and pauses one that runs. The history contains the start or the pause.
    case toggleTimer(GameTimer.ID)
    case resetTimer(GameTimer.ID)
    /// Resets the shot clock as `resetTimer` does, but to this time instead of its length.
    case resetShot(to: Int64)
    /// A running timer continues from the new time.
    case setTimer(GameTimer.ID, to: Int64)
    case addTimer(GameTimer.ID, by: Int64)
    /// A nil length selects the first length in the rules; a nil number means that the player is unknown.
    case addPenalty(team: String, length: Int64?, number: Int?)
    /// Ends the team's oldest penalty, or the oldest of the player with that number.
    case endPenalty(team: String, number: Int?)
    case clearPenalties(team: String)
    /// A nil length selects that of the rules. A time-out is also counted.
    case startBreak(GameBreak.Kind, length: Int64?, anyway: Bool? = nil)
    case endBreak
    case swapSides
    /// Ends the match as it stands: the team that leads has won, or it is a draw.
    case endMatch
    /// Starts over, but keeps names and colours.
    case newGame
    /// Starts over, with names and colours from the config.
    case reset
    /// Replaces the match by another one of the same teams, with its clocks stopped.
    indirect case restore(Scoreboard)
    /// Undo and redo are performed by `Match`; a scoreboard alone refuses them.
    case undo
    case redo
    case undoSteps(Int)
    case redoSteps(Int)
  }

  /// Performs `action`, or refuses it and changes nothing.
  ///
  /// - Parameter now: when it is performed.
  package mutating func apply(_ action: Action, at now: Int64 = 0) throws(Refusal) {
    var scoreboard = settled(at: now)
    try scoreboard.perform(action, at: now)
    scoreboard.syncPenalties(at: now)
    scoreboard.syncBreak(at: now)
    self = scoreboard
  }

  /// The action as it is stored in the history: a toggle as the start or the pause that it is at `now`, and a
  /// match to restore without its rules, which are not saved.
  func resolved(_ action: Action, at now: Int64) -> Action {
    switch action {
    case .toggleTimer(let id): return settled(at: now)[id].since == nil ? .startTimer(id) : .pauseTimer(id)
    case .restore(var match):
      match.rules = GameRules()
      return .restore(match)
    default: return action
    }
  }

  private mutating func perform(_ action: Action, at now: Int64) throws(Refusal) {
    let before = self
    switch action {
    case .setScore(let id, let score, let anyway):
      try setScore(score, at: try index(of: id), anyway: anyway ?? false)
      followScore(since: before, as: .setting, at: now)
    case .addScore(let id, let points):
      let isPlay = rules.countsDown ? points <= 0 : points > 0
      if isPlay { left = [] }
      try addPoints(points, at: try index(of: id))
      followScore(since: before, as: isPlay ? .play : .setting, at: now)
    case .setPeriodScore(let id, let period, let score, let anyway):
      try setPeriodScore(at: try index(of: id), period: period, to: score, anyway: anyway ?? false)
      followScore(since: before, as: .correction, at: now)
    case .setPeriod(let number, let anyway): try setPeriod(number, anyway: anyway ?? false, at: now)
    case .addPeriod(let difference, let anyway):
      let number = try sum(period, difference) { .periodOutOfRange($0, maximum: Self.periods.upperBound) }
      try setPeriod(number, anyway: anyway ?? false, at: now)
    case .setTeam(let id, let name, let shortName, let color):
      try setTeam(at: try index(of: id), name: name, shortName: shortName, color: color)
    case .setServing(let id): setServing(try id.map { id throws(Refusal) in teams[try index(of: id)].id })
    case .setCounter(let id, let counter, let value):
      let index = try index(of: id)
      let known = try knownCounter(counter)
      try setCounter(known, to: value, limit: limit(of: known), at: index, now)
    case .addCounter(let id, let counter, let difference, let anyway):
      let index = try index(of: id)
      let counter = try knownCounter(counter)
      try count(counter, by: difference, at: index, anyway: anyway ?? false, now)
      if counter.startsTimeOut {
        if difference > 0, anyway != true { try before.refuseBreak(.timeOut(team: id), at: now) }
        followTimeOut(of: id, by: difference, at: now)
      }
    case .startTimer(let id): try startTimer(id, at: now)
    case .pauseTimer(let id): try pauseTimer(id, at: now)
    case .toggleTimer: try perform(resolved(action, at: now), at: now)
    case .resetTimer(let id): try resetTimer(id, at: now)
    case .resetShot(let value): try resetTimer(.shot, to: value, at: now)
    case .setTimer(let id, let value): try setTimer(id, to: value, at: now)
    case .addTimer(let id, let difference): try addTimer(id, by: difference, at: now)
    case .addPenalty(let id, let length, let number):
      try addPenalty(length, number: number, at: try index(of: id))
    case .endPenalty(let id, let number): try endPenalty(number: number, at: try index(of: id))
    case .clearPenalties(let id): try clearPenalties(at: try index(of: id))
    case .startBreak(let kind, let length, let anyway):
      try startBreak(kind, length: length, anyway: anyway ?? false, at: now)
      if anyway != true { try before.refuseBreak(kind, at: now) }
    case .endBreak: try endBreak()
    case .swapSides: sidesSwapped.toggle()
    case .endMatch: try endMatch(at: now)
    case .newGame: startOver(at: now)
    case .reset:
      startOver(at: now)
      changeTeams { $0.restoreDeclaredLook() }
    case .restore(let match): try restore(match, at: now)
    case .undo, .undoSteps: throw .nothingToUndo
    case .redo, .redoSteps: throw .nothingToRedo
    }
  }
}

extension Scoreboard.Action {
  /// The action with `anyway`, which ignores the refusals that can be overruled
  /// (`Refusal.canBeOverruled`); nil: it has no `anyway`.
  package var overruling: Self? {
    switch self {
    case .setScore(let team, let score, _): .setScore(team: team, to: score, anyway: true)
    case .setPeriodScore(let team, let period, let score, _):
      .setPeriodScore(team: team, period: period, to: score, anyway: true)
    case .setPeriod(let number, _): .setPeriod(to: number, anyway: true)
    case .addPeriod(let difference, _): .addPeriod(by: difference, anyway: true)
    case .addCounter(let team, let counter, let difference, _):
      .addCounter(team: team, counter: counter, by: difference, anyway: true)
    case .startBreak(let kind, let length, _): .startBreak(kind, length: length, anyway: true)
    default: nil
    }
  }
}

// MARK: How actions are performed

extension Scoreboard {
  func sum(_ a: Int, _ b: Int, _ refusal: (Int) -> Refusal) throws(Refusal) -> Int {
    let (sum, overflow) = a.addingReportingOverflow(b)
    if overflow { throw refusal(b) }
    return sum
  }

  func index(of id: String) throws(Refusal) -> Int {
    guard let index = teams.firstIndex(where: { $0.id == id }) else {
      throw .unknownTeam(team: id, known: teams.map(\.id))
    }
    return index
  }

  private mutating func setPeriod(_ number: Int, anyway: Bool, at now: Int64) throws(Refusal) {
    guard Self.periods.contains(number) else {
      throw .periodOutOfRange(number, maximum: Self.periods.upperBound)
    }
    if number > period {
      if isMatchOver { throw .matchOver(result: resultText) }
      if number > lastPeriod { throw .periodOutOfRange(number, maximum: lastPeriod) }
      if !anyway { try refusePeriod(number, at: now) }
    }
    movePeriod(to: number)
  }

  /// Refuses a later period after the end of the match, and while a set before it is not over. A set that was
  /// left by going back to an earlier one goes on.
  private func refusePeriod(_ number: Int, at now: Int64) throws(Refusal) {
    if isFinished(at: now) {
      throw .periodNotNow(set: "", result: resultText, problem: PeriodProblem.matchOver.rawValue)
    }
    guard rules.scoring == .sets, rules.hasWinningScore else { return }
    var next = self
    while next.period < number {
      guard next.isPeriodOver || !next.left.isEmpty else {
        throw .periodNotNow(
          set: rules.englishText(ofSet: next.period), result: next.periodResultText,
          problem: PeriodProblem.setNotOver.rawValue)
      }
      next.movePeriod(to: next.period + 1)
    }
  }

  /// The last period that may be played. A best-of-five match has no sixth set.
  private var lastPeriod: Int {
    rules.scoring == .sets && rules.periodsToWin > 0 ? max(rules.periods, period) : Self.periods.upperBound
  }

  /// Whether a period may follow the current one.
  package var hasNextPeriod: Bool { !isMatchOver && period < lastPeriod }

  private func knownCounter(_ id: String) throws(Refusal) -> GameRules.Counter {
    guard let counter = rules.counter(id) else {
      throw .unknownCounter(counter: id, known: rules.counters.map(\.id))
    }
    return counter
  }

  private mutating func setTeam(
    at index: Int, name: String?, shortName: String?, color: UInt32?
  ) throws(Refusal) {
    if let name {
      if let problem = ShownText.problem(in: name, maximum: ShownText.nameLimit) {
        throw .badText(name, problem)
      }
      teams[index].rename(name)
    }
    if let shortName {
      if !shortName.isEmpty, let problem = ShownText.problem(in: shortName, maximum: ShownText.shortNameLimit)
      {
        throw .badText(shortName, problem)
      }
      teams[index].shortName = shortName.isEmpty ? nil : shortName
    }
    if let color {
      guard color <= 0xffffff else { throw .badColor(color) }
      teams[index].color = color
    }
  }

  private mutating func endMatch(at now: Int64) throws(Refusal) {
    if isFinished(at: now) { throw .matchOver(result: resultText) }
    isEnded = true
    endPlay(at: now)
  }

  /// Ends the break, and stops the clocks of the match.
  mutating func endPlay(at now: Int64) {
    gameBreak = nil
    for id in rules.timers {
      if let course = course(of: id) { self[id].stop(at: now, course) }
    }
  }

  private mutating func restore(_ match: Scoreboard, at now: Int64) throws(Refusal) {
    guard match.teams.map(\.id) == teams.map(\.id) else {
      throw .otherTeams(teams: match.teams.map(\.id), known: teams.map(\.id))
    }
    var match = match
    match.stopClocks()
    match.gameBreak = nil
    match.parked = []
    // A match that is brought back continues as another game than the one that it replaces.
    if match.game != game { match.game = nextGame(at: now) }
    for team in match.teams {
      for (text, maximum) in [
        (team.name, ShownText.nameLimit), (team.shortName ?? "-", ShownText.shortNameLimit),
      ] {
        if let problem = ShownText.problem(in: text, maximum: maximum) { throw .badText(text, problem) }
      }
    }
    if rules.shot == nil { match.shotTimer = GameTimer() }
    for patch in Patch.all(from: self, to: match) { patch.apply(to: &self) }
    makeValid()
  }

  /// Stops the clocks at the values with which they were started.
  private mutating func stopClocks() {
    (gameTimer.since, shotTimer.since) = (nil, nil)
    changeTeams { team in
      for index in team.penalties.indices { team.penalties[index].since = nil }
    }
  }

  /// Whether anything has been scored, counted or timed.
  package var hasContent: Bool {
    period > 1 || isEnded || gameTimer != GameTimer() || shotTimer != GameTimer()
      || teams.contains { team in
        team.score != startScore || team.games > 0 || !team.penalties.isEmpty || !team.counters.isEmpty
      }
  }

  /// The number of a game that begins at `now`. The clock may have been 0 since the present one began.
  func nextGame(at now: Int64) -> Int64 { min(max(game + 1, now), Self.games.upperBound) }

  /// Begins a new game, if the present one has content.
  mutating func startOver(at now: Int64) {
    if hasContent { game = nextGame(at: now) }
    let start = rules.startScore
    changeTeams { team in
      team.score = start
      team.games = 0
      team.penalties = []
      team.periodScores = []
      team.tieBreaks = [:]
      team.counters = [:]
    }
    period = 1
    serving = nil
    firstServer = nil
    left = []
    isEnded = false
    sidesSwapped = false
    gameTimer = GameTimer()
    shotTimer = GameTimer()
    gameBreak = nil
  }
}

extension Scoreboard.Team {
  /// Sets another name. The short name of the previous one is dropped; with the config's name, the config's
  /// short name returns.
  fileprivate mutating func rename(_ name: String) {
    guard name != self.name else { return }
    self.name = name
    shortName = name == declared.name ? declared.shortName : nil
  }

  fileprivate mutating func restoreDeclaredLook() {
    name = declared.name
    shortName = declared.shortName
    color = declared.color
  }
}
