// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import MQTT

@Suite struct BackoffTests {
  @Test("Bounds double up to the longest, and each delay is between half of its bound and the bound")
  func growth() {
    var backoff = MQTTBackoff(first: 1_000, longest: 60_000)
    var random = SplitMix(seed: 7)
    for bound: Int64 in [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000] {
      let delay = backoff.delay(using: &random)
      #expect(delay >= bound / 2 && delay <= bound)
    }
    backoff.reset()
    #expect(backoff.delay(using: &random) <= 1_000)
  }

  @Test("The delays of two clients differ")
  func jitter() {
    var random = SplitMix(seed: 3)
    var delays: Set<Int64> = []
    for _ in 0..<50 {
      var backoff = MQTTBackoff()
      delays.insert(backoff.delay(using: &random))
    }
    #expect(delays.count > 45)
  }

  @Test("Any bounds give a positive delay")
  func bounds() {
    var random = SplitMix(seed: 1)
    for (first, longest) in [(0, 0), (-5, 10), (10, 5), (1, Int64.max / 4)] as [(Int64, Int64)] {
      var backoff = MQTTBackoff(first: first, longest: longest)
      for _ in 0..<5 {
        let delay = backoff.delay(using: &random)
        #expect(delay >= 0 && delay <= max(longest, first, 1))
      }
    }
  }
}
