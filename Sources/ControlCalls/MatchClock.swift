// SPDX-License-Identifier: Apache-2.0

import Scoreboard

/// A timer or penalty of the match. Computes its time from the last state that the daemon sent.
package struct MatchClock: Hashable, Sendable {
  private let timer: MatchState.Timer
  /// When the state arrived, in nanoseconds of CLOCK_BOOTTIME.
  private let since: Int64

  private static let millisecond: Int64 = 1_000_000
  private static let second: Int64 = 1_000_000_000

  package init(_ timer: MatchState.Timer, at since: Int64) {
    self.timer = timer
    self.since = since
  }

  private var goesDown: Bool { timer.direction == "down" }

  /// The value in the daemon's state, in nanoseconds, clamped to twice `GameTimer.limit`.
  private var base: Int64 {
    let limit = 2 * GameTimer.limit / Self.millisecond
    return min(max(Int64(timer.milliseconds), -limit), limit) * Self.millisecond
  }

  /// Where a clock that counts up stops by itself, in nanoseconds.
  private var limit: Int64 { timer.limit.map { Int64($0) * Self.millisecond } ?? .max }

  /// The value in nanoseconds. A clock that has come to 0 or to its limit stays there until the daemon's next
  /// state arrives.
  private func value(at now: Int64) -> Int64 {
    guard timer.running else { return base }
    let passed = min(max(now &- since, 0), 4 * GameTimer.limit)
    guard goesDown else { return min(base + passed, max(base, limit)) }
    return timer.ended ? base - passed : max(base - passed, min(base, 0))
  }

  /// The value as text, such as `9:59`.
  package func text(at now: Int64) -> String { GameTimeText.seconds(of: value(at: now), isLeft: goesDown) }

  /// The value in milliseconds and in seconds. A remaining time is rounded up, as in `text`.
  package func milliseconds(at now: Int64) -> Int { Int(rounded(value(at: now), to: Self.millisecond)) }
  package func seconds(at now: Int64) -> Int { Int(rounded(value(at: now), to: Self.second)) }

  private func rounded(_ value: Int64, to unit: Int64) -> Int64 {
    (value + (goesDown && value > 0 ? unit - 1 : 0)) / unit
  }

  /// The next time at which the text changes; nil if it does not.
  package func nextChange(after now: Int64) -> Int64? {
    guard timer.running else { return nil }
    let value = value(at: now)
    if goesDown ? !timer.ended && value <= 0 : value >= limit { return nil }
    let part = ((value % Self.second) + Self.second) % Self.second
    // In both directions, the text changes when the value reaches a whole second.
    let wait = goesDown ? (part == 0 ? Self.second : part) : Self.second - part
    return now + wait
  }
}
