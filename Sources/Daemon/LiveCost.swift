// SPDX-License-Identifier: Apache-2.0

import Control
import Display
import LinuxSystem

/// What the daemon costs per minute, over the last minutes. It takes counts when it is told to, wakes nobody,
/// and from the first on allocates nothing.
struct LiveCost {
  /// Counters since the start, and when they were read.
  struct Counts: Hashable {
    /// CLOCK_MONOTONIC, nanoseconds.
    var time: Int64
    var wakeups: UInt64
    /// Written to scanout memory; begins anew with a new display.
    var bytesCopied: UInt64
    /// The processor's time, nanoseconds.
    var processor: Int64
  }

  private static let capacity = 16
  private static let second: Int64 = 1_000_000_000
  /// Counts closer together than this are not kept: so the ring reaches back more than a minute.
  private static let spacing = 5 * second
  private static let minute = 60 * second

  private let startSeconds = SystemClock.monotonic.now.seconds
  private var kept: [Counts] = []
  /// Where the next one goes once there are as many as fit.
  private var next = 0
  private var newest: Int64

  init(from start: Counts) {
    kept.reserveCapacity(Self.capacity)
    kept.append(start)
    newest = start.time
  }

  /// Whole seconds since the start.
  var uptimeSeconds: Int { Int(SystemClock.monotonic.now.seconds - startSeconds) }

  /// Whether counts of this moment would be kept; asked on every frame.
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

  /// From the youngest counts that are a minute old, or from the oldest where none is, to `now`.
  func perMinute(until now: Counts) -> CostStatus {
    let old = kept.filter { now.time &- $0.time >= Self.minute }.max { $0.time < $1.time }
    guard let base = old ?? kept.min(by: { $0.time < $1.time }), now.time > base.time else {
      return CostStatus()
    }
    let elapsed = Double(now.time - base.time)
    func rate(_ grown: Double) -> Int { Int(max(grown, 0) * Double(Self.minute) / elapsed + 0.5) }
    // A display that came anew counts from nothing.
    let copied = now.bytesCopied < base.bytesCopied ? now.bytesCopied : now.bytesCopied - base.bytesCopied
    return CostStatus(
      seconds: Int((now.time - base.time) / Self.second),
      wakeupsPerMinute: rate(Double(now.wakeups) - Double(base.wakeups)),
      bytesCopiedPerMinute: rate(Double(copied)),
      processorMicrosecondsPerMinute: rate((Double(now.processor) - Double(base.processor)) / 1000))
  }
}

extension LiveCost.Counts {
  /// As they are now.
  static func now(_ loop: EventLoop, _ output: OutputStatistics) -> LiveCost.Counts {
    LiveCost.Counts(
      time: SystemClock.monotonic.now.totalNanoseconds, wakeups: loop.wakeups,
      bytesCopied: output.bytesCopied,
      processor: SystemClock.process.now.totalNanoseconds)
  }
}
