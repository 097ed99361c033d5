// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import CivilTime

@Suite struct NextTimeOfDayTests {
  /// Looks at the zone's clock every minute.
  private func scan(_ zone: TimeZone, _ second: Int, after instant: Instant) -> Instant? {
    var before = zone.civil(instant)
    // Whole minutes after the instant.
    var now = Instant(seconds: instant.seconds - instant.seconds % 60 + 60)
    for _ in 0..<(3 * 1_440) {
      let fields = zone.civil(now)
      let shown = fields.hour * 3_600 + fields.minute * 60
      if shown == second { return now }
      // The clocks have gone forward past it.
      let wasShown = before.hour * 3_600 + before.minute * 60
      if fields.utcOffset > before.utcOffset, before.day == fields.day, wasShown < second, second < shown {
        return now
      }
      before = fields
      now = Instant(seconds: now.seconds + 60)
    }
    return nil
  }

  @Test(
    "The next time of day is the first minute at which the zone's clock shows it, or skips it",
    arguments: [
      "UTC0", "CET-1CEST,M3.5.0,M10.5.0/3", "EST5EDT,M3.2.0,M11.1.0", "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0",
      "IST-5:30",
    ])
  func next(rule: String) throws {
    let zone = try TimeZone(posix: rule)
    var generator = SplitMix(seed: 5)
    // Around the changes of 2026, and anywhere.
    var starts = (0..<40).map { _ in Instant(seconds: Int64(generator.int(1_767_225_600...1_798_761_599))) }
    var change = Instant(seconds: 1_767_225_600)
    while let next = zone.nextTransition(after: change), next.seconds < 1_798_761_600 {
      starts += (0..<60).map { _ in Instant(seconds: next.seconds + Int64(generator.int(-100_000...10_000))) }
      change = next
    }
    for start in starts {
      for second in [generator.int(0...1_439) * 60, generator.int(0...239) * 60] {
        let next = zone.next(second: second, after: start)
        #expect(next == scan(zone, second, after: start), "\(start.seconds) \(second)")
      }
    }
  }
}
