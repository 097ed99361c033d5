// SPDX-License-Identifier: Apache-2.0

/// The rules of a game, as data: its periods, counters, timers and penalties, who serves, and how a set and a
/// match are won. Where the clock decides (basketball, football), the winner is for people to say.
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
  /// Added to `periodName`'s place beyond the last period of a game whose score goes on.
  public var overtimeName = "OVERTIME"
  public var shortOvertimeName = "OT"

  // How a set, a game and a match are won.

  /// Points that win a set, or a game where a set consists of games; 0: no number of points does.
  public var pointsToWin = 0
  /// The same in the last set; 0: as in the others.
  public var pointsToWinDeciding = 0
  /// How far ahead of every other team the winner must be.
  public var lead = 1
  /// With so many points a lead of one is enough; 0: there is no such number.
  public var cap = 0
  /// Sets that win the match; 0: all of them are played.
  public var periodsToWin = 0
  public var periodEnd = PeriodEnd.hold
  /// Nil: a set consists of points.
  public var games: Games?
  public var pointNames = PointNames.numbers
  /// Darts: the last dart of a leg must be a double, so that nobody can go on from 1.
  public var doubleOut = false
  /// The most that one turn can score where scores count down; 0: no limit.
  public var turnLimit = 0

  // Who serves.

  public var serve = Serve.none
  public var serveRule = ServeRule.hand
  /// With `ServeRule.points`, how many points in a row a team serves.
  public var servesInRow = 2
  public var firstServe = FirstServe.alternate
  /// In the last set; nil: as in the others.
  public var firstServeDeciding: FirstServe?
  public var sideChange = SideChange.hand
  /// With `SideChange.periods`, the points at which the teams change sides in the last set; 0: they do not.
  public var sideChangeAt = 0

  public var counters: [Counter] = []
  public var game: Timer? = Timer(.up, length: 0)
  public var shot: Timer?
  /// To what the shot clock can be reset instead of its length, nanoseconds; 0: only to its length.
  public var secondShot: Int64 = 0
  /// The shot clock runs only while the game clock does, and starts and pauses with it.
  public var shotFollows = true
  /// How long penalties last, nanoseconds, the usual one first; empty: the game has no penalty clocks.
  public var penalties: [Int64] = []
  /// How many penalties of a team run at a time, the others wait; 0: all of them.
  public var penaltiesRunning = 0

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
