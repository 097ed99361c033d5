// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import LinuxSystem

/// The machine's clock: whether its time is right, and setting it.
struct HostClock {
  /// Whether this program has set the clock.
  private var isGiven = false

  private static let hardwareDevice = "/dev/rtc0"
  /// 2026-01-01 and 2100-01-01 in Unix time.
  static let plausible: Range<Int64> = 1_767_225_600..<4_102_444_800

  /// Whether a time server, a battery clock or this program has given the time since the start.
  var isConfirmed: Bool { isGiven || ClockEvidence().isConfirmed }

  /// Sets the clock, and the battery clock if there is one. The corresponding C function is `clock_settime`.
  ///
  /// - Parameter microseconds: Unix time.
  mutating func set(_ microseconds: Int64, log: Log) throws(SystemError) {
    var time = timespec(
      tv_sec: Int(microseconds / 1_000_000), tv_nsec: Int(microseconds % 1_000_000) * 1000)
    _ = try retryingInterrupts("clock_settime") { clock_settime(CLOCK_REALTIME, &time) }
    isGiven = true
    guard let device = try? FileDescriptor(opening: Self.hardwareDevice, O_RDONLY) else { return }
    // The kernel keeps UTC in it.
    var parts = tm()
    gmtime_r(&time.tv_sec, &parts)
    if clinux_set_hardware_clock(device.rawValue, &parts) != 0 {
      log.warning("\(SystemError("ioctl RTC_SET_TIME", Self.hardwareDevice))")
    }
  }
}
