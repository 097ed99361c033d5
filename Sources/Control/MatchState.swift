// SPDX-License-Identifier: Apache-2.0

import Scoreboard

/// A match as clients see it: the interface's type `MatchState`.
public struct MatchState: Codable, Hashable, Sendable {
  public struct Team: Codable, Hashable, Sendable {
    public var id: String
    public var name: String
    public var shortName: String
    /// `#rrggbb`.
    public var color: String
    public var score: Int
    /// The score as it is called, where that is not its number: `40` and `AD` in tennis.
    public var pointsText: String?
    /// Won in the current set, where sets consist of games.
    public var games: Int?
    public var periodScores: [Int]
    public var periodsWon: Int
    /// By the ids of `MatchState.counters`.
    public var counters: [String: Int]
    /// The oldest first; nil where the game has no penalty clocks.
    public var penalties: [Penalty]?
  }

  public struct Penalty: Codable, Hashable, Sendable {
    public var milliseconds: Int
    public var running: Bool
    /// The player's.
    public var number: Int?
  }

  public struct Counter: Codable, Hashable, Sendable {
    public var id: String
    public var name: String
    public var limit: Int
  }

  public struct Timer: Codable, Hashable, Sendable {
    public var milliseconds: Int
    public var running: Bool
    /// `up` or `down`.
    public var direction: String
    public var warning: Bool
    public var ended: Bool
  }

  public var revision: Int
  public var preset: String
  /// From left to right.
  public var teams: [Team]
  public var sidesSwapped: Bool
  public var period: Int
  public var periods: Int
  public var periodName: String
  /// The period that is played as a board calls it: `SET 3`, `OVERTIME`; nil from an older daemon, as are the next
  /// ones.
  public var periodText: String?
  /// What periods beyond the last are called.
  public var overtimeName: String?
  /// The set that is played is won.
  public var periodOver: Bool?
  /// Sets that win the match; 0: all are played.
  public var periodsToWin: Int?
  public var matchOver: Bool?
  /// The id of the team that has won the match.
  public var winner: String?
  /// What is called a game within a set; nil: a set consists of points.
  public var gameName: String?
  /// Scores go down to 0.
  public var countsDown: Bool?
  /// To what the shot clock can be reset instead of its length, milliseconds.
  public var secondShot: Int?
  /// How long penalties last, the usual one first, milliseconds.
  public var penalties: [Int]?
  public var scoring: String
  public var serve: String
  public var serving: String?
  public var increments: [Int]
  public var counters: [Counter]
  public var timers: [String: Timer]
  /// What would be undone and redone.
  public var undo: String?
  public var redo: String?

  /// The match as it is at the instant `now`.
  public init(_ match: Match, at now: Int64) {
    let board = match.board.settled(at: now)
    let rules = board.rules
    revision = match.revision
    preset = rules.preset
    teams = board.teamsBySide.map { Team($0, of: board, at: now) }
    sidesSwapped = board.sidesSwapped
    period = board.period
    periods = rules.periods
    periodName = rules.periodName
    scoring = rules.scoring.rawValue
    serve = rules.serve.rawValue
    serving = board.serving
    increments = rules.increments
    periodText = board.periodText
    overtimeName = rules.overtimeName
    periodOver = board.isPeriodOver
    periodsToWin = rules.periodsToWin
    matchOver = board.isMatchOver
    winner = board.winner?.id
    gameName = rules.games?.name
    countsDown = rules.countsDown
    secondShot = rules.shot != nil && rules.secondShot > 0 ? Int(rules.secondShot / 1_000_000) : nil
    penalties = rules.penalties.map { Int($0 / 1_000_000) }
    counters = rules.counters.map { Counter(id: $0.id, name: $0.name, limit: board.limit(of: $0)) }
    timers = [:]
    for id in rules.timers {
      if let reading = board.reading(of: id, at: now) { timers[id.rawValue] = Timer(reading) }
    }
    undo = match.past.last?.summary
    redo = match.future.last?.summary
  }
}

extension MatchState {
  /// As much of the rules as names a period.
  var periodRules: GameRules {
    var rules = GameRules()
    rules.periods = periods
    rules.periodName = periodName
    rules.scoring = GameRules.Scoring(rawValue: scoring) ?? .total
    if let overtimeName { rules.overtimeName = overtimeName }
    return rules
  }

  /// The period that is played, as a board calls it.
  var shownPeriod: String { periodText ?? periodRules.periodText(period) }
}

extension MatchState.Team {
  init(_ team: Scoreboard.Team, of board: Scoreboard, at now: Int64) {
    id = team.id
    name = team.name
    shortName = team.abbreviation
    color = ColorText.hex(team.color ?? 0x8e8b84)
    score = team.score
    pointsText = board.rules.pointNames == .numbers ? nil : board.pointsText(of: team)
    games = board.rules.games == nil ? nil : team.games
    periodScores = board.periodScores(of: team)
    periodsWon = board.periodsWon(by: team)
    counters = Dictionary(
      board.rules.counters.map { ($0.id, team.counter($0.id)) }, uniquingKeysWith: { first, _ in first })
    if !board.rules.penalties.isEmpty {
      penalties = board.penalties(of: team, at: now).map {
        // A second that has begun is shown.
        MatchState.Penalty(
          milliseconds: Int(($0.left + 999_999) / 1_000_000), running: $0.isRunning, number: $0.number)
      }
    }
  }
}

extension MatchState.Timer {
  init(_ penalty: MatchState.Penalty) {
    self.init(
      milliseconds: penalty.milliseconds, running: penalty.running, direction: "down", warning: false,
      ended: false)
  }

  init(_ reading: Scoreboard.TimerReading) {
    // A second that has begun is shown: what is left is rounded up, what has passed is rounded down.
    let isLeft = reading.direction == .down && reading.value > 0
    milliseconds = Int((reading.value + (isLeft ? 999_999 : 0)) / 1_000_000)
    running = reading.isRunning
    direction = reading.direction.rawValue
    warning = reading.isWarning
    ended = reading.hasEnded
  }
}

/// What an action made of a match.
public struct MatchChange: Hashable, Sendable {
  /// In words; nil when nothing has changed.
  public var what: String?
  /// What happened by the rules besides the action itself, e.g. a set that was won.
  public var note: String?
  public var state: MatchState

  public init(what: String?, state: MatchState) {
    self.what = what
    self.state = state
  }

  /// - Parameter match: as the action left it.
  public init(_ outcome: Match.Outcome, _ match: Match, at now: Int64) {
    state = MatchState(match, at: now)
    switch outcome {
    case .changed(let step), .undone(let step), .redone(let step): what = step.summary
    case .undoneSteps(let steps), .redoneSteps(let steps):
      what = steps.map(\.summary).joined(separator: "; ")
    case .unchanged: what = nil
    }
    if case .changed(let step) = outcome {
      note = step.note
    }
  }
}

/// A change that was made: the interface's type `Step`.
public struct MatchStep: Codable, Hashable, Sendable {
  public var number: Int
  public var what: String
  /// RFC 3339.
  public var time: String

  public init(number: Int, what: String, time: String) {
    self.number = number
    self.what = what
    self.time = time
  }
}

/// What can be undone and redone, each with what comes next first.
public struct MatchHistory: Codable, Hashable, Sendable {
  public var past: [MatchStep]
  public var future: [MatchStep]

  public init(past: [MatchStep], future: [MatchStep]) {
    self.past = past
    self.future = future
  }
}
