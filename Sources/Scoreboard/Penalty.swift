// SPDX-License-Identifier: Apache-2.0

/// A player's penalty. Its time runs while the game clock runs, or always in a game without one. It may have
/// to wait for the team's earlier penalties.
package struct Penalty: Hashable, Sendable, Codable {
  /// The maximum number of penalties of one team.
  package static let limit = 8
  /// Valid player numbers.
  package static let numbers = 0...999

  /// The player's number; nil: not given.
  package let number: Int?
  /// Nanoseconds left at `since`, or at rest.
  var left: Int64
  /// The instant at which the penalty was started; nil: it is at rest.
  var since: Int64?

  func left(at now: Int64) -> Int64 {
    guard let since, now > since else { return left }
    let (passed, overflow) = now.subtractingReportingOverflow(since)
    return overflow ? 0 : max(left - passed, 0)
  }

  /// The time at which the penalty ends if it keeps running; nil: it is at rest.
  var end: Int64? { since?.addingClamped(left) }

  mutating func stop(at now: Int64) {
    left = left(at: now)
    since = nil
  }

  /// Moves the penalty's start by `offset` nanoseconds, to convert it to a clock that was 0 at another time.
  func shifted(by offset: Int64) -> Penalty {
    var penalty = self
    penalty.since = since?.addingClamped(offset)
    return penalty
  }

  var isValid: Bool {
    (0...GameTimer.limit).contains(left) && number.map(Self.numbers.contains) ?? true
  }
}

extension Scoreboard {
  /// The state of a penalty at an instant.
  package struct PenaltyReading: Hashable, Sendable {
    package var number: Int?
    /// Nanoseconds, greater than 0.
    package var left: Int64
    package var isRunning: Bool
  }

  /// The team's penalties that have not ended, oldest first.
  package func penalties(of team: Team, at now: Int64) -> [PenaltyReading] {
    let penalties = settled(at: now).team(team.id)?.penalties ?? []
    return penalties.map {
      PenaltyReading(number: $0.number, left: $0.left(at: now), isRunning: $0.since != nil)
    }
  }

  var hasPenalties: Bool {
    teams.contains { !$0.penalties.isEmpty } || parked.contains { !$0.penalties.isEmpty }
  }

  /// Whether penalties run now: while the game clock runs, or always in a game without one.
  private var penaltiesRun: Bool { rules.game == nil || gameTimer.since != nil }

  /// Starts and stops penalties, depending on the game clock and on how many may run at the same time.
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

  /// Stops the penalties if the game clock is stopped.
  mutating func holdPenalties(at now: Int64) {
    if !penaltiesRun { syncPenalties(at: now) }
  }

  /// Removes the penalties that have ended by `now`. Waiting ones start when those before them end.
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
    guard teams[index].penalties.count < Penalty.limit else {
      throw .tooManyPenalties(team: teams[index].id, limit: Penalty.limit)
    }
    teams[index].penalties.append(Penalty(number: number, left: length, since: nil))
  }

  /// Ends the team's oldest penalty, or a player's oldest one.
  mutating func endPenalty(number: Int?, at index: Int) throws(Refusal) {
    let penalties = teams[index].penalties
    guard let first = penalties.firstIndex(where: { number == nil || $0.number == number }) else {
      throw .noPenalty(team: teams[index].id, number: number)
    }
    teams[index].penalties.remove(at: first)
  }

  mutating func clearPenalties(at index: Int) throws(Refusal) {
    guard !teams[index].penalties.isEmpty else { throw .noPenalty(team: teams[index].id, number: nil) }
    teams[index].penalties = []
  }
}
