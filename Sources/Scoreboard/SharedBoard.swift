// SPDX-License-Identifier: Apache-2.0

/// A board as one wall sends it to others: with its rules, which each wall otherwise has from its own config, and with
/// what undo and redo would do. All instants are on a clock that sender and receiver have in common.
package struct SharedBoard: Hashable, Sendable, Codable {
  package private(set) var board: Scoreboard
  /// `Match.revision`.
  package var revision: Int
  /// The summaries of the changes that undo and redo would take; nil: there is none.
  package var undo: String?
  package var redo: String?

  /// The largest number of teams, of counters and of characters of any text.
  private enum Limits {
    static let teams = 32
    static let counters = 16
    static let characters = 200
  }

  private enum CodingKeys: CodingKey {
    case board, rules, revision, undo, redo
  }

  /// - Parameter offset: what is added to instants to convert them to the common clock, in nanoseconds.
  package init(_ match: Match, shiftedBy offset: Int64) {
    board = match.board
    // Nobody sees the teams that are not declared now.
    board.parked = []
    board.shift(by: offset)
    revision = match.revision
    undo = match.past.last?.summary
    redo = match.future.last?.summary
  }

  /// The board as a match without a history.
  ///
  /// - Parameter offset: what is added to instants to convert them to the receiver's clock, in nanoseconds.
  package func match(shiftedBy offset: Int64) -> Match {
    var board = board
    board.shift(by: offset)
    return Match(board, past: [], future: [], revision: revision) ?? Match(board)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(board, forKey: .board)
    try container.encode(board.rules, forKey: .rules)
    try container.encode(revision, forKey: .revision)
    try container.encodeIfPresent(undo, forKey: .undo)
    try container.encodeIfPresent(redo, forKey: .redo)
  }

  /// Rejects what this program does not write: a board or rules with values out of range, and texts that cannot be
  /// shown.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    board = try container.decode(Scoreboard.self, forKey: .board)
    let rules = try container.decode(GameRules.self, forKey: .rules)
    revision = try container.decode(Int.self, forKey: .revision)
    undo = try container.decodeIfPresent(String.self, forKey: .undo)
    redo = try container.decodeIfPresent(String.self, forKey: .redo)
    board.rules = rules
    board.parked = []
    guard isSound else {
      throw DecodingError.dataCorruptedError(
        forKey: .board, in: container, debugDescription: "values out of range")
    }
    board.makeValid()
  }

  private var isSound: Bool {
    let texts =
      [undo, redo].compactMap { $0 } + board.teams.flatMap { [$0.id, $0.name, $0.shortName ?? "-"] }
    return (0...Int.max / 2).contains(revision) && board.teams.count <= Limits.teams && board.rules.isSound
      && board.teams.allSatisfy { $0.counters.count <= Limits.counters } && texts.allSatisfy(Self.isShort)
  }

  /// Whether a text is shorter than a sentence and can be shown on one line.
  static func isShort(_ text: String) -> Bool {
    text.utf8.count <= 16 * Limits.characters
      && ShownText.problem(in: text, maximum: 10 * Limits.characters) == nil
  }
}

extension GameRules.Scoring: Codable {}
extension GameRules.Better: Codable {}
extension GameRules.Serve: Codable {}
extension GameRules.Timer.Direction: Codable {}
extension GameRules.Timer.End: Codable {}
extension GameRules.PeriodEnd: Codable {}
extension GameRules.PointNames: Codable {}
extension GameRules.ServeRule: Codable {}
extension GameRules.FirstServe: Codable {}
extension GameRules.SideChange: Codable {}
extension GameRules.Counter.Reset: Codable {}

extension GameRules {
  /// Whether all values are ones that a config can have. Decoded rules may have others.
  var isSound: Bool {
    let scores = Scoreboard.scores
    let numbers = [
      startScore, pointsToWin, pointsToWinDeciding, cap, periodsToWin, turnLimit, sideChangeAt,
      penaltiesRunning,
    ]
    let texts =
      [
        preset, periodName, periodsName, numbered, overtimeName, shortOvertimeName, penaltiesName,
        advantageName,
      ] + periodNames
    return Scoreboard.periods.contains(periods) && numbers.allSatisfy(scores.contains)
      && (1...999).contains(lead) && (1...999).contains(servesInRow)
      && (1...9).contains(increments.count) && increments.allSatisfy { (-999...999).contains($0) }
      && periodNames.count <= Scoreboard.periods.upperBound && counters.count <= 16
      && penalties.count <= 16 && penalties.allSatisfy { (1...GameTimer.limit).contains($0) }
      && (0...GameTimer.limit).contains(secondShot) && [game, shot].allSatisfy { $0?.isSound ?? true }
      && (games?.isSound ?? true) && counters.allSatisfy(\.isSound) && texts.allSatisfy(SharedBoard.isShort)
  }
}

extension GameRules.Timer {
  fileprivate var isSound: Bool {
    [length, overtimeLength, warning].allSatisfy { (0...GameTimer.limit).contains($0) }
  }
}

extension GameRules.Games {
  fileprivate var isSound: Bool {
    [toWin, lead, tieBreakPoints].allSatisfy { (1...999).contains($0) }
      && [tieBreakAt, matchTieBreak].allSatisfy { (0...999).contains($0) }
      && [name, plural ?? "-"].allSatisfy(SharedBoard.isShort)
  }
}

extension GameRules.Counter {
  fileprivate var isSound: Bool {
    [firstHalfLimit, secondHalfLimit, overtimeLimit].allSatisfy { (1...999).contains($0) }
      && [id, name].allSatisfy(SharedBoard.isShort)
  }
}
