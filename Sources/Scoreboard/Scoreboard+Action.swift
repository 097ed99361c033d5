// SPDX-License-Identifier: Apache-2.0

extension Scoreboard {
  /// All that can be done to a board. Teams and counters go by their ids, times are in nanoseconds.
  public enum Action: Hashable, Sendable, Codable {
    case setScore(team: String, to: Int)
    /// Points that were made, with what follows from them by the rules; the other way it is a correction.
    case addScore(team: String, by: Int)
    /// Corrects what a period brought, also one that is over.
    case setPeriodScore(team: String, period: Int, to: Int)
    case setPeriod(to: Int)
    /// One more ends the period that is played; one less opens the last one again.
    case addPeriod(by: Int)
    /// What is nil stays; an empty short name is made of the name again.
    case setTeam(team: String, name: String?, shortName: String?, color: UInt32?)
    /// Nil: nobody.
    case setServing(team: String?)
    case setCounter(team: String, counter: String, to: Int)
    case addCounter(team: String, counter: String, by: Int)
    case startTimer(GameTimer.ID)
    case pauseTimer(GameTimer.ID)
    case resetTimer(GameTimer.ID)
    /// The shot clock begins with another time than its length; it runs as after a reset.
    case resetShot(to: Int64)
    /// A timer that runs goes on from there.
    case setTimer(GameTimer.ID, to: Int64)
    case addTimer(GameTimer.ID, by: Int64)
    /// A penalty of a player, who may be given by number; nil: it lasts as long as the rules' first.
    case addPenalty(team: String, length: Int64?, number: Int?)
    /// Ends the oldest penalty of a team, or of a player.
    case endPenalty(team: String, number: Int?)
    case clearPenalties(team: String)
    case swapSides
    /// All from the beginning, but for names and colours.
    case newGame
    /// All from the beginning, names and colours as in the config.
    case reset
    /// A match does these two; a board alone has nothing to undo.
    case undo
    case redo
    case undoSteps(Int)
    case redoSteps(Int)
  }

  /// Why an action was not done. Nothing has changed then.
  public enum Refusal: Error, Hashable, Sendable {
    case unknownTeam(String, known: [String])
    case scoreOutOfRange(Int)
    /// Periods are counted from 1.
    case periodOutOfRange(Int, maximum: Int)
    case badName(String, TextProblem)
    /// Not `0xRRGGBB`.
    case badColor(UInt32)
    case unknownCounter(String, known: [String])
    case counterOutOfRange(Int, counter: String, limit: Int)
    case unknownTimer(String, known: [String])
    /// Nanoseconds.
    case timerOutOfRange(Int64, ClosedRange<Int64>)
    /// There is no time left to run: it is to be set or reset first.
    case timerAtEnd(GameTimer.ID)
    /// The shot clock cannot run while the game clock that it follows stands.
    case gameTimerPaused
    case nothingToUndo
    case nothingToRedo
    /// More steps than there are.
    case tooManySteps(Int, known: Int)
    /// The set is won: the next one is to be begun before points are made in it.
    case periodOver(String, result: String)
    case matchOver(result: String)
    /// A turn that scores nothing, where nobody's turn is tracked.
    case bust(Int, left: Int)
    case turnOutOfRange(Int, maximum: Int)
    /// The game has no penalty clocks.
    case noPenalties
    /// Nanoseconds.
    case penaltyOutOfRange(Int64)
    case playerOutOfRange(Int)
    case tooManyPenalties(String)
    /// The team, or the player, has none.
    case noPenalty(String, number: Int?)
  }

  /// Does `action`, or refuses it and changes nothing.
  ///
  /// - Parameter now: the instant at which it is done.
  public mutating func apply(_ action: Action, at now: Int64 = 0) throws(Refusal) {
    var board = settled(at: now)
    try board.perform(action, at: now)
    board.syncPenalties(at: now)
    self = board
  }

  private mutating func perform(_ action: Action, at now: Int64) throws(Refusal) {
    switch action {
    case .setScore(let id, let score): try setScore(score, at: try index(of: id))
    case .addScore(let id, let points): try addPoints(points, at: try index(of: id))
    case .setPeriodScore(let id, let period, let score):
      try setPeriodScore(at: try index(of: id), period: period, to: score)
    case .setPeriod(let number): try setPeriod(number)
    case .addPeriod(let difference):
      try setPeriod(sum(period, difference) { .periodOutOfRange($0, maximum: Self.periods.upperBound) })
    case .setTeam(let id, let name, let shortName, let color):
      try setTeam(at: try index(of: id), name: name, shortName: shortName, color: color)
    case .setServing(let id): setServing(try id.map { id throws(Refusal) in teams[try index(of: id)].id })
    case .setCounter(let id, let counter, let value):
      try setCounter(counter, to: value, at: try index(of: id))
    case .addCounter(let id, let counter, let difference):
      let index = try index(of: id)
      let limit = limit(of: try knownCounter(counter))
      let value = try sum(teams[index].counter(counter), difference) {
        .counterOutOfRange($0, counter: counter, limit: limit)
      }
      try setCounter(counter, to: value, at: index)
    case .startTimer(let id): try startTimer(id, at: now)
    case .pauseTimer(let id): try pauseTimer(id, at: now)
    case .resetTimer(let id): try resetTimer(id, at: now)
    case .resetShot(let value): try resetTimer(.shot, to: value, at: now)
    case .setTimer(let id, let value): try setTimer(id, to: value, at: now)
    case .addTimer(let id, let difference): try addTimer(id, by: difference, at: now)
    case .addPenalty(let id, let length, let number):
      try addPenalty(length, number: number, at: try index(of: id))
    case .endPenalty(let id, let number): try endPenalty(number: number, at: try index(of: id))
    case .clearPenalties(let id): try clearPenalties(at: try index(of: id))
    case .swapSides: sidesSwapped.toggle()
    case .newGame: beginAnew()
    case .reset:
      beginAnew()
      changeTeams { $0.dressAsDeclared() }
    case .undo, .undoSteps: throw .nothingToUndo
    case .redo, .redoSteps: throw .nothingToRedo
    }
  }

  private func sum(_ a: Int, _ b: Int, _ refusal: (Int) -> Refusal) throws(Refusal) -> Int {
    let (sum, overflow) = a.addingReportingOverflow(b)
    if overflow { throw refusal(b) }
    return sum
  }

  private func index(of id: String) throws(Refusal) -> Int {
    guard let index = teams.firstIndex(where: { $0.id == id }) else {
      throw .unknownTeam(id, known: teams.map(\.id))
    }
    return index
  }

  private mutating func setPeriod(_ number: Int) throws(Refusal) {
    guard Self.periods.contains(number) else {
      throw .periodOutOfRange(number, maximum: Self.periods.upperBound)
    }
    if number > period {
      if isMatchOver { throw .matchOver(result: resultText) }
      // The best of five has no sixth set.
      let last = max(rules.periods, period)
      if rules.scoring == .sets, rules.periodsToWin > 0, number > last {
        throw .periodOutOfRange(number, maximum: last)
      }
    }
    movePeriod(to: number)
  }

  private func knownCounter(_ id: String) throws(Refusal) -> GameRules.Counter {
    guard let counter = rules.counter(id) else {
      throw .unknownCounter(id, known: rules.counters.map(\.id))
    }
    return counter
  }

  private mutating func setCounter(_ id: String, to value: Int, at index: Int) throws(Refusal) {
    let limit = limit(of: try knownCounter(id))
    guard (0...limit).contains(value) else {
      throw .counterOutOfRange(value, counter: id, limit: limit)
    }
    teams[index].setCounter(id, to: value)
  }

  private mutating func setTeam(
    at index: Int, name: String?, shortName: String?, color: UInt32?
  ) throws(Refusal) {
    if let name {
      if let problem = ShownText.problem(in: name, maximum: ShownText.nameLimit) {
        throw .badName(name, problem)
      }
      teams[index].name = name
    }
    if let shortName {
      if !shortName.isEmpty, let problem = ShownText.problem(in: shortName, maximum: ShownText.shortNameLimit)
      {
        throw .badName(shortName, problem)
      }
      teams[index].shortName = shortName.isEmpty ? nil : shortName
    }
    if let color {
      guard color <= 0xffffff else { throw .badColor(color) }
      teams[index].color = color
    }
  }

  private mutating func beginAnew() {
    let start = rules.startScore
    changeTeams { team in
      team.score = start
      team.games = 0
      team.penalties = []
      team.periodScores = []
      team.counters = [:]
    }
    period = 1
    serving = nil
    firstServer = nil
    sidesSwapped = false
    gameTimer = GameTimer()
    shotTimer = GameTimer()
  }
}

extension Scoreboard.Team {
  fileprivate mutating func dressAsDeclared() {
    name = declared.name
    shortName = declared.shortName
    color = declared.color
  }
}
