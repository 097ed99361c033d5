// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import Input

@Suite struct InputDevicesTests {
  @Test(
    "A node that may not be opened is logged only after the grace time, and once", arguments: [false, true])
  func denied(_ isOpenedInTime: Bool) throws {
    let directory = try TemporaryDirectory()
    directory.put("event7", "")

    let loop = try EventLoop()
    var opens = 0
    let log = LogBox()
    let devices = InputDevices(
      InputPreferences(devices: ["*"], grab: false, keys: [:], debounce: 0), directory: directory.path,
      grace: 200_000_000, on: loop,
      openDevice: { (path: String) throws(SystemError) -> InputDevice in
        opens += 1
        // With `isOpenedInTime`, udev has set the group by the fourth call: the node can be opened, but it is
        // not an event device.
        let isOpen = isOpenedInTime && opens > 3
        throw SystemError("open", path, errno: Errno(rawValue: isOpen ? ENOTTY : EACCES))
      },
      log: Log(threshold: .warning) { _, line in log.lines.append(line) }, pressed: { _ in })
    devices.start()
    #expect(log.lines.filter { $0.contains("event7") } == [])
    try loop.turn(for: 1_000)
    devices.stop()
    let said = log.lines.filter { $0.contains("event7") }
    #expect(said.count == (isOpenedInTime ? 0 : 1))
    #expect(said.allSatisfy { $0.contains("group 'input'") })
    #expect(opens == (isOpenedInTime ? 4 : opens) && opens >= 4 && opens < 30)
  }
}

/// `@unchecked Sendable` because it is used on one thread only.
private final class LogBox: @unchecked Sendable { var lines: [String] = [] }
