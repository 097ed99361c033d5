// SPDX-License-Identifier: Apache-2.0

import Scoreboard

/// A countdown: the interface's type `Countdown`.
package struct CountdownState: Codable, Hashable, Sendable {
  package var name: String
  package var label: String?
  /// What is left, negative after the end; nil: the config has a timer for the countdown, but it is not set.
  package var milliseconds: Int?
  package var running: Bool
  /// Whether nothing is left.
  package var ended: Bool
  /// When it ends, RFC 3339, if it ends at a time of day, or has gone on after a restart.
  package var until: String?
  /// Who or what has set it.
  package var from: String?
  /// When it was set, RFC 3339.
  package var since: String?

  package init(
    name: String, label: String? = nil, milliseconds: Int? = nil, running: Bool = false, ended: Bool = false,
    until: String? = nil, from: String? = nil, since: String? = nil
  ) {
    self.name = name
    self.label = label
    self.milliseconds = milliseconds
    self.running = running
    self.ended = ended
    self.until = until
    self.from = from
    self.since = since
  }

  /// The countdown as a timer, for `MatchClock`; nil: it is not set.
  package var timer: MatchState.Timer? {
    milliseconds.map {
      MatchState.Timer(milliseconds: $0, running: running, direction: "down", warning: false, ended: ended)
    }
  }

  /// How far what a client computes from a state may be from what is left, in milliseconds.
  private static let tolerance = 100

  /// Whether a client that has computed what is left for `passed` milliseconds since this state knows
  /// `later`.
  func covers(_ later: CountdownState, after passed: Int) -> Bool {
    guard running, let milliseconds, let left = later.milliseconds else { return self == later }
    guard abs(milliseconds - min(max(passed, 0), 1 << 40) - left) <= Self.tolerance else { return false }
    var same = self
    same.milliseconds = later.milliseconds
    return same == later
  }
}

extension DisplayState {
  /// The same for the whole display.
  package func covers(_ later: DisplayState, after passed: Int) -> Bool {
    guard countdowns.count == later.countdowns.count,
      zip(countdowns, later.countdowns).allSatisfy({ $0.covers($1, after: passed) })
    else { return false }
    var same = self
    same.countdowns = later.countdowns
    return same == later
  }
}
