// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Uevents

/// Calls a handler when a card or a connector may have changed.
protocol HotplugSource: AnyObject {
  func start(on loop: EventLoop, handler: @escaping () -> Void) throws(SystemError)
  func stop()
}

/// Reports `drm` uevents.
final class HotplugMonitor: HotplugSource {
  private let monitor = UeventMonitor(subsystem: "drm")

  func start(on loop: EventLoop, handler: @escaping () -> Void) throws(SystemError) {
    try monitor.start(on: loop, handler: handler)
  }

  func stop() { monitor.stop() }
}
