// SPDX-License-Identifier: Apache-2.0

/// How long the last 1,024 frames took. Recording allocates nothing; asking sorts a copy.
public struct FrameTimes: Sendable {
  public static let capacity = 1024

  private var ring = [Int64](repeating: 0, count: capacity)
  private var next = 0
  /// How many frames are remembered.
  public private(set) var count = 0

  public init() {}

  /// A frame took `nanoseconds`; a negative time is one that a clock got wrong, and counts as 0.
  public mutating func record(nanoseconds: Int64) {
    ring[next] = max(nanoseconds, 0)
    next = (next + 1) % Self.capacity
    count = min(count + 1, Self.capacity)
  }

  /// The median in microseconds; 0 before the first frame.
  public var p50: Int { percentile(50) }

  /// The time that 99 of 100 frames did not exceed, in microseconds; 0 before the first frame.
  public var p99: Int { percentile(99) }

  /// By nearest rank: the smallest time that at least `percent` of the frames did not exceed.
  private func percentile(_ percent: Int) -> Int {
    guard count > 0 else { return 0 }
    let rank = (count * percent + 99) / 100
    return Int(ring[..<count].sorted()[rank - 1] / 1000)
  }
}
