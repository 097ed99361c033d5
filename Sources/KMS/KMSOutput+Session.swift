// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

extension KMSOutput {
  func consoleEvent(_ event: ConsoleEvent) {
    switch event {
    case .leaving: handle(.consoleLeft)
    case .back: handle(.consoleBack)
    }
  }

  /// Releases the display, then allows the switch to the other terminal, for which the kernel is waiting.
  func leaveConsole() {
    drain()
    device?.dropMaster()
    environment.console.allowSwitch()
  }

  /// Waits briefly for the flip in flight: a buffer that the kernel uses must not be freed, and the next
  /// master's first commit would fail with EBUSY.
  func drain() {
    guard let device, flight.isAtKernel else { return }
    let end = now + environment.timings.drain
    var isDone = false
    let token = flight.token
    while !isDone {
      guard device.waitForEvent(nanoseconds: end - now) else { return }
      do throws(SystemError) {
        try device.readEvents { if $0.token == token { isDone = true } }
      } catch { return }
    }
    flight.wasDrained()
  }

  func giveBack() {
    environment.hotplug.stop()
    drain()
    closeCard(.released)
    // The console is returned after the master is dropped, because only then may the kernel's own console set its
    // mode.
    environment.console.giveBack()
    session = nil
    description = nil
  }
}
