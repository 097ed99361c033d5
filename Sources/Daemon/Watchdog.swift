// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// Resets systemd's watchdog from the loop, at half of its timeout (sd_watchdog_enabled(3)), or earlier if
/// the loop is awake anyway. Without a watchdog there is no timer and no wakeup.
final class Watchdog {
  private let service: ServiceManager
  private let timer: LoopTimer
  /// The maximum time between two pings, in nanoseconds.
  private let period: Int64
  private var last: Int64 = 0

  /// Nil if systemd has no watchdog for this service.
  init?(_ service: ServiceManager, on loop: EventLoop) throws(SystemError) {
    guard let interval = service.watchdogInterval else { return nil }
    self.service = service
    period = interval / 2
    timer = try LoopTimer(.monotonic, on: loop)
    timer.handler = { [weak self] _ in self?.ping() }
    ping()
  }

  /// Call it when the loop is awake for another reason. Sends a ping if the last one is at least a quarter of
  /// the period ago, which saves a wakeup.
  func loopIsAwake() {
    if SystemClock.monotonic.now.totalNanoseconds - last >= period / 4 { ping() }
  }

  private func ping() {
    service.watchdog()
    last = SystemClock.monotonic.now.totalNanoseconds
    timer.arm(at: ClockTime(totalNanoseconds: last + period))
  }
}
