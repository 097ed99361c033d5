// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import Settings

/// A row of the table beneath the cards of a scoreboard.
enum MatchRow: Hashable {
  /// The sets, legs or games that a team has won.
  case periodsWon(name: String)
  /// The games won in the current set.
  case games(name: String)
  /// The penalized players and their remaining times.
  case penalties(name: String)
  case counter(GameRules.Counter)
  /// The scores of the past periods.
  case periodScores

  /// The text in the middle of the row.
  var name: String {
    switch self {
    case .periodsWon(let name), .games(let name), .penalties(let name): name
    case .counter(let counter): counter.name
    case .periodScores: ""
    }
  }

  var isPenalties: Bool {
    if case .penalties = self { true } else { false }
  }

  var initials: String {
    if case .counter(let counter) = self { return counter.initials }
    return String(name.prefix(3))
  }

  /// The rows for a game, the most important first: if space is short, the last ones are dropped.
  static func rows(_ settings: ScoreSettings, _ rules: GameRules) -> [MatchRow] {
    var rows: [MatchRow] = []
    if settings.showSets, rules.scoring == .sets {
      rows.append(.periodsWon(name: rules.periodsName))
      if let games = rules.games { rows.append(.games(name: games.plural ?? games.name)) }
    }
    if !rules.penalties.isEmpty { rows.append(.penalties(name: rules.penaltiesName)) }
    if settings.showCounters {
      rows += rules.counters.prefix(ScoreDetails.counterLimit).map { .counter($0) }
    }
    // In darts, points that were left in past legs are not shown, because they have no meaning for the match.
    let hasPeriods = rules.scoring == .sets || rules.periods > 1
    if settings.showSets, hasPeriods, rules.better == .higher { rows.append(.periodScores) }
    return rows
  }
}
