// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import Testing

@testable import Daemon

@Suite("Whether the time is confirmed") struct TimeConfirmationTests {
  private final class Machine {
    var realtime: Int64 = 1_700_000_000_000_000_000
    var boot: Int64 = 5_000_000_000
    var isSynchronized = false
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// - Parameter slew: how much faster the wall clock runs, in nanoseconds.
    func pass(_ seconds: Int64, slew: Int64 = 0) {
      realtime += seconds * 1_000_000_000 + slew
      boot += seconds * 1_000_000_000
    }

    func start() -> TimeConfirmation {
      TimeConfirmation(
        directory: directory.path,
        evidence: {
          ClockEvidence(
            isSynchronized: self.isSynchronized, hardwareClocks: [], hasDeviceTree: true,
            now: self.realtime / 1_000_000_000)
        }, clocks: { (self.realtime, self.boot) })
    }
  }

  @Test("Time that passes, a clock that is slewed and a suspension confirm nothing")
  func nothing() throws {
    let machine = try Machine()
    var time = machine.start()
    for seconds in [0, 1, 60, 86_400] as [Int64] {
      machine.pass(seconds, slew: 100_000_000)
      let isConfirmed = time.look()
      #expect(!isConfirmed && !time.isConfirmed)
    }
    #expect(machine.directory.names().isEmpty)
  }

  @Test("A time server and a step in either direction confirm it, also for later starts of the daemon")
  func confirmed() throws {
    for step in [nil, 1, -1, 86_400, -86_400] as [Int64?] {
      let machine = try Machine()
      var time = machine.start()
      machine.pass(30)
      let isConfirmed = time.look()
      #expect(!isConfirmed)
      if let step { machine.realtime += step * 1_000_000_000 } else { machine.isSynchronized = true }
      let isConfirmedNow = time.look()
      #expect(isConfirmedNow && time.isConfirmed)
      // The time server is gone, and the clock was set back by whatever means.
      (machine.isSynchronized, machine.realtime) = (false, 1_700_000_000_000_000_000)
      let isStillConfirmed = time.look()
      #expect(isStillConfirmed)
      #expect(machine.start().isConfirmed)
      machine.directory.remove("time-confirmed")
      #expect(!machine.start().isConfirmed, "after a start of the machine")
    }
  }
}
