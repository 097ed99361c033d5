// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import Settings

/// What a score shows besides names and points, depending on the game and the widget's settings.
struct ScoreDetails: Hashable {
  /// Whether a line above all teams shows the current period.
  var hasPeriod = false
  /// Whether a line shows each team's score in the past periods.
  var hasSets = false
  /// The counters that are shown, in one line each.
  var counters: [GameRules.Counter] = []

  static let none = ScoreDetails()
  /// The maximum number of counters; the others are not shown.
  static let counterLimit = 6

  // In cap heights of the details.
  static let periodHeight = 2.6
  static let setsHeight = 2.7
  static let counterHeight = 1.9
  /// The space above counters that come directly beneath the cards.
  static let air = 0.8

  init() {}

  init(_ settings: ScoreSettings, _ rules: GameRules) {
    let hasPeriods = rules.scoring == .sets || rules.periods > 1
    hasPeriod = settings.showPeriod && hasPeriods
    hasSets = settings.showSets && hasPeriods
    counters = settings.showCounters ? Array(rules.counters.prefix(Self.counterLimit)) : []
  }

  var isEmpty: Bool { self == .none }

  /// The height of the block beneath a team's cards.
  var height: Double {
    (hasSets ? Self.setsHeight : 0) + Double(counters.count) * Self.counterHeight
      + (counters.isEmpty || hasSets ? 0 : Self.air)
  }

  /// What these details have and `shown` lacks, in the words of `status`.
  func details(missingIn shown: ScoreDetails) -> [String] {
    (hasPeriod && !shown.hasPeriod ? ["period"] : [])
      + counters.filter { !shown.counters.contains($0) }.map(\.id)
      + (hasSets && !shown.hasSets ? ["points of past periods"] : [])
  }

  /// All variants from the fullest to none: counters are dropped first, starting with the last, then the
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
