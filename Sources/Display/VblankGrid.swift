// SPDX-License-Identifier: Apache-2.0

/// The vblanks of an ideal display: one per period, beginning at `start`. Times are CLOCK_MONOTONIC
/// nanoseconds.
struct VblankGrid: Hashable, Sendable {
  let start: Int64
  let period: Int64

  init(start: Int64, period: Int64) {
    self.start = start
    self.period = max(period, 1)
  }

  /// Returns the number of the first vblank after `time`. A vblank at exactly `time` counts as missed.
  func sequence(after time: Int64) -> UInt64 {
    guard time >= start else { return 0 }
    return UInt64(time - start) / UInt64(period) + 1
  }

  func time(of sequence: UInt64) -> Int64 { start &+ Int64(truncatingIfNeeded: sequence) &* period }
}
