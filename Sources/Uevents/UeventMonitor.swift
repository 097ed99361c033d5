// SPDX-License-Identifier: Apache-2.0

import CUdev
import Glibc
import LinuxSystem

/// Monitors the uevents of one subsystem with libudev. They mean that devices may have changed. The handler
/// gets the paths of the devices' nodes, or nil if a device without a node may have changed or events may be
/// lost.
package final class UeventMonitor {
  private let subsystem: String
  private var context: OpaquePointer?
  private var monitor: OpaquePointer?
  private var watch: EventLoop.Watch?

  package init(subsystem: String) { self.subsystem = subsystem }

  deinit { stop() }

  /// Begins to monitor. With udevd running, events arrive after udev's rules have run, so that device nodes
  /// have their group; otherwise they come directly from the kernel. The corresponding C function is
  /// `udev_monitor_new_from_netlink`.
  package func start(on loop: EventLoop, handler: @escaping (Set<String>?) -> Void) throws(SystemError) {
    context = udev_new()
    guard let context else { throw SystemError("udev_new") }
    let name = access("/run/udev/control", F_OK) == 0 ? "udev" : "kernel"
    monitor = udev_monitor_new_from_netlink(context, name)
    guard let monitor else { throw SystemError("udev_monitor_new_from_netlink", name) }
    var result = udev_monitor_filter_add_match_subsystem_devtype(monitor, subsystem, nil)
    if result >= 0 { result = udev_monitor_enable_receiving(monitor) }
    if result < 0 {
      throw SystemError("udev_monitor_enable_receiving", name, errno: Errno(rawValue: -result))
    }
    watch = try loop.watch(udev_monitor_get_fd(monitor), for: .readable) { [weak self] _ in
      guard let self, let monitor = self.monitor else { return }
      var nodes: Set<String> = []
      var areAllKnown = true
      while let device = udev_monitor_receive_device(monitor) {
        if let node = udev_device_get_devnode(device) {
          nodes.insert(String(cString: node))
        } else {
          areAllKnown = false
        }
        udev_device_unref(device)
      }
      // The handler is called even if no event was read, because a burst may overflow the socket's buffer
      // (ENOBUFS), and events of the subsystem may then be lost.
      handler(areAllKnown && !nodes.isEmpty ? nodes : nil)
    }
  }

  package func stop() {
    watch?.cancel()
    watch = nil
    if let monitor { udev_monitor_unref(monitor) }
    if let context { udev_unref(context) }
    monitor = nil
    context = nil
  }
}
