// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import Settings

/// What a score shows beside names and points: as much as the game has and the widget is to show.
struct ScoreDetails: Hashable {
  /// A line above all teams says which period is played.
  var hasPeriod = false
  /// A line of each team's points in the periods that are over.
  var hasSets = false
  /// A line each.
  var counters: [GameRules.Counter] = []

  static let none = ScoreDetails()
  /// More lines than these would be a table, not a scoreboard.
  static let counterLimit = 6

  // In heights of the details' letters.
  static let periodHeight = 2.6
  static let setsHeight = 2.7
  static let counterHeight = 1.9
  /// Between the cards and what is beneath them, where that is only counters.
  static let air = 0.8

  init() {}

  init(_ settings: ScoreSettings, _ rules: GameRules) {
    let hasPeriods = rules.scoring == .sets || rules.periods > 1
    hasPeriod = settings.showPeriod && hasPeriods
    hasSets = settings.showSets && hasPeriods
    counters = settings.showCounters ? Array(rules.counters.prefix(Self.counterLimit)) : []
  }

  var isEmpty: Bool { self == .none }

  /// Of the block beneath a team's cards.
  var height: Double {
    (hasSets ? Self.setsHeight : 0) + Double(counters.count) * Self.counterHeight
      + (counters.isEmpty || hasSets ? 0 : Self.air)
  }

  /// All of it, and then less and less: counters go first, the last of them before the others, then the
  /// sets, then the period.
  var fromFullest: [ScoreDetails] {
    var steps = [self]
    while var next = steps.last, !next.isEmpty {
      if !next.counters.isEmpty {
        next.counters.removeLast()
      } else if next.hasSets {
        next.hasSets = false
      } else {
        next.hasPeriod = false
      }
      steps.append(next)
    }
    return steps
  }
}
