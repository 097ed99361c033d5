// SPDX-License-Identifier: Apache-2.0

/// The match of a wall, and the last commands that were performed.
package struct HeldMatch: Hashable, Sendable {
  package var match: Match
  package var performed = PerformedCommands()

  package init(_ match: Match) { self.match = match }

  /// Whether the match has ever been changed.
  package var hasContent: Bool { match.revision > 0 }
}

/// A match as one wall sends it to others: with its rules, which each wall otherwise has from its own config,
/// the last steps of its history, and the last commands that were performed. All instants are on the sender's
/// clock.
package struct SharedMatch: Hashable, Sendable, Codable {
  package private(set) var scoreboard: Scoreboard
  /// `Match.revision`.
  package private(set) var revision: Int
  /// The last steps that can be undone and redone.
  private var past: [Match.Step]
  private var future: [Match.Step]
  private var performed: [PerformedCommands.Entry]
  /// Whether the steps and commands are as many as are sent to a wall that asks for the whole match.
  package private(set) var isWhole: Bool
  /// How many of the sender's steps can be undone, at most as many as are sent to a wall that asks.
  package private(set) var depth: Int

  /// The maximum number of teams, of a team's counts, and of a text's characters and bytes.
  private enum Limits {
    static let teams = 32
    static let counters = 16 * (1 + GameRules.Counter.Part.allCases.count)
    static let textCharacters = 2_000
    static let textBytes = 3_200
  }

  package static let shortSteps = 8

  /// How many of these steps can be undone.
  package var steps: Int { past.count }

  /// How many steps and commands are sent with each change, and to a wall that asks for the whole match.
  private enum Length {
    static let short = (steps: shortSteps, commands: 16)
    static let whole = (steps: 60, commands: 64)
  }

  private enum CodingKeys: String, CodingKey {
    case scoreboard = "board"
    case rules, revision, past, future, performed, whole, depth
  }

  /// - Parameter whole: whether to include as much as for a wall that has nothing of the match yet.
  package init(_ held: HeldMatch, whole: Bool) {
    let length = whole ? Length.whole : Length.short
    scoreboard = held.match.scoreboard
    // Teams that are not declared now are not shown, so they are not sent.
    scoreboard.parked = []
    revision = held.match.revision
    past = Array(held.match.past.suffix(length.steps))
    future = Array(held.match.future.suffix(length.steps))
    performed = Array(held.performed.entries.suffix(length.commands))
    isWhole = whole
    depth = min(held.match.past.count, Length.whole.steps)
  }

  /// The match and the commands for the receiver, as a continuation of what it has of the same match.
  ///
  /// - Parameters:
  ///   - offset: what is added to instants to convert them to the receiver's clock, in nanoseconds.
  ///   - known: what the receiver has, whose older steps stay; nil: nothing, or another match.
  package func held(shiftedBy offset: Int64, continuing known: HeldMatch?) -> HeldMatch {
    var match = match(shiftedBy: offset)
    if let known { match.continueHistory(of: known.match) }
    var held = HeldMatch(match)
    held.performed = known?.performed ?? PerformedCommands()
    held.performed.add(performed)
    return held
  }

  /// Whether the sender can undo fewer steps than a receiver that has `match`. At most as many steps count as
  /// are sent to a wall that asks.
  package func lacksSteps(of match: Match) -> Bool { depth < min(match.past.count, Length.whole.steps) }

  /// Adds to a wall's copy of the same match the older steps and the commands that it lacks.
  package func complete(_ held: inout HeldMatch, shiftedBy offset: Int64) {
    held.match.continueHistory(of: match(shiftedBy: offset))
    held.performed.add(performed)
  }

  private func match(shiftedBy offset: Int64) -> Match {
    var match = Match(scoreboard, past: past, future: future, revision: revision) ?? Match(scoreboard)
    match.shift(by: offset)
    return match
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(scoreboard, forKey: .scoreboard)
    try container.encode(scoreboard.rules, forKey: .rules)
    try container.encode(revision, forKey: .revision)
    try container.encode(past, forKey: .past)
    try container.encode(future, forKey: .future)
    try container.encode(performed, forKey: .performed)
    try container.encode(isWhole, forKey: .whole)
    try container.encode(depth, forKey: .depth)
  }

  /// Rejects what this program does not write: a scoreboard or rules with values out of range, and texts that
  /// cannot be shown.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    scoreboard = try container.decode(Scoreboard.self, forKey: .scoreboard)
    let rules = try container.decode(GameRules.self, forKey: .rules)
    revision = try container.decode(Int.self, forKey: .revision)
    past = try container.decodeIfPresent([Match.Step].self, forKey: .past) ?? []
    future = try container.decodeIfPresent([Match.Step].self, forKey: .future) ?? []
    performed = try container.decodeIfPresent([PerformedCommands.Entry].self, forKey: .performed) ?? []
    isWhole = try container.decodeIfPresent(Bool.self, forKey: .whole) ?? false
    depth = try container.decodeIfPresent(Int.self, forKey: .depth) ?? 0
    scoreboard.rules = rules
    scoreboard.parked = []
    guard isSound else {
      throw DecodingError.dataCorruptedError(
        forKey: .scoreboard, in: container, debugDescription: "values out of range")
    }
    scoreboard.makeValid()
  }

  private var isSound: Bool {
    let texts =
      (past + future).flatMap { [$0.summary] + $0.facts.flatMap(\.texts) }
      + scoreboard.teams.flatMap { [$0.id, $0.name, $0.shortName ?? "-"] }
    return (0...Int.max / 2).contains(revision) && scoreboard.teams.count <= Limits.teams
      && scoreboard.rules.isSound
      && scoreboard.teams.allSatisfy { $0.counters.count <= Limits.counters }
      && texts.allSatisfy(Self.isShort)
      && Match(scoreboard, past: past, future: future, revision: revision) != nil
      && performed.allSatisfy { (1...PerformedCommands.idLimit).contains($0.id.utf8.count) }
  }

  /// Whether a text can be shown on one line and is not too long.
  static func isShort(_ text: String) -> Bool {
    text.utf8.count <= Limits.textBytes
      && ShownText.problem(in: text, maximum: Limits.textCharacters) == nil
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
  /// Whether all values are in range. Decoded rules may have any.
  package var isSound: Bool {
    let scores = Scoreboard.scores
    let numbers = [
      startScore, pointsToWin, pointsToWinDeciding, cap, periodsToWin, turnLimit, sideChangeAt,
      penaltiesRunning,
    ]
    let texts =
      [
        preset, periodName, periodsName, numbered, overtimeName, shortOvertimeName, penaltiesName,
        advantageName, winningPointNames.set, winningPointNames.match,
      ] + periodNames
    return Scoreboard.periods.contains(periods) && numbers.allSatisfy(scores.contains)
      && (1...999).contains(lead) && (1...999).contains(servesInRow)
      && (1...9).contains(increments.count) && increments.allSatisfy { (-999...999).contains($0) }
      && periodNames.count <= Scoreboard.periods.upperBound && counters.count <= 16
      && penalties.count <= 16 && penalties.allSatisfy { (1...GameTimer.limit).contains($0) }
      && (0...GameTimer.limit).contains(secondShot) && [game, shot].allSatisfy { $0?.isSound ?? true }
      && (games?.isSound ?? true) && breaks.isSound && counters.allSatisfy(\.isSound)
      && texts.allSatisfy(SharedMatch.isShort)
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
      && [tieBreakAt, tieBreakPointsDeciding, matchTieBreak].allSatisfy { (0...999).contains($0) }
      && [name, plural ?? "-"].allSatisfy(SharedMatch.isShort)
  }
}

extension GameRules.Counter {
  fileprivate var isSound: Bool {
    [firstHalfLimit, secondHalfLimit, overtimeLimit].allSatisfy { (1...999).contains($0) }
      && [limitPerHalf, limitPerOvertime, limitLate].allSatisfy { (0...999).contains($0 ?? 0) }
      && (0...GameTimer.limit).contains(late ?? 0) && [id, name].allSatisfy(SharedMatch.isShort)
  }
}
