// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Testing
import Uevents

@Suite struct UeventMonitorTests {
  @Test("A monitor can be started, stopped and stopped again")
  func lifetime() throws {
    let loop = try EventLoop()
    let monitor = UeventMonitor(subsystem: "input")
    var calls = 0
    do throws(SystemError) {
      try monitor.start(on: loop) { _ in calls += 1 }
    } catch {
      // A sandbox may not support netlink.
      monitor.stop()
    }
    monitor.stop()
    monitor.stop()
    try loop.turn(timeoutMilliseconds: 0)
    #expect(calls == 0)
  }
}
