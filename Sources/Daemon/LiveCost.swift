// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import LinuxSystem

/// The daemon's resource use per minute, averaged over at least the last minute, or since the start if that
/// is less. It takes samples only when it is called, so it causes no wakeups. Taking a sample does not
/// allocate.
struct LiveCost {
  /// A sample of the counters since the start.
  struct Counts: Hashable {
    /// The time of the sample: CLOCK_MONOTONIC, in nanoseconds.
    var time: Int64
    var wakeups: UInt64
    /// Bytes written to the scanout memory of all displays, including those that were removed.
    var bytesCopied: UInt64
    /// The processor time of all threads, in nanoseconds.
    var processor: Int64
  }

  private static let capacity = 16
  private static let second: Int64 = 1_000_000_000
  /// The minimum time between two samples, so that the ring covers more than a minute.
  private static let spacing = 5 * second
  private static let minute = 60 * second

  private let startSeconds = SystemClock.monotonic.now.seconds
  private var kept: [Counts] = []
  /// The index of the oldest sample once the ring is full.
  private var next = 0
  private var newest: Int64

  init(from start: Counts) {
    kept.reserveCapacity(Self.capacity)
    kept.append(start)
    newest = start.time
  }

  /// Whole seconds since the start.
  var uptimeSeconds: Int { Int(SystemClock.monotonic.now.seconds - startSeconds) }

  /// Whether a sample taken now is needed. Cheap enough for each frame.
  var isDue: Bool { isDue(at: SystemClock.monotonic.now.totalNanoseconds) }

  /// - Parameter time: CLOCK_MONOTONIC, in nanoseconds.
  func isDue(at time: Int64) -> Bool { time &- newest >= Self.spacing }

  mutating func keep(_ counts: Counts) {
    newest = counts.time
    if kept.count < Self.capacity {
      kept.append(counts)
    } else {
      kept[next] = counts
      next = (next + 1) % Self.capacity
    }
  }

  /// The rates from the newest sample that is at least a minute old, or else the oldest one, to `now`.
  func perMinute(until now: Counts) -> CostStatus {
    let old = kept.filter { now.time &- $0.time >= Self.minute }.max { $0.time < $1.time }
    guard let base = old ?? kept.min(by: { $0.time < $1.time }), now.time > base.time else {
      return CostStatus()
    }
    let elapsed = Double(now.time - base.time)
    func rate(_ grown: Double) -> Int { Int(max(grown, 0) * Double(Self.minute) / elapsed + 0.5) }
    return CostStatus(
      seconds: Int((now.time - base.time) / Self.second),
      wakeupsPerMinute: rate(Double(now.wakeups) - Double(base.wakeups)),
      bytesCopiedPerMinute: rate(Double(now.bytesCopied) - Double(base.bytesCopied)),
      processorMicrosecondsPerMinute: rate((Double(now.processor) - Double(base.processor)) / 1000))
  }
}

extension LiveCost.Counts {
  /// The current counts.
  static func now(_ loop: EventLoop, bytesCopied: UInt64) -> LiveCost.Counts {
    LiveCost.Counts(
      time: SystemClock.monotonic.now.totalNanoseconds, wakeups: loop.wakeups,
      bytesCopied: bytesCopied,
      processor: SystemClock.process.now.totalNanoseconds)
  }
}
