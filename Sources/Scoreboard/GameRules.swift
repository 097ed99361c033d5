// SPDX-License-Identifier: Apache-2.0

/// What a game has: its periods, counters and timers. No more than a board needs to be worked and read; who
/// has won is for people to say.
public struct GameRules: Hashable, Sendable {
  public enum Scoring: String, CaseIterable, Hashable, Sendable {
    /// The score goes on from period to period.
    case total
    /// Each period is a set, which begins at the start score and is won.
    case sets
  }

  /// Which score is the better one.
  public enum Better: String, CaseIterable, Hashable, Sendable {
    case higher
    case lower
  }

  public enum Serve: String, CaseIterable, Hashable, Sendable {
    case none
    case serve
    case possession
  }

  /// Something that is counted for each team, e.g. time-outs.
  public struct Counter: Hashable, Sendable {
    public enum Reset: String, CaseIterable, Hashable, Sendable {
      case period
      case game
    }

    public var id: String
    /// As a board says it: `FOULS`.
    public var name: String
    /// The most that can be counted, 1 … 999.
    public var limit: Int
    /// With what it begins at zero again.
    public var reset: Reset

    public init(id: String, name: String, limit: Int, reset: Reset) {
      self.id = id
      self.name = name
      self.limit = min(max(limit, 1), Scoreboard.counters.upperBound)
      self.reset = reset
    }
  }

  /// How a timer runs. Lengths are in nanoseconds.
  public struct Timer: Hashable, Sendable {
    public enum Direction: String, CaseIterable, Hashable, Sendable {
      case up
      case down
    }

    public enum End: String, CaseIterable, Hashable, Sendable {
      /// It stops.
      case stop
      /// It stops, and the next period is there, with its time on the timer; the last period just ends.
      case nextPeriod = "next-period"
      /// It goes on: below zero, or beyond its length.
      case countOn = "count-on"
    }

    public var direction: Direction
    /// Of a period; 0: a timer that counts up has no end.
    public var length: Int64
    /// Of a period after the last one of the rules.
    public var overtimeLength: Int64
    /// How long before the end the warning begins; 0: none.
    public var warning: Int64
    public var end: End
    /// A timer that counts up goes on from where the period before should have ended.
    public var continues: Bool

    /// Lengths are brought into 0 … `GameTimer.limit`.
    public init(
      _ direction: Direction, length: Int64, overtimeLength: Int64? = nil, warning: Int64 = 0,
      end: End = .stop, continues: Bool = false
    ) {
      self.direction = direction
      self.length = GameTimer.bounded(length)
      self.overtimeLength = GameTimer.bounded(overtimeLength ?? length)
      self.warning = GameTimer.bounded(warning)
      self.end = end
      self.continues = continues
    }
  }

  /// The preset that these come from, e.g. `basketball`.
  public var preset = "free"
  /// How many there are; more may be played.
  public var periods = 1
  /// As a board says it: `SET`.
  public var periodName = "PERIOD"
  public var scoring = Scoring.total
  public var startScore = 0
  public var better = Better.higher
  /// What the keys for points add.
  public var increments = [1]
  public var serve = Serve.none
  public var counters: [Counter] = []
  public var game: Timer? = Timer(.up, length: 0)
  public var shot: Timer?
  /// The shot clock runs only while the game clock does, and starts and pauses with it.
  public var shotFollows = true

  /// A free game: scores, and a stopwatch.
  public init() {}

  public func counter(_ id: String) -> Counter? { counters.first { $0.id == id } }

  public func timer(_ id: GameTimer.ID) -> Timer? {
    switch id {
    case .game: game
    case .shot: shot
    }
  }

  /// The timers there are.
  public var timers: [GameTimer.ID] { GameTimer.ID.allCases.filter { timer($0) != nil } }
}
