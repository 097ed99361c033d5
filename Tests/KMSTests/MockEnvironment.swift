// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

@testable import KMS

final class MockCards: CardSource {
  let directory = "/dev/dri"
  /// The devices in order; each call to `open` returns the same object.
  var devices: [MockDevice] = []
  var openResults: [String: SystemError] = [:]
  var links: [String: String] = [:]
  private(set) var opens: [String] = []

  func paths() -> [String] { devices.map(\.path) }
  func resolve(_ path: String) -> String { links[path] ?? path }

  func open(_ path: String) throws(SystemError) -> any KMSDevice {
    opens.append(path)
    if let error = openResults[path] { throw error }
    guard let device = devices.first(where: { $0.path == path }) else { throw failure(ENOENT) }
    return device
  }
}

final class MockHotplug: HotplugSource {
  var handler: (() -> Void)?
  func start(on loop: EventLoop, handler: @escaping () -> Void) throws(SystemError) { self.handler = handler }
  func stop() { handler = nil }
}

final class MockConsole: ConsoleControl {
  var isAssigned = false
  var isInFront = true
  var handler: ((ConsoleEvent) -> Void)?
  private(set) var calls: [String] = []

  func takeAssigned(_ handler: @escaping (ConsoleEvent) -> Void) -> Bool {
    if isAssigned { self.handler = handler }
    return isAssigned
  }
  func takeFront(_ handler: @escaping (ConsoleEvent) -> Void) {
    if self.handler == nil { self.handler = handler }
  }
  func allowSwitch() { calls.append("left") }
  func giveBack() { calls.append("give back") }
}
