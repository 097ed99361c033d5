// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import Settings

/// A row of the table beneath the cards of a scoreboard.
enum MatchRow: Hashable {
  /// How many sets, legs or games a team has won.
  case periodsWon(name: String)
  /// The games of the set that is played.
  case games(name: String)
  /// The players that are off, and for how long.
  case penalties
  case counter(GameRules.Counter)
  /// What each period that is over brought.
  case periodScores

  /// In the middle of the row.
  var name: String {
    switch self {
    case .periodsWon(let name), .games(let name): name
    case .penalties: "PENALTIES"
    case .counter(let counter): counter.name
    case .periodScores: ""
    }
  }

  var initials: String {
    if case .counter(let counter) = self { return counter.initials }
    return String(name.prefix(3))
  }

  /// What there is to show of a game, the most important first: where there is no room for all, the last rows go.
  static func rows(_ settings: ScoreSettings, _ rules: GameRules) -> [MatchRow] {
    var rows: [MatchRow] = []
    if settings.showSets, rules.scoring == .sets {
      rows.append(.periodsWon(name: rules.periodName + "S"))
      if let games = rules.games { rows.append(.games(name: games.name + "S")) }
    }
    if !rules.penalties.isEmpty { rows.append(.penalties) }
    if settings.showCounters {
      rows += rules.counters.prefix(ScoreDetails.counterLimit).map { .counter($0) }
    }
    // What was left over in a leg of darts says nothing.
    let hasPeriods = rules.scoring == .sets || rules.periods > 1
    if settings.showSets, hasPeriods, rules.better == .higher { rows.append(.periodScores) }
    return rows
  }
}
