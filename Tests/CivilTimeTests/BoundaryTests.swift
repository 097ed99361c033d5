// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import CivilTime

@Suite struct BoundaryTests {
  static let lordHowe = "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"

  @Test(
    "The next boundary is where the civil unit begins",
    arguments: [
      ("UTC0", "2026-05-01T09:59:58.5Z", .second, "2026-05-01T09:59:59Z"),
      ("UTC0", "2026-05-01T09:59:59Z", .second, "2026-05-01T10:00:00Z"),
      ("UTC0", "2026-05-01T09:59:00Z", .minute, "2026-05-01T10:00:00Z"),
      ("UTC0", "2026-05-01T09:59:00.000000001Z", .minute, "2026-05-01T10:00:00Z"),
      ("UTC0", "2026-05-01T09:00:00Z", .hour, "2026-05-01T10:00:00Z"),
      ("UTC0", "2026-12-31T00:00:00Z", .day, "2027-01-01T00:00:00Z"),
      ("UTC0", "1969-12-31T23:59:59.9Z", .day, "1970-01-01T00:00:00Z"),
      ("LMT0:01:15", "2026-05-01T09:59:00Z", .minute, "2026-05-01T09:59:15Z"),
      ("XXX-5:45", "2026-05-01T09:59:00Z", .hour, "2026-05-01T10:15:00Z"),
      ("XXX-5:45", "2026-05-01T18:14:59Z", .day, "2026-05-01T18:15:00Z"),
      (lordHowe, "2026-04-04T14:31:00Z", .hour, "2026-04-04T15:00:00Z"),
      (lordHowe, "2026-04-04T15:00:00Z", .hour, "2026-04-04T15:30:00Z"),
      // A change of the zone's offset, here before the next day begins, is a boundary too.
      (lordHowe, "2026-04-04T13:00:00Z", .day, "2026-04-04T15:00:00Z"),
      (lordHowe, "2026-04-04T15:00:00Z", .day, "2026-04-05T13:30:00Z"),
    ] as [(String, String, TimeZone.Boundary, String)])
  func boundaries(rule: String, after: String, unit: TimeZone.Boundary, expected: String) throws {
    let start = try #require(Instant(rfc3339: after))
    #expect(try TimeZone(posix: rule).nextBoundary(after: start, unit: unit).rfc3339UTC == expected)
  }

  /// The fields from `unit` upwards, and the zone's offset, abbreviation and daylight flag.
  private func visible(_ fields: CivilFields, _ unit: TimeZone.Boundary) -> CivilFields {
    var visible = fields
    if unit != .second { visible.second = 0 }
    if unit == .hour || unit == .day { visible.minute = 0 }
    if unit == .day { visible.hour = 0 }
    return visible
  }

  @Test(
    "The visible fields change at the boundary and not before",
    arguments: [
      "UTC0", "CET-1CEST,M3.5.0,M10.5.0/3", lordHowe, "LMT0:01:15", "EET-2EEST,M3.4.4/50,M10.4.4/50",
      "AAA3:13:21BBB-4:05:59,60/-100,300/100",
    ])
  func property(rule: String) throws {
    let zone = try TimeZone(posix: rule)
    var random = SplitMix(seed: 60)
    for _ in 0..<400 {
      let start = Instant(
        seconds: .random(in: -100_000_000_000...100_000_000_000, using: &random),
        nanoseconds: .random(in: 0...999_999_999, using: &random))
      for unit in TimeZone.Boundary.allCases {
        let end = zone.nextBoundary(after: start, unit: unit)
        #expect(end > start)
        #expect(end.nanoseconds == 0)
        let now = visible(zone.civil(start), unit)
        #expect(visible(zone.civil(end), unit) != now)
        #expect(visible(zone.civil(Instant(seconds: end.seconds - 1, nanoseconds: 999_999_999)), unit) == now)
        let middle = start.seconds + (end.seconds - 1 - start.seconds) / 2
        #expect(visible(zone.civil(Instant(seconds: max(middle, start.seconds))), unit) == now)
      }
    }
  }

  @Test(
    "Nothing overflows at the ends of time",
    arguments: ["UTC0", "CET-1CEST,M3.5.0,M10.5.0/3", "XXX24", "XXX-24", "EST5EDT,0/-167,J365/167"])
  func extremes(rule: String) throws {
    let zone = try TimeZone(posix: rule)
    for edge in [Int64.min, Int64.max] {
      for distance in [0, 1, 59, 60, 3_599, 86_399, 86_400, 90_000, 40_000_000] as [Int64] {
        let instant = Instant(seconds: edge < 0 ? edge + distance : edge - distance)
        let fields = zone.civil(instant)
        #expect((1...12).contains(fields.month) && (0...6).contains(fields.weekday))
        for unit in TimeZone.Boundary.allCases {
          let next = zone.nextBoundary(after: instant, unit: unit)
          #expect(next > instant || next == .distantFuture)
        }
        if let transition = zone.nextTransition(after: instant) { #expect(transition > instant) }
      }
    }
    #expect(
      zone.nextBoundary(after: Instant(seconds: .max, nanoseconds: 5), unit: .second) == .distantFuture)
  }
}
