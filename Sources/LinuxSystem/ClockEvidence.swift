// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What the machine shows about its time: whether CLOCK_REALTIME was set from something that knows the time.
///
/// A machine without a clock that a battery keeps running, such as a Raspberry Pi, starts with a time of the
/// past, which systemd takes from a file.
package struct ClockEvidence: Hashable, Sendable {
  /// A real-time clock of the machine (`/sys/class/rtc`).
  package struct HardwareClock: Hashable, Sendable {
    /// Its time in seconds since 1970; nil if the kernel cannot read it, for example because its battery was
    /// empty.
    package var seconds: Int64?
    /// Whether the kernel has set CLOCK_REALTIME from it.
    package var hasSetTime: Bool
  }

  /// Whether a time server has set the clock since the machine started.
  package var isSynchronized: Bool
  package var hardwareClocks: [HardwareClock]
  /// Whether a device tree describes the machine. Other machines, also virtual ones, get their time from the
  /// firmware or the host even if they have no real-time clock.
  package var hasDeviceTree: Bool
  /// CLOCK_REALTIME in seconds.
  package var now: Int64

  package init(
    isSynchronized: Bool, hardwareClocks: [HardwareClock], hasDeviceTree: Bool, now: Int64
  ) {
    self.isSynchronized = isSynchronized
    self.hardwareClocks = hardwareClocks
    self.hasDeviceTree = hasDeviceTree
    self.now = now
  }

  /// - Parameters:
  ///   - root: the directory that is prepended to all paths.
  ///   - isSynchronized: whether the kernel reports a synchronized clock. It does not tell services that
  ///     systemd runs with `ProtectClock=`; of systemd-timesyncd they see a file.
  package init(
    root: String = "", isSynchronized: Bool = SystemClock.isSynchronized,
    now: Int64 = SystemClock.realtime.now.seconds
  ) {
    func exists(_ path: String) -> Bool { access(root + path, F_OK) == 0 }
    func number(_ path: String) -> Int64? {
      guard let bytes = try? readFile(root + path, limit: 4_096) else { return nil }
      return Int64(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
    let clocks = "/sys/class/rtc"
    self.init(
      isSynchronized: isSynchronized || exists("/run/systemd/timesync/synchronized"),
      hardwareClocks: (fileNames(in: root + clocks) ?? []).map { name in
        HardwareClock(
          seconds: number("\(clocks)/\(name)/since_epoch"),
          hasSetTime: number("\(clocks)/\(name)/hctosys") == 1)
      },
      hasDeviceTree: exists("/sys/firmware/devicetree/base"), now: now)
  }

  /// Whether the time is known. The time of a real-time clock counts if the clock has run on while the
  /// machine was off, and if CLOCK_REALTIME was set from it.
  package var isConfirmed: Bool {
    if isSynchronized { return true }
    if hardwareClocks.isEmpty { return !hasDeviceTree }
    return hardwareClocks.contains { clock in
      guard let seconds = clock.seconds, seconds >= Self.earliest else { return false }
      return clock.hasSetTime || (now - Self.tolerance...now + Self.tolerance).contains(seconds)
    }
  }

  /// The beginning of 2026, in seconds since 1970. A clock whose battery was empty restarts earlier, mostly
  /// at 1970 or 2000.
  static let earliest: Int64 = 1_767_225_600
  /// How far a program that sets the time from a real-time clock may have been off, and how far the two
  /// clocks may have drifted apart, in seconds.
  static let tolerance: Int64 = 300
}
