// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import CivilTime

@Suite("Instants as RFC 3339 in a zone") struct RFC3339Tests {
  @Test(
    "The zone's time, with its offset",
    arguments: [
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-11-26T17:00:00Z", "2026-11-26T18:00:00+01:00"),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-07-01T22:30:00.25Z", "2026-07-02T00:30:00.250+02:00"),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25T00:30:00Z", "2026-10-25T02:30:00+02:00"),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25T01:30:00Z", "2026-10-25T02:30:00+01:00"),
      ("NST3:30NDT,M3.2.0,M11.1.0", "2026-01-01T01:00:00Z", "2025-12-31T21:30:00-03:30"),
      ("IST-5:30", "2026-12-31T20:00:00Z", "2027-01-01T01:30:00+05:30"),
      ("GMT0BST,M3.5.0/1,M10.5.0", "2026-12-31T20:00:00Z", "2026-12-31T20:00:00Z"),
      // RFC 3339 has no seconds in an offset.
      ("LMT-0:53:28", "1890-01-01T00:00:00Z", "1890-01-01T00:00:00Z"),
    ])
  func offset(zone: String, utc: String, text: String) throws {
    let instant = try #require(Instant(rfc3339: utc))
    #expect(instant.rfc3339(in: try TimeZone(posix: zone)) == text)
  }

  @Test("What is written is read as the same instant")
  func roundTrip() throws {
    var random = SplitMix(seed: 1)
    for zone in [
      "UTC0", "CET-1CEST,M3.5.0,M10.5.0/3", "NST3:30NDT,M3.2.0,M11.1.0", "<+1245>-12:45<+1345>,M9.5.0,M4.1.0",
      "LMT-0:53:28", "<-12>12", "<+14>-14",
    ] {
      let zone = try TimeZone(posix: zone)
      for _ in 0..<TestEffort.rounds(300, long: 100_000) {
        // From the year 1 to the year 9998.
        let instant = Instant(
          seconds: Int64.random(in: -62_000_000_000...253_000_000_000, using: &random),
          nanoseconds: [0, 250_000_000, 1, 999_999_999][random.int(0...3)])
        #expect(Instant(rfc3339: instant.rfc3339(in: zone)) == instant, "\(instant.rfc3339(in: zone))")
      }
    }
  }

  @Test("Any instant has a text", arguments: [Int64.min, -1, 0, .max])
  func extremes(seconds: Int64) throws {
    let instant = Instant(seconds: seconds)
    #expect(!instant.rfc3339(in: try TimeZone(posix: "CET-1CEST,M3.5.0,M10.5.0/3")).isEmpty)
  }
}
