// SPDX-License-Identifier: Apache-2.0

import Scoreboard

/// The scoreboards that are to be shown at given moments, so that several walls flip at the same time.
/// Instants are match times.
struct DelayedScoreboards {
  private var waiting: [(showAt: Int64, scoreboard: Scoreboard)] = []
  /// The scoreboard that is shown until the first of them is due.
  private var shown: Scoreboard?

  /// When the next scoreboard is due; nil: none waits.
  var next: Int64? { waiting.first?.showAt }

  /// The scoreboard to show instead of `latest`, which is the newest one.
  func displayed(_ latest: Scoreboard) -> Scoreboard { shown ?? latest }

  /// Shows `scoreboard` at `showAt`, and not before the scoreboards that were added earlier.
  ///
  /// - Parameter before: the newest scoreboard before this one.
  mutating func add(_ scoreboard: Scoreboard, showAt: Int64, insteadOf before: Scoreboard) {
    if waiting.isEmpty { shown = before }
    waiting.append((showAt, scoreboard))
  }

  /// Removes the scoreboards that are due at `now`; returns the moment of the last one, or nil if none is
  /// due.
  mutating func take(at now: Int64) -> Int64? {
    var due: Int64?
    while let first = waiting.first, first.showAt <= now {
      due = first.showAt
      shown = first.scoreboard
      waiting.removeFirst()
    }
    if waiting.isEmpty { shown = nil }
    return due
  }

  /// Removes all waiting scoreboards, so that the newest scoreboard is shown at once.
  mutating func flush() { self = DelayedScoreboards() }
}
