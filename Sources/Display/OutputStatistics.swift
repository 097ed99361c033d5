// SPDX-License-Identifier: Apache-2.0

/// An output's counters since it was started.
package struct OutputStatistics: Hashable, Sendable {
  package var framesPresented: UInt64 = 0
  /// Vblanks that passed without a new frame while frames were presented back to back (`FlipLedger`).
  package var flipsMissed: UInt64 = 0
  /// Bytes written to scanout memory or to the terminal.
  package var bytesCopied: UInt64 = 0

  package init() {}
}

/// The durations of the last 1,024 frames. Recording does not allocate; the percentiles sort a copy.
package struct FrameTimes: Sendable {
  package static let capacity = 1024

  private var ring = [Int64](repeating: 0, count: capacity)
  private var next = 0
  /// The number of recorded frames, at most `capacity`.
  package private(set) var count = 0

  package init() {}

  /// Records a frame's duration. A negative one, caused by a clock error, counts as 0.
  package mutating func record(nanoseconds: Int64) {
    ring[next] = max(nanoseconds, 0)
    next = (next + 1) % Self.capacity
    count = min(count + 1, Self.capacity)
  }

  /// The median in microseconds; 0 before the first frame.
  package var p50: Int { percentile(50) }

  /// The time that 99 of 100 frames did not exceed, in microseconds; 0 before the first frame.
  package var p99: Int { percentile(99) }

  /// The nearest-rank percentile: the smallest time that at least `percent` of the frames did not exceed.
  private func percentile(_ percent: Int) -> Int {
    guard count > 0 else { return 0 }
    let rank = (count * percent + 99) / 100
    return Int(ring[..<count].sorted()[rank - 1] / 1000)
  }
}
