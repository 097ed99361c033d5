// SPDX-License-Identifier: Apache-2.0

import CLinux

/// A time of some clock in seconds and nanoseconds (`struct timespec`); `0 ≤ nanoseconds < 10⁹`.
package struct ClockTime: Hashable, Comparable, Sendable {
  package var seconds: Int64
  package var nanoseconds: Int32

  package init(seconds: Int64, nanoseconds: Int32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  package static func < (a: ClockTime, b: ClockTime) -> Bool {
    (a.seconds, a.nanoseconds) < (b.seconds, b.nanoseconds)
  }

  /// The time in nanoseconds. Meant for CLOCK_MONOTONIC and CLOCK_BOOTTIME; wraps around after 292 years.
  package var totalNanoseconds: Int64 { seconds &* 1_000_000_000 &+ Int64(nanoseconds) }

  package init(totalNanoseconds: Int64) {
    var seconds = totalNanoseconds / 1_000_000_000
    var rest = totalNanoseconds % 1_000_000_000
    if rest < 0 {
      rest += 1_000_000_000
      seconds -= 1
    }
    self.init(seconds: seconds, nanoseconds: Int32(rest))
  }
}

/// The kernel clocks that the program reads.
package enum SystemClock: Sendable {
  /// CLOCK_REALTIME: steps when it is set.
  case realtime
  /// CLOCK_MONOTONIC: never steps; frames and flips are timed by it.
  case monotonic
  /// CLOCK_BOOTTIME: monotonic, including time in suspend; the match is timed by it.
  case boottime
  /// CLOCK_PROCESS_CPUTIME_ID: the CPU time used by all threads of the process.
  case process

  package var id: clockid_t {
    switch self {
    case .realtime: CLOCK_REALTIME
    case .monotonic: CLOCK_MONOTONIC
    case .boottime: CLOCK_BOOTTIME
    case .process: CLOCK_PROCESS_CPUTIME_ID
    }
  }

  /// The corresponding C function is `clock_gettime`, which cannot fail for these clocks.
  package var now: ClockTime {
    var value = timespec()
    clock_gettime(id, &value)
    return ClockTime(seconds: Int64(value.tv_sec), nanoseconds: Int32(value.tv_nsec))
  }

  /// Whether CLOCK_REALTIME is synchronized, for example by an NTP client. The corresponding C function is
  /// `adjtimex`.
  package static var isSynchronized: Bool { synchronization == true }

  /// The same; nil: this process may not ask, as in a service with `ProtectClock=`.
  package static var synchronization: Bool? {
    let result = clinux_clock_is_synchronized()
    return result < 0 ? nil : result > 0
  }
}
