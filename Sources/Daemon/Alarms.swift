// SPDX-License-Identifier: Apache-2.0

import CivilTime
import LinuxSystem

/// When the daemon wakes by itself: at the next moment of the wall clock and of the match's clock, when the wall clock is
/// set or the machine resumes, and for systemd's watchdog.
final class Alarms {
  /// Called to show `instant`; motion starts at `time` (CLOCK_MONOTONIC, seconds).
  var tick: (_ instant: Instant, _ time: Double) -> Void = { _, _ in }
  /// Called when the moment of the match's clock has come.
  var due: () -> Void = {}
  /// Called before `tick` when the machine was suspended.
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
  ///   - next: returns the first change after an instant; nil: there is none.
  ///   - matchTime: the next moment of the match's clock; nil: there is none.
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
