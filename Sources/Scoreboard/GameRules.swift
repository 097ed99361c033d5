// SPDX-License-Identifier: Apache-2.0

/// The rules of a game, as data: periods, breaks, counters, timers, penalties, who serves, and how a set and
/// a match are won. Games that the clock ends (basketball, football) have no automatic winner.
package struct GameRules: Hashable, Sendable, Codable {
  package enum Scoring: String, CaseIterable, Hashable, Sendable {
    /// The score continues from period to period.
    case total
    /// Each period is a set: it begins at the start score and has a winner.
    case sets
  }

  /// Whether the higher or the lower score is better.
  package enum Better: String, CaseIterable, Hashable, Sendable {
    case higher
    case lower
  }

  package enum Serve: String, CaseIterable, Hashable, Sendable {
    case none
    case serve
    case possession
  }

  /// What follows the regular periods, where points add up.
  package struct Overtime: Hashable, Sendable, Codable {
    /// How many periods one overtime consists of.
    package var periods = 1
    /// Whether the first team that leads in overtime wins the match.
    package var goalWins = false
  }

  /// How a timer runs. Lengths are in nanoseconds.
  package struct Timer: Hashable, Sendable, Codable {
    package enum Direction: String, CaseIterable, Hashable, Sendable {
      case up
      case down
    }

    package enum End: String, CaseIterable, Hashable, Sendable {
      /// The timer stops.
      case stop
      /// The timer stops and the next period begins, with the timer reset and at rest. At the end of the last
      /// regular period and of an overtime, the timer only stops.
      case nextPeriod = "next-period"
      /// The timer continues below zero, or beyond its length.
      case countOn = "count-on"
    }

    package var direction: Direction
    /// The length of a regular period; 0: a timer that counts up has no end.
    package var length: Int64
    /// The length of an overtime.
    package var overtimeLength: Int64
    /// How long before the end the warning begins; 0: no warning.
    package var warning: Int64
    package var end: End
    /// Whether a timer that counts up starts each period at the nominal end of the previous one.
    package var continues: Bool

    /// Lengths are clamped to 0 … `GameTimer.limit`.
    package init(
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

  /// The preset that these rules are based on, e.g. `basketball`.
  package var preset = "free"
  /// The number of regular periods; overtimes may follow.
  package var periods = 1
  /// The name on the scoreboard, e.g. `SET`.
  package var periodName = "PERIOD"
  /// The heading of the number of periods that a team has won, e.g. `SETS`.
  package var periodsName = "PERIODS"
  /// The names of the regular periods, if each has its own, e.g. `前半` and `後半`; otherwise empty.
  package var periodNames: [String] = []
  /// A period with its number, e.g. `{number}. {name}` (see `Words.numbered`).
  package var numbered = "{name} {number}"
  package var scoring = Scoring.total
  package var startScore = 0
  package var better = Better.higher
  /// The points that the score keys add.
  package var increments = [1]
  /// Replaces `periodName` in overtime.
  package var overtimeName = "OVERTIME"
  package var shortOvertimeName = "OT"
  /// The heading of the penalty clocks.
  package var penaltiesName = "PENALTIES"
  /// The points of a player with an advantage (tennis), at most two characters.
  package var advantageName = "AD"

  package var winningPointNames = WinningPointNames()
  package var overtime = Overtime()

  // How a game, a set and the match are won.

  /// The points that win a set, or a game where sets consist of games; 0: none.
  package var pointsToWin = 0
  /// `pointsToWin` for the last set, unless sets consist of games; 0: the same as in the other sets.
  package var pointsToWinDeciding = 0
  /// How far ahead of every other team the winner must be.
  package var lead = 1
  /// The score at which a lead of one is enough; 0: none.
  package var cap = 0
  /// How many sets win the match; 0: all sets are played.
  package var periodsToWin = 0
  package var periodEnd = PeriodEnd.hold
  /// The games of a set; nil: sets consist of points.
  package var games: Games?
  package var pointNames = PointNames.numbers
  /// Whether the last dart of a leg must be a double (darts), so that a turn must not leave 1.
  package var doubleOut = false
  /// The maximum score of one turn when scores count down; 0: no maximum.
  package var turnLimit = 0

  // Serving.

  package var serve = Serve.none
  package var serveRule = ServeRule.hand
  /// How many points in a row a team serves under `ServeRule.points`.
  package var servesInRow = 2
  package var firstServe = FirstServe.alternate
  /// Replaces `firstServe` in the last set; nil: no difference.
  package var firstServeDeciding: FirstServe?
  package var sideChange = SideChange.hand
  /// The points at which sides change in the last set under `SideChange.periods`; 0: they do not.
  package var sideChangeAt = 0

  package var counters: [Counter] = []
  package var game: Timer? = Timer(.up, length: 0)
  package var shot: Timer?
  /// The second length to which the shot clock can be reset, in nanoseconds; 0: none.
  package var secondShot: Int64 = 0
  /// Whether the shot clock starts and pauses with the game clock, and never runs without it.
  package var shotFollows = true
  /// The lengths of penalties, in nanoseconds, the default one first; empty: the game has no penalty clocks.
  package var penalties: [Int64] = []
  /// How many penalties of a team run at the same time, while the others wait; 0: all.
  package var penaltiesRunning = 0
  package var breaks = Breaks()

  /// A free game: scores and a stopwatch.
  package init() {}

  /// Whether a match by these rules can continue by the others. It cannot where scores would mean something
  /// else: with another preset, with sets instead of a total, with games in sets, or with scores that count
  /// in the other direction. The preset `free` counts as equal to every other, so that a config may lack
  /// `[game]` for a while.
  package func isSameGame(as other: GameRules) -> Bool {
    let isOtherPreset = preset != other.preset && ![preset, other.preset].contains(Preset.free.rawValue)
    return !isOtherPreset && scoring == other.scoring && countsDown == other.countsDown
      && (games == nil) == (other.games == nil)
  }

  /// Whether the match can end with this period: it is the last regular one, or the last one of an overtime.
  func canEnd(after period: Int) -> Bool {
    period >= periods && (period - periods).isMultiple(of: max(overtime.periods, 1))
  }

  package func counter(_ id: String) -> Counter? { counters.first { $0.id == id } }

  /// The timers that the game always has: all but the clock of a break.
  package var timers: [GameTimer.ID] { [.game, .shot].filter { timer($0) != nil } }

  /// Nil: the game has no such timer. The clock of a break has its length from the break.
  package func timer(_ id: GameTimer.ID) -> Timer? {
    switch id {
    case .game: game
    case .shot: shot
    case .breakClock: Timer(.down, length: 0, warning: breaks.warning)
    }
  }

  /// The number of digits that scores of the game usually have, 2 or 3. Where scores rise by three at once,
  /// they usually reach a hundred.
  package var usualDigits: Int {
    max(startScore, max(pointsToWin, cap)) > 99 || scoring == .total && increments.contains { $0 > 2 } ? 3 : 2
  }
}

extension KeyedDecodingContainer {
  /// The rules of an older release do not have it.
  func decode(_ type: GameRules.Overtime.Type, forKey key: Key) throws -> GameRules.Overtime {
    try decodeIfPresent(type, forKey: key) ?? GameRules.Overtime()
  }
}
