// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import Scoreboard

/// The time of a clock of the match, extrapolated from when it was received.
struct ClockReading {
  private static let second: Int64 = 1_000_000_000
  private static let limit: Int64 = 100 * 3_600 * second

  /// In nanoseconds.
  private let value: Int64
  private let isDown: Bool
  private let isRunning: Bool

  /// - Parameter elapsed: nanoseconds since the timer had its value.
  init(_ timer: MatchState.Timer, elapsed: Int64) {
    isDown = timer.direction == "down"
    isRunning = timer.running
    let milliseconds = Int64(min(max(timer.milliseconds, -360_000_000), 360_000_000))
    let start = milliseconds * 1_000_000
    guard timer.running else {
      value = start
      return
    }
    let elapsed = min(max(elapsed, 0), Self.limit)
    // The daemon reports when a timer ends, and whether it continues below zero.
    value = isDown ? (start > 0 ? max(start - elapsed, 0) : start - elapsed) : start + elapsed
  }

  /// The value in whole seconds as the wall shows it: counting down it is rounded up, so that zero is the end.
  private var seconds: Int64 {
    if isDown, value >= 0 { return (value + Self.second - 1) / Self.second }
    return value / Self.second
  }

  /// `9:59` or `105:00`, `-0:05` after the end.
  var text: String { GameTimeText.text(seconds * Self.second) }

  /// Nanoseconds until the text changes; nil while the clock is stopped.
  var untilChange: Int64? {
    guard isRunning else { return nil }
    if isDown, value > 0 { return value - (seconds - 1) * Self.second }
    // After zero it counts upwards, after the daemon has reported the end.
    if isDown, value == 0 { return Self.second }
    return (Int64(seconds.magnitude) + 1) * Self.second - Int64(value.magnitude)
  }
}

extension Wall {
  func reading(of timer: MatchState.Timer, at now: Int64) -> ClockReading {
    ClockReading(timer, elapsed: now - matchInstant)
  }

  /// Nanoseconds until the time of a running clock changes; nil if none runs.
  package func untilClockChanges(at now: Int64) -> Int64? {
    // A change right now would be missed by a wakeup that is a little early.
    timers.compactMap { reading(of: $0.timer, at: now).untilChange }.min().map { max($0, 1_000_000) }
  }
}
