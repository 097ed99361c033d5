// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// Detects that the machine was suspended. CLOCK_BOOTTIME counts during a suspension and CLOCK_MONOTONIC does
/// not, so their difference grows. The kernel fires the timer of the wall clock when the machine resumes, so
/// `hasGrown` is called at once.
struct Suspension {
  /// The shortest suspension that is detected, in nanoseconds. It is not 0, because the two clocks are read
  /// one after the other.
  private static let shortest: Int64 = 100_000_000

  private let clocks: () -> (boot: Int64, monotonic: Int64)
  private var total: Int64

  /// - Parameter clocks: returns the times of CLOCK_BOOTTIME and CLOCK_MONOTONIC in nanoseconds.
  init(
    clocks: @escaping () -> (boot: Int64, monotonic: Int64) = {
      (SystemClock.boottime.now.totalNanoseconds, SystemClock.monotonic.now.totalNanoseconds)
    }
  ) {
    self.clocks = clocks
    let now = clocks()
    total = now.boot - now.monotonic
  }

  /// Returns whether the machine was suspended since the last call.
  mutating func hasGrown() -> Bool {
    let now = clocks()
    let difference = now.boot - now.monotonic
    defer { total = max(total, difference) }
    return difference - total >= Self.shortest
  }
}
