// SPDX-License-Identifier: Apache-2.0

import CivilTime
import LinuxSystem

/// Wakes the daemon at the next change by the wall clock or by the match's clock, after the wall clock was
/// set or the machine resumed, and for systemd's watchdog.
final class Alarms {
  /// Called to show `instant`; motion starts at `time` (CLOCK_MONOTONIC, seconds).
  var tick: (_ instant: Instant, _ time: Double) -> Void = { _, _ in }
  /// Called at the `matchTime` that was passed to `arm`.
  var due: () -> Void = {}
  /// Called before `tick` if the machine was suspended since the last tick.
  var resumed: () -> Void = {}

  private let wallClock: WallClock
  private let matchTimer: LoopTimer
  private let watchdog: Watchdog?
  private var suspension = Suspension()

  init(_ service: ServiceManager, on loop: EventLoop) throws(SystemError) {
    wallClock = try WallClock(on: loop)
    matchTimer = try MatchTime.timer(on: loop)
    watchdog = try Watchdog(service, on: loop)
    matchTimer.handler = { [weak self] _ in self?.due() }
    wallClock.tick = { [weak self] in self?.wake($0, $1) }
  }

  private func wake(_ instant: Instant, _ time: Double) {
    watchdog?.loopIsAwake()
    if suspension.hasGrown() { resumed() }
    tick(instant, time)
  }

  /// - Parameters:
  ///   - shown: the moment that is on the display.
  ///   - next: returns the first change after an instant, or nil if nothing will change.
  ///   - matchTime: when to call `due`; nil: never.
  func arm(after shown: Instant, next: @escaping (Instant) -> Instant?, matchTime: Int64?) {
    wallClock.next = next
    wallClock.arm(after: shown)
    if let matchTime {
      matchTimer.arm(at: ClockTime(totalNanoseconds: matchTime))
    } else {
      matchTimer.disarm()
    }
  }
}
