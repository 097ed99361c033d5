// SPDX-License-Identifier: Apache-2.0

import Languages

extension GameRules {
  /// The name of a period on the scoreboard, in `status` and in the history: `SET 3`; in overtime `OVERTIME`,
  /// `OVERTIME 2`.
  ///
  /// - Parameter short: uses `OT`, `OT 2` for overtime where space is limited.
  package func periodText(_ period: Int, short: Bool = false) -> String {
    guard isOvertime(period) else {
      return ownName(ofPeriod: period)
        ?? Words.numbered(numbered, name: periodName, number: String(period))
    }
    guard period > periods + 1 else { return short ? shortOvertimeName : overtimeName }
    let number = String(period &- periods)
    return short
      ? "\(shortOvertimeName) \(number)" : Words.numbered(numbered, name: overtimeName, number: number)
  }

  /// The name of a set in English, for the sentences of replies and of the history: `SET 3`.
  func englishText(ofSet number: Int) -> String {
    "\(GameRules(Preset(rawValue: preset) ?? .free).periodName) \(number)"
  }

  /// The name of a period that needs no number; nil: the periods have no names of their own.
  package func ownName(ofPeriod period: Int) -> String? {
    periodNames.count == periods && periodNames.indices.contains(period - 1) ? periodNames[period - 1] : nil
  }
}

extension Scoreboard {
  /// The current period: `SET 3`, `OVERTIME`.
  package var periodText: String { rules.periodText(period) }
  /// The current period, with a short name for overtime: `OT`.
  package var shortPeriodText: String { rules.periodText(period, short: true) }

  /// A team's score as it is called: `0`, `15`, `30`, `40` and `AD` in tennis, else the number.
  package func pointsText(of team: Team) -> String {
    guard rules.pointNames == .tennis, !isTieBreak, team.score >= 0 else { return String(team.score) }
    let names = ["0", "15", "30", "40"]
    guard team.score >= names.count else { return names[team.score] }
    return teams.allSatisfy { $0.id == team.id || $0.score < team.score } ? rules.advantageName : "40"
  }

  /// A counter's maximum in the current period.
  package func limit(of counter: GameRules.Counter) -> Int { rules.limit(of: counter, inPeriod: period) }
}
