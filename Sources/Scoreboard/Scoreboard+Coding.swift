// SPDX-License-Identifier: Apache-2.0

extension Scoreboard.Team: Codable {
  private enum CodingKeys: CodingKey {
    case id, name, shortName, color, score, games, periodScores, tieBreaks, counters, penalties, declared
  }

  /// Omits fields that have their initial values, except the score.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(name, forKey: .name)
    try container.encodeIfPresent(shortName, forKey: .shortName)
    try container.encodeIfPresent(color, forKey: .color)
    try container.encode(score, forKey: .score)
    if games != 0 { try container.encode(games, forKey: .games) }
    if !penalties.isEmpty { try container.encode(penalties, forKey: .penalties) }
    if !periodScores.isEmpty { try container.encode(periodScores, forKey: .periodScores) }
    if !tieBreaks.isEmpty { try container.encode(tieBreaks, forKey: .tieBreaks) }
    if !counters.isEmpty { try container.encode(counters, forKey: .counters) }
    if declared != Declared(name: name, shortName: shortName, color: color) {
      try container.encode(declared, forKey: .declared)
    }
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try container.decode(String.self, forKey: .id),
      name: try container.decode(String.self, forKey: .name),
      shortName: try container.decodeIfPresent(String.self, forKey: .shortName),
      color: try container.decodeIfPresent(UInt32.self, forKey: .color),
      score: try container.decode(Int.self, forKey: .score))
    games = try container.decodeIfPresent(Int.self, forKey: .games) ?? 0
    penalties = try container.decodeIfPresent([Penalty].self, forKey: .penalties) ?? []
    periodScores = try container.decodeIfPresent([Int].self, forKey: .periodScores) ?? []
    tieBreaks = try container.decodeIfPresent([Int: Int].self, forKey: .tieBreaks) ?? [:]
    counters = try container.decodeIfPresent([String: Int].self, forKey: .counters) ?? [:]
    if let declared = try container.decodeIfPresent(Declared.self, forKey: .declared) {
      self.declared = declared
    }
    guard isSound else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: container.codingPath, debugDescription: "a team with values out of range"))
    }
  }

  static func areSound(tieBreaks: [Int: Int]) -> Bool {
    tieBreaks.allSatisfy { Scoreboard.periods.contains($0.key) && Scoreboard.scores.contains($0.value) }
  }

  private var isSound: Bool {
    Scoreboard.scores.contains(score) && Scoreboard.scores.contains(games)
      && penalties.count <= Penalty.limit && penalties.allSatisfy(\.isValid)
      && periodScores.count < Scoreboard.periods.upperBound
      && periodScores.allSatisfy(Scoreboard.periodScores.contains) && Self.areSound(tieBreaks: tieBreaks)
      && counters.values.allSatisfy { Scoreboard.counters.contains($0) && $0 != 0 }
      && (color ?? 0) <= 0xffffff && (declared.color ?? 0) <= 0xffffff
  }
}

extension Scoreboard: Codable {
  private enum CodingKeys: CodingKey {
    case teams, parked, period, game, serving, firstServer, left, isEnded, sidesSwapped, gameTimer, shotTimer,
      gameBreak, startScore
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(teams, forKey: .teams)
    try container.encode(parked, forKey: .parked)
    try container.encode(period, forKey: .period)
    if game != 0 { try container.encode(game, forKey: .game) }
    try container.encodeIfPresent(serving, forKey: .serving)
    try container.encodeIfPresent(firstServer, forKey: .firstServer)
    if !left.isEmpty { try container.encode(left, forKey: .left) }
    if isEnded { try container.encode(isEnded, forKey: .isEnded) }
    try container.encode(sidesSwapped, forKey: .sidesSwapped)
    try container.encode(gameTimer, forKey: .gameTimer)
    try container.encode(shotTimer, forKey: .shotTimer)
    try container.encodeIfPresent(gameBreak, forKey: .gameBreak)
    try container.encode(startScore, forKey: .startScore)
  }

  /// Rejects states that no sequence of actions leads to, such as a duplicate id or a score out of range:
  /// this program has not written them. Scoreboards of the first version contain only teams. The rules are
  /// those of a free game until `adopt` sets others.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let read = try container.decode([Team].self, forKey: .teams)
    self.init(teams: read)
    parked = Array(
      Self.valid(try container.decodeIfPresent([Team].self, forKey: .parked) ?? []).suffix(Self.parkedLimit))
    period = try container.decodeIfPresent(Int.self, forKey: .period) ?? 1
    game = try container.decodeIfPresent(Int64.self, forKey: .game) ?? 0
    serving = try container.decodeIfPresent(String.self, forKey: .serving)
    firstServer = try container.decodeIfPresent(String.self, forKey: .firstServer)
    left = try container.decodeIfPresent([LeftSet].self, forKey: .left) ?? []
    isEnded = try container.decodeIfPresent(Bool.self, forKey: .isEnded) ?? false
    sidesSwapped = try container.decodeIfPresent(Bool.self, forKey: .sidesSwapped) ?? false
    gameTimer = try container.decodeIfPresent(GameTimer.self, forKey: .gameTimer) ?? GameTimer()
    shotTimer = try container.decodeIfPresent(GameTimer.self, forKey: .shotTimer) ?? GameTimer()
    gameBreak = try container.decodeIfPresent(GameBreak.self, forKey: .gameBreak)
    startScore = try container.decodeIfPresent(Int.self, forKey: .startScore) ?? 0
    guard teams == read, isSound else {
      throw DecodingError.dataCorruptedError(
        forKey: .teams, in: container,
        debugDescription: "a duplicate team id, or a number out of range")
    }
  }

  var isSound: Bool {
    Self.periods.contains(period) && Self.games.contains(game)
      && Self.scores.contains(startScore) && gameTimer.isValid
      && left.count < Self.periods.upperBound && left.allSatisfy(\.isSound)
      && shotTimer.isValid && gameBreak?.isSound ?? true
      && teams.allSatisfy { $0.periodScores.count == period - 1 }
      && [serving, firstServer].allSatisfy { $0.map { team($0) != nil } ?? true }
  }
}
