// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

extension KMSOutput {
  func consoleEvent(_ event: ConsoleEvent) {
    switch event {
    case .leaving: handle(.consoleLeft)
    case .back: handle(.consoleBack)
    }
  }

  /// The kernel waits with the switch until the console is let go; the display must be free then.
  func leaveConsole() {
    drain()
    device?.dropMaster()
    environment.console.left()
  }

  /// Waits for the flip in flight, for a moment: a buffer at the kernel must not be freed, and the
  /// next master's first commit would meet EBUSY.
  func drain() {
    guard let device, let screen, isAtKernel else { return }
    let end = now + environment.timings.drain
    var isDone = false
    let token = lastToken
    while !isDone, now < end {
      var descriptor = pollfd(fd: device.fileDescriptor, events: Int16(POLLIN), revents: 0)
      let left = Int32(clamping: (end - now) / 1_000_000 + 1)
      let count = poll(&descriptor, 1, left)
      if count < 0, errno == EINTR { continue }
      guard count > 0, descriptor.revents & Int16(POLLIN) != 0 else { return }
      do throws(SystemError) {
        try device.readEvents { if $0.token == token { isDone = true } }
      } catch { return }
    }
    isAtKernel = false
    screen.chain.queuedWasShown()
  }

  func giveBack() {
    environment.hotplug.stop()
    drain()
    closeDevice(isGone: false)
    // After the master is gone: then the kernel's own console may set its mode.
    environment.console.giveBack()
    for timer in [frameTimer, watchdog, probeTimer, settleTimer] { timer?.cancel() }
    (frameTimer, watchdog, probeTimer, settleTimer) = (nil, nil, nil, nil)
    description = nil
    isReady = false
    outbox.removeAll()
    handler = nil
  }
}
