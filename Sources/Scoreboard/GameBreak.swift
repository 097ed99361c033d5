// SPDX-License-Identifier: Apache-2.0

/// A break of the match. Its clock is the timer `GameTimer.ID.breakClock`, which counts down.
package struct GameBreak: Hashable, Sendable, Codable {
  package enum Kind: Hashable, Sendable, Codable {
    case timeOut(team: String)
    /// Between two periods, or within a set.
    case interval
    /// The interval in the middle of the match.
    case halfTime
    /// Before the match.
    case warmUp
  }

  package let kind: Kind
  /// Nanoseconds, at least 1.
  package let length: Int64
  package internal(set) var timer: GameTimer
  /// When the break began by itself, after a point or at the end of a period; nil: it was begun by a command.
  private var follows: Int64?
  /// The instant at which the clock has run out; nil: it has not.
  var ended: Int64?

  /// How long the result of a period, or the point before an interval, is shown before the page of the break
  /// that follows, in nanoseconds.
  package static let resultTime: Int64 = 8_000_000_000

  /// How long a break is shown after its clock has run out, in nanoseconds.
  package static let shownAfterEnd: Int64 = 10_000_000_000

  init(_ kind: Kind, length: Int64, byItself: Bool = false, at now: Int64) {
    self.kind = kind
    self.length = length
    follows = byItself ? now : nil
    timer = GameTimer(value: length, since: now)
  }

  /// The instant until which the result is shown before a break that began by itself.
  package var resultEnds: Int64? { follows?.addingClamped(Self.resultTime) }

  /// The instant from which the break is over, once its clock has run out.
  var disappears: Int64? { ended?.addingClamped(Self.shownAfterEnd) }

  /// Moves all instants by `offset` nanoseconds, to convert them to a clock that was 0 at another time.
  mutating func shift(by offset: Int64) {
    timer.shift(by: offset)
    follows = follows?.addingClamped(offset)
    ended = ended?.addingClamped(offset)
  }

  func shifted(by offset: Int64) -> GameBreak {
    var shifted = self
    shifted.shift(by: offset)
    return shifted
  }

  var isSound: Bool { (1...GameTimer.limit).contains(length) && timer.isValid }
}

/// Why a break may not begin now: the interface's type `BreakProblem`.
package enum BreakProblem: String, CaseIterable, Sendable {
  case matchOver = "match_over"
  /// The set is over, and the next one has not begun.
  case periodOver = "period_over"
  /// A time-out of the same team runs.
  case timeOut = "time_out"
  /// A break that is not a time-out runs.
  case otherBreak = "other_break"
}

/// Why a period may not begin now: the interface's type `PeriodProblem`.
package enum PeriodProblem: String, CaseIterable, Sendable {
  case matchOver = "match_over"
  /// Nobody has won the set.
  case setNotOver = "set_not_over"
}

extension GameBreak.Kind {
  /// The names of the kinds in commands, in the interface and in the config.
  package static let names = ["time-out", "interval", "half-time", "warm-up"]

  package var name: String {
    switch self {
    case .timeOut: Self.names[0]
    case .interval: Self.names[1]
    case .halfTime: Self.names[2]
    case .warmUp: Self.names[3]
    }
  }

  /// The team that has taken a time-out.
  package var team: String? { if case .timeOut(let team) = self { team } else { nil } }

  /// - Parameter team: required for a time-out, and not allowed for any other kind.
  package init?(name: String, team: String?) {
    switch (name, team) {
    case ("time-out", let team?): self = .timeOut(team: team)
    case ("interval", nil): self = .interval
    case ("half-time", nil): self = .halfTime
    case ("warm-up", nil): self = .warmUp
    default: return nil
    }
  }
}

extension GameRules {
  /// The lengths of the breaks, in nanoseconds; 0: the game has no such break, or only one with a length
  /// given by hand.
  package struct Breaks: Hashable, Sendable, Codable {
    package var timeOut: Int64 = 0
    /// After the first period, the second, and so on; the last length also applies to the following periods.
    package var intervals: [Int64] = []
    /// The interval in the middle of an even number of periods; 0: an interval like the others.
    package var halfTime: Int64 = 0
    /// Before an overtime, if the score is tied, and between its periods; 0: no interval begins by itself.
    package var overtimeInterval: Int64 {
      get { overtime ?? 0 }
      set { overtime = newValue > 0 ? newValue : nil }
    }
    private var overtime: Int64?
    /// Within a set: when a team has `inSetAt` points for the first time or, where sets consist of games,
    /// after the third, the fifth and every other odd game.
    package var inSet: Int64 {
      get { withinSet ?? 0 }
      set { withinSet = newValue > 0 ? newValue : nil }
    }
    private var withinSet: Int64?
    /// 0: there is no interval within sets that consist of points.
    package var inSetAt: Int {
      get { withinSetAt ?? 0 }
      set { withinSetAt = newValue > 0 ? newValue : nil }
    }
    private var withinSetAt: Int?
    package var warmUp: Int64 = 0
    /// How long before its end the clock of a break warns.
    package var warning: Int64 = 10_000_000_000
    /// The names on the scoreboard, by the names of the kinds.
    package var names: [String: String] = [
      "time-out": "TIME-OUT", "interval": "INTERVAL", "half-time": "HALF-TIME", "warm-up": "WARM-UP",
    ]

    package init() {}

    /// Whether the game has breaks with a length, besides the warm-up.
    package var hasLengths: Bool {
      ([timeOut, halfTime, overtimeInterval, inSet] + intervals).contains { $0 > 0 }
    }

    var isSound: Bool {
      ([timeOut, halfTime, overtimeInterval, inSet, warmUp, warning] + intervals)
        .allSatisfy { (0...GameTimer.limit).contains($0) } && Scoreboard.scores.contains(inSetAt)
        && intervals.count <= Scoreboard.periods.upperBound && names.count <= GameBreak.Kind.names.count
        && names.allSatisfy { SharedMatch.isShort($0.key) && SharedMatch.isShort($0.value) }
    }
  }

  /// The length of a break by the rules; 0: none.
  package func length(of kind: GameBreak.Kind, inPeriod period: Int) -> Int64 {
    switch kind {
    case .timeOut: breaks.timeOut
    case .interval where isOvertime(period + 1) && breaks.overtimeInterval > 0: breaks.overtimeInterval
    case .interval:
      breaks.intervals.indices.contains(period - 1)
        ? breaks.intervals[period - 1] : breaks.intervals.last ?? 0
    case .halfTime: breaks.halfTime
    case .warmUp: breaks.warmUp
    }
  }

  /// The names of the breaks that have a length by the rules, in the first period.
  package var breakNames: [String] {
    let kinds: [GameBreak.Kind] = [.timeOut(team: ""), .interval, .halfTime, .warmUp]
    return kinds.filter { length(of: $0, inPeriod: 1) > 0 }.map(\.name)
  }

  /// The break that begins by itself after a period; nil: none, as after a period with which the match ends
  /// if the score is not tied.
  func automaticBreak(after period: Int, isTied: Bool) -> GameBreak.Kind? {
    let needsTie = canEnd(after: period)
    guard period < periods || isOvertime(period + 1) && breaks.overtimeInterval > 0 && (isTied || !needsTie)
    else { return nil }
    let kind: GameBreak.Kind = 2 * period == periods && breaks.halfTime > 0 ? .halfTime : .interval
    return length(of: kind, inPeriod: period) > 0 ? kind : nil
  }

  /// Whether the game clock stops in breaks. A stopwatch in a game of sets measures the match, and continues.
  var stopsInBreaks: Bool { game.map { scoring == .total || $0.length > 0 } ?? false }
}

extension KeyedDecodingContainer {
  /// The rules of an older release have no breaks.
  func decode(_ type: GameRules.Breaks.Type, forKey key: Key) throws -> GameRules.Breaks {
    try decodeIfPresent(type, forKey: key) ?? GameRules.Breaks()
  }
}
