// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// Tells systemd that the loop goes round, at half the interval it asks for (sd_watchdog_enabled(3)), or before
/// when it is awake anyhow. Without a watchdog there is no timer and no wake-up.
final class Watchdog {
  private let service: ServiceManager
  private var timer: LoopTimer?
  /// Between two pings, nanoseconds.
  private let period: Int64
  private var last: Int64 = 0

  init?(_ service: ServiceManager, on loop: EventLoop) throws(SystemError) {
    guard let interval = service.watchdogInterval else { return nil }
    self.service = service
    period = interval / 2
    timer = try LoopTimer(.monotonic, on: loop) { [weak self] _ in self?.ping() }
    ping()
  }

  /// The loop is awake for something else. A ping whose time comes soon is sent now, and spares a wake-up.
  func loopGoesRound() {
    if SystemClock.monotonic.now.totalNanoseconds - last >= period / 4 { ping() }
  }

  private func ping() {
    service.watchdog()
    let now = SystemClock.monotonic.now.totalNanoseconds
    last = now
    timer?.arm(at: ClockTime(totalNanoseconds: now + period))
  }
}
