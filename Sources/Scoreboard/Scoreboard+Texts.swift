// SPDX-License-Identifier: Apache-2.0

extension GameRules {
  /// A period as a board, a status line and a list of changes call it: `SET 3`; beyond the last period of a game
  /// whose score goes on, `OVERTIME` and `OVERTIME 2`.
  ///
  /// - Parameter short: `OT` and `OT 2` for overtime, where there is little room.
  public func periodText(_ period: Int, short: Bool = false) -> String {
    guard isOvertime(period) else { return "\(periodName) \(period)" }
    let name = short ? shortOvertimeName : overtimeName
    return period == periods + 1 ? name : "\(name) \(period &- periods)"
  }
}

extension Scoreboard {
  /// The period that is played: `SET 3`, `OVERTIME`.
  public var periodText: String { rules.periodText(period) }
  /// The same with overtime as `OT`.
  public var shortPeriodText: String { rules.periodText(period, short: true) }

  /// A team's score as it is called: in tennis `0`, `15`, `30`, `40` and `AD`, else its number.
  public func pointsText(of team: Team) -> String {
    guard rules.pointNames == .tennis, !isTieBreak, team.score >= 0 else { return String(team.score) }
    let names = ["0", "15", "30", "40"]
    guard team.score >= names.count else { return names[team.score] }
    return teams.allSatisfy { $0.id == team.id || $0.score < team.score } ? "AD" : "40"
  }

  /// The most that a counter counts in the period that is played.
  public func limit(of counter: GameRules.Counter) -> Int { rules.limit(of: counter, inPeriod: period) }
}
