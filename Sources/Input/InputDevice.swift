// SPDX-License-Identifier: Apache-2.0

import CEvdev
import Glibc
import LinuxSystem

/// An open event device (`/dev/input/event3`), accessed through libevdev.
final class InputDevice {
  struct Event {
    var code: UInt16
    /// 0: released, 1: pressed, 2: repeated.
    var value: Int32
    /// CLOCK_MONOTONIC nanoseconds.
    var time: Int64
    /// Whether an Alt key of the device is held.
    var withAlt = false

    /// Returns nil if the event is not a key's. Any times are accepted; those beyond Int64 nanoseconds wrap
    /// around.
    init?(_ event: input_event) {
      guard event.type == UInt16(EV_KEY) else { return nil }
      code = event.code
      value = event.value
      time = Int64(event.time.tv_sec) &* 1_000_000_000 &+ Int64(event.time.tv_usec) &* 1000
    }
  }

  let path: String
  let name: String
  private let descriptor: FileDescriptor
  private let device: OpaquePointer
  private var watch: EventLoop.Watch?

  /// Fails with EACCES if the process may not read the node, and with ENOTTY if it is not an evdev node.
  init(opening path: String) throws(SystemError) {
    let descriptor = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
    var device: OpaquePointer?
    let result = libevdev_new_from_fd(descriptor.rawValue, &device)
    guard result >= 0, let device else {
      throw SystemError("libevdev_new_from_fd", path, errno: Errno(rawValue: -result))
    }
    // With the default clock, a step of the wall clock would look like a bounce.
    _ = libevdev_set_clock_id(device, CLOCK_MONOTONIC)
    self.path = path
    name = libevdev_get_name(device).map { String(cString: $0) } ?? ""
    self.descriptor = descriptor
    self.device = device
  }

  deinit {
    watch?.cancel()
    libevdev_free(device)
  }

  func hasAny(of codes: [UInt16]) -> Bool {
    codes.contains { libevdev_has_event_code(device, UInt32(EV_KEY), UInt32($0)) != 0 }
  }

  /// Grabs the device, so that other programs no longer receive its keys. The corresponding C function is
  /// `libevdev_grab`.
  func grab() throws(SystemError) {
    let result = libevdev_grab(device, LIBEVDEV_GRAB)
    if result < 0 { throw SystemError("EVIOCGRAB", path, errno: Errno(rawValue: -result)) }
  }

  /// Calls `key` for each key event, and `gone` once when the device is removed.
  func start(
    on loop: EventLoop, key: @escaping (Event) -> Void, gone: @escaping () -> Void
  ) throws(SystemError) {
    watch = try loop.watch(descriptor.rawValue, for: .readable) { [weak self] _ in
      guard let self else { return }
      if !self.read(key) {
        self.watch?.cancel()
        gone()
      }
    }
  }

  /// Returns false if the device is gone. After SYN_DROPPED libevdev reports the changes that were missed;
  /// these are not current key presses and are skipped.
  private func read(_ key: (Event) -> Void) -> Bool {
    var flags = UInt32(LIBEVDEV_READ_FLAG_NORMAL.rawValue)
    while true {
      var event = input_event()
      let result = libevdev_next_event(device, flags, &event)
      if result == -EAGAIN {
        if flags == UInt32(LIBEVDEV_READ_FLAG_NORMAL.rawValue) { return true }
        flags = UInt32(LIBEVDEV_READ_FLAG_NORMAL.rawValue)
        continue
      }
      if result == -EINTR { continue }
      if result < 0 { return false }
      if result == Int32(LIBEVDEV_READ_STATUS_SYNC.rawValue) {
        flags = UInt32(LIBEVDEV_READ_FLAG_SYNC.rawValue)
        continue
      }
      guard flags == UInt32(LIBEVDEV_READ_FLAG_NORMAL.rawValue), var event = Event(event) else { continue }
      event.withAlt = isAltHeld
      key(event)
    }
  }

  private var isAltHeld: Bool {
    [KEY_LEFTALT, KEY_RIGHTALT].contains { libevdev_get_event_value(device, UInt32(EV_KEY), UInt32($0)) != 0 }
  }
}
