// SPDX-License-Identifier: Apache-2.0

extension Scoreboard {
  public struct Team: Hashable, Sendable {
    public let id: String
    public var name: String
    /// Nil: the beginning of the name, `abbreviation`.
    public var shortName: String?
    /// `0xRRGGBB`; nil: whatever the page has for it.
    public var color: UInt32?
    /// In the period that is played, where periods are sets; else in all of them. In the current game, where
    /// sets consist of games; `Scoreboard.pointsText(of:)` has it as it is called.
    public var score: Int
    /// Won in the current set, where sets consist of games.
    public internal(set) var games = 0
    /// What each period that is over brought.
    public internal(set) var periodScores: [Int] = []
    /// Time-outs, fouls and what else the rules count; what is missing is 0.
    public internal(set) var counters: [String: Int] = [:]
    /// The oldest first.
    public internal(set) var penalties: [Penalty] = []
    /// What the config said last.
    var declared: Declared

    struct Declared: Hashable, Sendable, Codable {
      var name: String
      var shortName: String?
      var color: UInt32?
    }

    public init(
      id: String, name: String, shortName: String? = nil, color: UInt32? = nil, score: Int = 0
    ) {
      self.id = id
      self.name = name
      self.shortName = shortName
      self.color = color
      self.score = score
      declared = Declared(name: name, shortName: shortName, color: color)
    }
  }
}

extension Scoreboard.Team {
  /// The short name: what was given, else the first three letters of the name.
  public var abbreviation: String { shortName ?? String(name.prefix(3)).uppercased() }

  public func counter(_ id: String) -> Int { counters[id] ?? 0 }

  /// This team as another config declares it.
  func adopting(_ other: Scoreboard.Team) -> Scoreboard.Team {
    var team = self
    if other.declared.name != declared.name { team.name = other.declared.name }
    if other.declared.shortName != declared.shortName { team.shortName = other.declared.shortName }
    if other.declared.color != declared.color { team.color = other.declared.color }
    team.declared = other.declared
    return team
  }

  mutating func setCounter(_ id: String, to value: Int) {
    // A counter at zero is not kept: equal states are equal values.
    counters[id] = value == 0 ? nil : value
  }

  /// - Parameter period: the one that is played.
  mutating func makeValid(period: Int, rules: GameRules) {
    score = min(max(score, Scoreboard.scores.lowerBound), Scoreboard.scores.upperBound)
    for counter in rules.counters where self.counter(counter.id) > counter.limit {
      setCounter(counter.id, to: counter.limit)
    }
    guard periodScores.count != period - 1 else { return }
    // It came, or came back, in the middle of the game.
    periodScores = Array(periodScores.prefix(period - 1))
    periodScores += Array(repeating: 0, count: period - 1 - periodScores.count)
  }
}
