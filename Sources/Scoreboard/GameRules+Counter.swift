// SPDX-License-Identifier: Apache-2.0

extension GameRules {
  /// Something that is counted for each team, e.g. time-outs.
  public struct Counter: Hashable, Sendable {
    public enum Reset: String, CaseIterable, Hashable, Sendable {
      case period
      /// In the middle of the game, and with every overtime.
      case half
      case game
    }

    public var id: String
    /// As a board says it: `FOULS`.
    public var name: String
    /// What is counted at most, 1 … 999: at the beginning, in the second half, in each overtime.
    public var firstHalfLimit: Int
    public var secondHalfLimit: Int
    public var overtimeLimit: Int
    /// With what it begins at zero again.
    public var reset: Reset
    /// Overtime continues the last period: the counter is not reset. (FIBA's team fouls.)
    public var keepsInOvertime: Bool

    /// - Parameters:
    ///   - secondHalf: nil: as at the beginning.
    ///   - overtime: nil: as in the second half.
    public init(
      id: String, name: String, limit: Int, secondHalf: Int? = nil, overtime: Int? = nil, reset: Reset,
      keepsInOvertime: Bool = false
    ) {
      func bounded(_ limit: Int) -> Int { min(max(limit, 1), Scoreboard.counters.upperBound) }
      self.id = id
      self.name = name
      firstHalfLimit = bounded(limit)
      secondHalfLimit = bounded(secondHalf ?? limit)
      overtimeLimit = bounded(overtime ?? secondHalf ?? limit)
      self.reset = reset
      self.keepsInOvertime = keepsInOvertime
    }

    /// The largest limit of any part of the game; `Scoreboard.limit(of:)` is that of the current period.
    public var limit: Int { max(firstHalfLimit, secondHalfLimit, overtimeLimit) }
  }

  func limit(of counter: Counter, inPeriod period: Int) -> Int {
    if isOvertime(period) { return counter.overtimeLimit }
    return isFirstHalf(period) ? counter.firstHalfLimit : counter.secondHalfLimit
  }

  /// A period beyond the last, where the score goes on. There is no overtime in sets.
  public func isOvertime(_ period: Int) -> Bool { scoring == .total && period > periods }

  private func isFirstHalf(_ period: Int) -> Bool { period <= (periods + 1) / 2 }

  /// Whether a counter begins at zero again in `period`, which follows another.
  func resets(_ counter: Counter, before period: Int) -> Bool {
    if counter.keepsInOvertime, isOvertime(period) { return false }
    switch counter.reset {
    case .period: return true
    case .half: return isOvertime(period) || (!isFirstHalf(period) && isFirstHalf(period - 1))
    case .game: return false
    }
  }
}
