// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import WallState

@Suite struct HistoryTimesTests {
  private static let second: Int64 = 1_000_000_000

  @Test("A change has the same time of day in every list, until the clock is set")
  func constant() {
    var random = SplitMix(seed: 5)
    for _ in 0..<200 {
      var times = HistoryTimes()
      let start = Int64(random.int(0...1_000_000)) * 1_000_003
      let wall = 1_700_000_000 * Self.second + Int64(random.int(0...999_999_999))
      let changes = (0..<5).map { _ in Int64(random.int(0...100_000)) * 1_234_567 }
      let first = changes.map { times.seconds(of: $0, now: start, wall: wall) }
      for _ in 0..<20 {
        // Time passes between the readings, and the clock is slewed.
        let now = start + Int64(random.int(0...90_000)) * 1_000_000
        let shift = Int64(random.int(-400_000...400_000)) * 1_000
        let list = changes.map { times.seconds(of: $0, now: now, wall: wall + now - start + shift) }
        #expect(list == first)
      }
      // The clock is set.
      let later = changes.map { times.seconds(of: $0, now: start, wall: wall + 3_600 * Self.second) }
      #expect(later == first.map { $0 + 3_600 })
    }
  }

  @Test("No times overflow")
  func hostile() {
    for time in [Int64.min, -1, 0, .max] {
      for now in [Int64.min, 0, .max] {
        var times = HistoryTimes()
        for wall in [Int64.min, 0, .max] {
          let seconds = times.seconds(of: time, now: now, wall: wall)
          #expect(seconds.magnitude <= Int64.max.magnitude / Self.second.magnitude + 1)
        }
      }
    }
  }
}
