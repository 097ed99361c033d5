// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// Whether anything has confirmed the time since the machine started: a time server, a real-time clock, or
/// somebody who set it.
///
/// It is asked whenever the daemon wakes, and needs no wakeup of its own: the kernel wakes the daemon when
/// the clock is set. A step of the clock means that a time server or a person has set it, because systemd
/// sets the time that it has saved before it starts the daemon.
struct TimeConfirmation {
  /// The shortest step that is recognized, in nanoseconds. A suspension is none: CLOCK_BOOTTIME counts it
  /// too.
  private static let shortestStep: Int64 = 500_000_000

  private let clocks: () -> (realtime: Int64, boot: Int64)
  private let evidence: () -> ClockEvidence
  /// A file that exists once the time is confirmed, for later starts of the daemon; nil: none.
  private let record: String?
  /// CLOCK_REALTIME minus CLOCK_BOOTTIME at the start.
  private let offset: Int64
  private(set) var isConfirmed = false

  /// - Parameters:
  ///   - directory: a directory that is empty after the machine has started; nil: none.
  ///   - clocks: returns the times of CLOCK_REALTIME and CLOCK_BOOTTIME in nanoseconds.
  init(
    directory: String?, evidence: @escaping () -> ClockEvidence = { ClockEvidence() },
    clocks: @escaping () -> (realtime: Int64, boot: Int64) = {
      (SystemClock.realtime.now.totalNanoseconds, SystemClock.boottime.now.totalNanoseconds)
    }
  ) {
    self.evidence = evidence
    self.clocks = clocks
    record = directory.map { "\($0)/time-confirmed" }
    let now = clocks()
    offset = now.realtime &- now.boot
    isConfirmed = record.map { access($0, F_OK) == 0 } ?? false
    _ = look()
  }

  /// Looks again, unless the time is confirmed. Returns whether it is.
  mutating func look() -> Bool {
    guard !isConfirmed else { return true }
    let now = clocks()
    isConfirmed =
      (now.realtime &- now.boot &- offset).magnitude >= UInt64(Self.shortestStep) || evidence().isConfirmed
    if isConfirmed, let record {
      let file = open(record, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
      if file >= 0 { close(file) }
    }
    return isConfirmed
  }
}
