// SPDX-License-Identifier: Apache-2.0

/// A penalty of a player, whose time runs while the game clock does.
public struct Penalty: Hashable, Sendable, Codable {
  /// Penalties that a team can have at a time.
  public static let limit = 8
  /// Of players.
  public static let numbers = 0...999

  /// The player's; nil: it was not given.
  public let number: Int?
  /// Nanoseconds left at `since`, or at rest; more than 0.
  var left: Int64
  /// The instant since when it runs; nil: it is at rest.
  var since: Int64?

  func left(at now: Int64) -> Int64 {
    guard let since, now > since else { return left }
    let (passed, overflow) = now.subtractingReportingOverflow(since)
    return overflow ? 0 : max(left - passed, 0)
  }

  /// When it ends, if it runs on; nil: it is at rest.
  var end: Int64? {
    guard let since else { return nil }
    let (end, overflow) = since.addingReportingOverflow(left)
    return overflow ? .max : end
  }

  mutating func stop(at now: Int64) {
    left = left(at: now)
    since = nil
  }

  /// With the instant since when it runs moved, for a clock that has another zero.
  func shifted(by offset: Int64) -> Penalty {
    guard let since else { return self }
    var penalty = self
    let (sum, overflow) = since.addingReportingOverflow(offset)
    penalty.since = overflow ? (offset < 0 ? .min : .max) : sum
    return penalty
  }

  var isValid: Bool {
    (0...GameTimer.limit).contains(left) && number.map(Self.numbers.contains) ?? true
  }
}

extension Scoreboard {
  /// What is left of a penalty at an instant.
  public struct PenaltyReading: Hashable, Sendable {
    public var number: Int?
    /// Nanoseconds, more than 0.
    public var left: Int64
    public var isRunning: Bool
  }

  /// The penalties of a team that have not ended, the oldest first.
  public func penalties(of team: Team, at now: Int64) -> [PenaltyReading] {
    let penalties = settled(at: now).team(team.id)?.penalties ?? []
    return penalties.map {
      PenaltyReading(number: $0.number, left: $0.left(at: now), isRunning: $0.since != nil)
    }
  }

  var hasPenalties: Bool {
    teams.contains { !$0.penalties.isEmpty } || parked.contains { !$0.penalties.isEmpty }
  }

  /// Whether penalties run now: with the game clock, or always where the game has none.
  private var penaltiesRun: Bool { rules.game == nil || gameTimer.since != nil }

  /// Has the penalties run or wait as the game clock and the rules say.
  mutating func syncPenalties(at now: Int64) {
    guard hasPenalties else { return }
    let (run, limit) = (penaltiesRun, rules.penaltiesRunning > 0 ? rules.penaltiesRunning : Penalty.limit)
    changeTeams { team in
      for index in team.penalties.indices {
        let runs = run && index < limit
        if runs, team.penalties[index].since == nil {
          team.penalties[index].since = now
        } else if !runs {
          team.penalties[index].stop(at: now)
        }
      }
    }
  }

  /// At rest with a game clock that is.
  mutating func holdPenalties(at now: Int64) {
    if !penaltiesRun { syncPenalties(at: now) }
  }

  /// Removes the penalties that ended by `now`; those that waited for them run from then on.
  mutating func settlePenalties(at now: Int64) {
    guard hasPenalties else { return }
    changeTeams { team in team.penalties.removeAll { $0.left <= 0 } }
    while let end = (teams + parked).flatMap(\.penalties).compactMap(\.end).min(), end <= now {
      changeTeams { team in team.penalties.removeAll { $0.end.map { $0 <= end } ?? false } }
      syncPenalties(at: end)
    }
  }

  mutating func addPenalty(_ length: Int64?, number: Int?, at index: Int) throws(Refusal) {
    guard let usual = rules.penalties.first else { throw .noPenalties }
    let length = length ?? usual
    guard (1...GameTimer.limit).contains(length) else { throw .penaltyOutOfRange(length) }
    if let number, !Penalty.numbers.contains(number) { throw .playerOutOfRange(number) }
    guard teams[index].penalties.count < Penalty.limit else { throw .tooManyPenalties(teams[index].id) }
    teams[index].penalties.append(Penalty(number: number, left: length, since: nil))
  }

  /// Ends the oldest penalty, or the oldest of a player.
  mutating func endPenalty(number: Int?, at index: Int) throws(Refusal) {
    let penalties = teams[index].penalties
    guard let first = penalties.firstIndex(where: { number == nil || $0.number == number }) else {
      throw .noPenalty(teams[index].id, number: number)
    }
    teams[index].penalties.remove(at: first)
  }

  mutating func clearPenalties(at index: Int) throws(Refusal) {
    guard !teams[index].penalties.isEmpty else { throw .noPenalty(teams[index].id, number: nil) }
    teams[index].penalties = []
  }
}
