// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CivilTime

@Suite struct POSIXRuleTests {
  @Test(
    "POSIX rules apply to every year",
    arguments: [
      WallTime("UTC0", "2026-01-01T00:00:00Z", "Thu 2026-01-01 00:00:00 UTC 0"),
      WallTime("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T00:59:59Z", "Sun 2026-03-29 01:59:59 CET 3600"),
      WallTime("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T01:00:00Z", "Sun 2026-03-29 03:00:00 CEST 7200 dst"),
      WallTime("CET-1CEST,M3.5.0,M10.5.0/3", "9998-07-01T00:00:00Z", "Wed 9998-07-01 02:00:00 CEST 7200 dst"),
      WallTime("EST5EDT", "2026-03-08T07:00:00Z", "Sun 2026-03-08 03:00:00 EDT -14400 dst"),
      WallTime(
        "<+0330>-3:30<+0430>,J79/24,J263/24", "2026-03-20T20:30:00Z",
        "Sat 2026-03-21 01:00:00 +0430 16200 dst"),
      WallTime(
        "AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-01-01T00:00:00Z", "Thu 2026-01-01 11:00:00 AEDT 39600 dst"),
      WallTime("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-01-01T00:00:00Z", "Thu 2026-01-01 00:00:00 GMT 0 dst"),
      // Hours before midnight and after the end of the day (RFC 9636 §3.3.1).
      WallTime(
        "<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T01:00:00Z", "Sun 2026-03-29 00:00:00 -01 -3600 dst"),
      WallTime(
        "EET-2EEST,M3.4.4/50,M10.4.4/50", "2026-03-28T00:00:00Z", "Sat 2026-03-28 03:00:00 EEST 10800 dst"),
      // The zone has daylight time all year.
      WallTime("XXX3EDT4,0/0,J365/23", "2026-01-01T03:00:00Z", "Wed 2025-12-31 23:00:00 EDT -14400 dst"),
      WallTime("EST5EDT,0/0,J365/25", "2026-12-31T23:59:59Z", "Thu 2026-12-31 19:59:59 EDT -14400 dst"),
      // J60 is 1 March even in leap years; 59 is 1 March in ordinary years only.
      WallTime("AAA0BBB,J60/0,300", "2028-03-01T00:00:00Z", "Wed 2028-03-01 01:00:00 BBB 3600 dst"),
      WallTime("AAA0BBB,J60/0,300", "2028-02-29T23:59:59Z", "Tue 2028-02-29 23:59:59 AAA 0"),
      WallTime("AAA0BBB,59/0,300", "2028-02-29T00:00:00Z", "Tue 2028-02-29 01:00:00 BBB 3600 dst"),
      WallTime("LMT0:01:15", "2026-01-01T00:00:00Z", "Wed 2025-12-31 23:58:45 LMT -75"),
    ])
  func rules(time: WallTime) throws {
    let instant = try #require(Instant(rfc3339: time.utc))
    #expect(describe(try TimeZone(posix: time.zone).civil(instant)) == time.wall)
  }

  @Test(
    "Text that is not a POSIX rule is rejected",
    arguments: [
      "", "UTC", "5", "AB3", "<AB>3", "<ABC3", "<>3", "UTC0 ", "UTC25", "UTC+", "UTC0:60", "UTC0:0:60",
      "CET-1CEST,M3.5.0", "CET-1CEST,M3.5.0,", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0",
      "CET-1CEST,M3.0.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J1", "CET-1CEST,J366,J1",
      "CET-1CEST,366,1", "CET-1CEST,M3.5.0/168,M10.5.0", "CET-1CEST,M3.5.0,M10.5.0/3x", "C3T-1",
      "CET-99999999999999999999", "CET-1CEST-1,,", "Zürich-1", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA0",
    ])
  func refuses(rule: String) {
    #expect(throws: TimeZoneError.self) { try TimeZone(posix: rule) }
  }

  @Test("Changes follow one another, each at a change of the offset")
  func changes() throws {
    let zone = try TimeZone(posix: "CET-1CEST,M3.5.0,M10.5.0/3")
    var instant = try #require(Instant(rfc3339: "2026-01-01T00:00:00Z"))
    var found: [String] = []
    for _ in 0..<4 {
      instant = try #require(zone.nextTransition(after: instant))
      found.append(instant.rfc3339UTC)
    }
    #expect(
      found == [
        "2026-03-29T01:00:00Z", "2026-10-25T01:00:00Z", "2027-03-28T01:00:00Z", "2027-10-31T01:00:00Z",
      ])
  }

  @Test("A rule whose daylight time never ends has no changes")
  func allYear() throws {
    let start = try #require(Instant(rfc3339: "2026-06-01T00:00:00Z"))
    #expect(try TimeZone(posix: "XXX3EDT4,0/0,J365/23").nextTransition(after: start) == nil)
    #expect(try TimeZone(posix: "UTC0").nextTransition(after: start) == nil)
  }
}
