// SPDX-License-Identifier: Apache-2.0

import CUdev
import Glibc
import LinuxSystem

/// Tells when a card or a connector may have changed.
protocol HotplugSource: AnyObject {
  func start(on loop: EventLoop, handler: @escaping () -> Void) throws(SystemError)
  func stop()
}

/// The `drm` uevents, by libudev. What the event says is not trusted: any means "look again".
final class HotplugMonitor: HotplugSource {
  private var context: OpaquePointer?
  private var monitor: OpaquePointer?
  private var watch: EventLoop.Watch?

  deinit { stop() }

  /// The corresponding C function is `udev_monitor_new_from_netlink`. Events come after udev's rules
  /// have run (the node has its group then); without udevd straight from the kernel.
  func start(on loop: EventLoop, handler: @escaping () -> Void) throws(SystemError) {
    context = udev_new()
    guard let context else { throw SystemError("udev_new") }
    let name = access("/run/udev/control", F_OK) == 0 ? "udev" : "kernel"
    monitor = udev_monitor_new_from_netlink(context, name)
    guard let monitor else { throw SystemError("udev_monitor_new_from_netlink", name) }
    var result = udev_monitor_filter_add_match_subsystem_devtype(monitor, "drm", nil)
    if result >= 0 { result = udev_monitor_enable_receiving(monitor) }
    if result < 0 {
      throw SystemError("udev_monitor_enable_receiving", name, errno: Errno(rawValue: -result))
    }
    watch = try loop.watch(udev_monitor_get_fd(monitor), for: .readable) { [weak self] _ in
      guard let self, let monitor = self.monitor else { return }
      while let device = udev_monitor_receive_device(monitor) { udev_device_unref(device) }
      // Also when nothing came out: after a storm events are lost (ENOBUFS), and one may have been ours.
      handler()
    }
  }

  func stop() {
    watch?.cancel()
    watch = nil
    if let monitor { udev_monitor_unref(monitor) }
    if let context { udev_unref(context) }
    monitor = nil
    context = nil
  }
}
