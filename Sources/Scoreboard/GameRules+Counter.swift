// SPDX-License-Identifier: Apache-2.0

extension GameRules {
  /// A count kept for each team, e.g. of time-outs.
  package struct Counter: Hashable, Sendable, Codable {
    package enum Reset: String, CaseIterable, Hashable, Sendable {
      case period
      /// The counter is reset at half-time and before every overtime.
      case half
      case game
    }

    package var id: String
    /// The name on the scoreboard, e.g. `FOULS`.
    package var name: String
    /// The maximum in the first half, in the second half and in each overtime, 1 … 999.
    package var firstHalfLimit: Int
    package var secondHalfLimit: Int
    package var overtimeLimit: Int
    /// When the counter starts again from zero.
    package var reset: Reset
    /// Whether the count continues in overtime instead of being reset, like FIBA's team fouls.
    package var keepsInOvertime: Bool
    /// Whether it counts time-outs: one more starts the clock of a time-out.
    package var startsTimeOut: Bool {
      get { isTimeOut ?? false }
      set { isTimeOut = newValue ? true : nil }
    }
    private var isTimeOut: Bool?
    /// Whether the limit has a consequence in the game, as that of basketball's team fouls, and is shown in
    /// red.
    package var warnsAtLimit: Bool {
      get { warns ?? false }
      set { warns = newValue ? true : nil }
    }
    private var warns: Bool?
    /// How much may be added in one half and in one overtime; nil: no limit.
    package var limitPerHalf: Int?
    package var limitPerOvertime: Int?
    /// How much may be added in the last `late` nanoseconds of the last regular period; nil: no limit.
    package var limitLate: Int?
    package var late: Int64?

    /// - Parameters:
    ///   - secondHalf: the limit in the second half; nil: `limit`.
    ///   - overtime: the limit in overtime; nil: the limit in the second half.
    package init(
      id: String, name: String, limit: Int, secondHalf: Int? = nil, overtime: Int? = nil, reset: Reset,
      keepsInOvertime: Bool = false, startsTimeOut: Bool = false, warnsAtLimit: Bool = false
    ) {
      func bounded(_ limit: Int) -> Int { min(max(limit, 1), Scoreboard.counters.upperBound) }
      self.id = id
      self.name = name
      firstHalfLimit = bounded(limit)
      secondHalfLimit = bounded(secondHalf ?? limit)
      overtimeLimit = bounded(overtime ?? secondHalf ?? limit)
      self.reset = reset
      self.keepsInOvertime = keepsInOvertime
      self.startsTimeOut = startsTimeOut
      self.warnsAtLimit = warnsAtLimit
    }

    /// The largest limit in any part of the game. `Scoreboard.limit(of:)` is the limit in the current period.
    package var limit: Int { max(firstHalfLimit, secondHalfLimit, overtimeLimit) }
  }

  func limit(of counter: Counter, inPeriod period: Int) -> Int {
    if isOvertime(period) { return counter.overtimeLimit }
    return isFirstHalf(period) ? counter.firstHalfLimit : counter.secondHalfLimit
  }

  /// Whether a period follows the last regular one. Games in sets have no overtime.
  package func isOvertime(_ period: Int) -> Bool { scoring == .total && period > periods }

  private func isFirstHalf(_ period: Int) -> Bool { period <= (periods + 1) / 2 }

  /// Whether a counter starts again from zero when `period` begins.
  private func resets(_ counter: Counter, before period: Int) -> Bool {
    if counter.keepsInOvertime, isOvertime(period) { return false }
    switch counter.reset {
    case .period: return true
    case .half: return beginsPart(period)
    case .game: return false
    }
  }

  /// Whether the second half or an overtime begins with `period`.
  private func beginsPart(_ period: Int) -> Bool {
    isOvertime(period)
      ? canEnd(after: period - 1) : !isFirstHalf(period) && isFirstHalf(period - 1)
  }

  /// The keys of `Scoreboard.Team.counters` that start again from zero when `period` begins.
  func resetCounts(before period: Int) -> [String] {
    counters.flatMap { counter in
      if resets(counter, before: period) { return counter.keys }
      return beginsPart(period) ? [counter.key(of: .half), counter.key(of: .overtime)] : []
    }
  }
}
