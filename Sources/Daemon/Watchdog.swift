// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// Tells systemd that the loop goes round, at half the interval it asks for (sd_watchdog_enabled(3)).
/// Without a watchdog there is no timer and no wake-up.
final class Watchdog {
  private let service: ServiceManager
  private var timer: LoopTimer?

  init?(_ service: ServiceManager, on loop: EventLoop) throws(SystemError) {
    guard let interval = service.watchdogInterval else { return nil }
    self.service = service
    timer = try LoopTimer(.monotonic, on: loop) { [weak self] _ in self?.ping(interval / 2) }
    ping(interval / 2)
  }

  private func ping(_ period: Int64) {
    service.watchdog()
    let now = SystemClock.monotonic.now.totalNanoseconds
    timer?.arm(at: ClockTime(totalNanoseconds: now + period))
  }
}
