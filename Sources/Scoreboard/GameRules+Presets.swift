// SPDX-License-Identifier: Apache-2.0

extension GameRules {
  public enum Preset: String, CaseIterable, Hashable, Sendable {
    case free
    case basketball
    case volleyball
    case tableTennis = "table-tennis"
    case football
    case darts
  }

  /// The rules of a common game, as its board needs them.
  public init(_ preset: Preset) {
    self.init()
    self.preset = preset.rawValue
    switch preset {
    case .free: break
    case .basketball: setBasketball()
    case .volleyball: setVolleyball()
    case .tableTennis: setTableTennis()
    case .football: setFootball()
    case .darts: setDarts()
    }
  }

  private static let second: Int64 = 1_000_000_000
  private static let minute: Int64 = 60 * second

  /// FIBA: quarters of ten minutes, overtimes of five, 24 seconds for a shot.
  private mutating func setBasketball() {
    periods = 4
    periodName = "QUARTER"
    increments = [1, 2, 3]
    serve = .possession
    counters = [
      Counter(id: "fouls", name: "FOULS", limit: 5, reset: .period),
      Counter(id: "timeouts", name: "TIME-OUTS", limit: 5, reset: .game),
    ]
    game = Timer(.down, length: 10 * Self.minute, overtimeLength: 5 * Self.minute, warning: Self.minute)
    shot = Timer(.down, length: 24 * Self.second, warning: 5 * Self.second)
  }

  /// FIVB: the best of five sets.
  private mutating func setVolleyball() {
    setSets(5)
    counters = [
      Counter(id: "timeouts", name: "TIME-OUTS", limit: 2, reset: .period),
      Counter(id: "substitutions", name: "SUBSTITUTIONS", limit: 6, reset: .period),
    ]
  }

  /// ITTF: the best of five games, one time-out a match.
  private mutating func setTableTennis() {
    setSets(5)
    counters = [Counter(id: "timeouts", name: "TIME-OUTS", limit: 1, reset: .game)]
  }

  /// IFAB: two halves of 45 minutes; the clock goes on through stoppage time, and from 45:00 in the second.
  private mutating func setFootball() {
    periods = 2
    periodName = "HALF"
    counters = [
      Counter(id: "yellow-cards", name: "YELLOW CARDS", limit: 99, reset: .game),
      Counter(id: "red-cards", name: "RED CARDS", limit: 99, reset: .game),
      Counter(id: "substitutions", name: "SUBSTITUTIONS", limit: 6, reset: .game),
    ]
    game = Timer(
      .up, length: 45 * Self.minute, overtimeLength: 15 * Self.minute, end: .countOn, continues: true)
  }

  /// A leg is thrown down from 501.
  private mutating func setDarts() {
    setSets(5)
    periodName = "LEG"
    startScore = 501
    better = .lower
    increments = [-180, -140, -100, -60, -26, -1]
  }

  private mutating func setSets(_ count: Int) {
    periods = count
    periodName = "SET"
    scoring = .sets
    serve = .serve
    game = Timer(.up, length: 0)
  }
}
