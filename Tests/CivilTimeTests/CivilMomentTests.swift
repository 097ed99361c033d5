// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Testing

@Suite struct CivilMomentTests {
  @Test("a moment without an offset is in the zone's time, also around a change of the offset")
  func aMomentIsTheZones() throws {
    let berlin = try TimeZone(posix: "CET-1CEST,M3.5.0,M10.5.0/3")
    for (civil, utc) in [
      ("2026-07-01T12:00", "2026-07-01T10:00:00Z"), ("2026-12-31T23:59:59", "2026-12-31T22:59:59Z"),
      ("2026-03-29T01:59:59", "2026-03-29T00:59:59Z"), ("2026-03-29T02:30:00", "2026-03-29T01:30:00Z"),
      ("2026-03-29T03:00:00", "2026-03-29T01:00:00Z"), ("2026-10-25T02:30:00", "2026-10-25T00:30:00Z"),
      ("2026-10-25T03:00:00", "2026-10-25T02:00:00Z"), ("2026-07-01T12:00-05:00", "2026-07-01T17:00:00Z"),
    ] {
      let moment = try #require(CivilMoment(civil))
      #expect(moment.instant(in: berlin) == Instant(rfc3339: utc), "\(civil)")
    }
  }
}
