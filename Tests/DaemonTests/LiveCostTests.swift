// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import Testing

@testable import Daemon

@Suite struct LiveCostTests {
  /// Counters that grow at constant rates.
  private func counts(at second: Int64) -> LiveCost.Counts {
    LiveCost.Counts(
      time: 7_000_000_000 + second * 1_000_000_000, wakeups: UInt64(second * 2),
      bytesCopied: UInt64(second * 1000), processor: second * 5_000_000)
  }

  private static let spans: [(now: Int64, seconds: Int)] = [(1, 1), (30, 30), (59, 59), (60, 60), (3601, 61)]

  @Test("Rates cover a minute or slightly more, and less only after the start", arguments: spans)
  func rates(span: (now: Int64, seconds: Int)) {
    var cost = LiveCost(from: counts(at: 0))
    for second in 1...max(span.now, 2) where second < span.now && cost.isDue(at: counts(at: second).time) {
      cost.keep(counts(at: second))
    }
    let status = cost.perMinute(until: counts(at: span.now))
    #expect(abs(status.seconds - span.seconds) < 5)
    #expect(status.seconds >= min(span.seconds, 60))
    #expect(
      [status.wakeupsPerMinute, status.bytesCopiedPerMinute, status.processorMicrosecondsPerMinute]
        == [120, 60_000, 300_000])
  }

  @Test("With one wakeup a minute, rates cover the last minute")
  func seldom() {
    var cost = LiveCost(from: counts(at: 0))
    for minute in 1...40 {
      #expect(cost.isDue(at: counts(at: Int64(minute) * 60).time))
      cost.keep(counts(at: Int64(minute) * 60))
    }
    #expect(cost.perMinute(until: counts(at: 2401)).seconds == 61)
  }

  @Test("Elapsed time of zero gives rates of zero")
  func odd() {
    let cost = LiveCost(from: counts(at: 100))
    #expect(cost.perMinute(until: counts(at: 100)) == CostStatus())
  }
}
