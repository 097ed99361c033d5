// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import CivilTime

@Suite struct InstantTests {
  @Test(
    "RFC 3339 is read",
    arguments: [
      ("1970-01-01T00:00:00Z", 0, 0),
      ("2026-05-01T09:59:58Z", 1_777_629_598, 0),
      ("2026-05-01t09:59:58z", 1_777_629_598, 0),
      ("2026-05-01 09:59:58Z", 1_777_629_598, 0),
      ("2026-05-01T11:59:58+02:00", 1_777_629_598, 0),
      ("2026-05-01T04:29:58-05:30", 1_777_629_598, 0),
      ("2026-05-01T09:59:58-00:00", 1_777_629_598, 0),
      ("2026-05-01T09:59:58.5Z", 1_777_629_598, 500_000_000),
      ("2026-05-01T09:59:58.000000001Z", 1_777_629_598, 1),
      ("2026-05-01T09:59:58.1234567899999Z", 1_777_629_598, 123_456_789),
      ("1969-12-31T23:59:59.25Z", -1, 250_000_000),
      ("0000-01-01T00:00:00Z", -62_167_219_200, 0),
      ("9999-12-31T23:59:59Z", 253_402_300_799, 0),
      ("2000-02-29T00:00:00Z", 951_782_400, 0),
      ("2016-12-31T23:59:60Z", 1_483_228_800, 0),
      ("1990-12-31T15:59:60.75-08:00", 662_688_000, 750_000_000),
    ] as [(String, Int64, Int32)])
  func reads(text: String, seconds: Int64, nanoseconds: Int32) {
    #expect(Instant(rfc3339: text) == Instant(seconds: seconds, nanoseconds: nanoseconds))
  }

  @Test(
    "Text that RFC 3339 does not allow is rejected",
    arguments: [
      "", "2026", "2026-05-01", "2026-05-01T09:59:58", "2026-5-1T09:59:58Z", "2026-05-01T9:59:58Z",
      "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
      "2026-04-31T00:00:00Z", "2026-05-00T00:00:00Z", "2026-05-01T24:00:00Z", "2026-05-01T09:60:00Z",
      "2026-05-01T09:59:61Z", "2026-05-01T09:59:60Z", "2026-05-01T23:59:60Z", "2026-12-31T23:59:60+01:00",
      "2026-05-01T09:59:58.Z", "2026-05-01T09:59:58,5Z", "2026-05-01T09:59:58+24:00",
      "2026-05-01T09:59:58+01:60", "2026-05-01T09:59:58+0100", "2026-05-01T09:59:58+01",
      "2026-05-01T09:59:58Zx", " 2026-05-01T09:59:58Z", "-026-05-01T09:59:58Z", "+2026-05-01T09:59:58Z",
      "12026-05-01T09:59:58Z", "2026-05-01T09:59:58\u{0}Z", "２０２６-05-01T09:59:58Z",
    ])
  func refuses(text: String) {
    #expect(Instant(rfc3339: text) == nil)
  }

  @Test(
    "RFC 3339 is written in UTC, with as many decimals as needed",
    arguments: [
      (0, 0, "1970-01-01T00:00:00Z"),
      (-1, 0, "1969-12-31T23:59:59Z"),
      (951_782_400, 500_000_000, "2000-02-29T00:00:00.500Z"),
      (951_782_400, 1_000, "2000-02-29T00:00:00.000001Z"),
      (951_782_400, 7, "2000-02-29T00:00:00.000000007Z"),
      (-62_167_219_201, 0, "-0001-12-31T23:59:59Z"),
      (253_402_300_800, 0, "+10000-01-01T00:00:00Z"),
      (.max, 0, "+292277026596-12-04T15:30:07Z"),
      (.min, 0, "-292277022657-01-27T08:29:52Z"),
    ] as [(Int64, Int32, String)])
  func writes(seconds: Int64, nanoseconds: Int32, text: String) {
    #expect(Instant(seconds: seconds, nanoseconds: nanoseconds).rfc3339UTC == text)
  }

  @Test("Every instant in four-digit years can be written and read again")
  func roundTrips() {
    var random = SplitMix(seed: 3339)
    for _ in 0..<5_000 {
      let instant = Instant(
        seconds: .random(in: -62_167_219_200...253_402_300_799, using: &random),
        nanoseconds: .random(in: 0...999_999_999, using: &random))
      #expect(Instant(rfc3339: instant.rfc3339UTC) == instant)
    }
  }

  @Test("Nanoseconds beyond a second are carried, and saturate")
  func carries() {
    #expect(Instant(seconds: 1, nanoseconds: -1) == Instant(seconds: 0, nanoseconds: 999_999_999))
    #expect(Instant(seconds: 1, nanoseconds: 2_000_000_001) == Instant(seconds: 3, nanoseconds: 1))
    #expect(Instant(seconds: .max, nanoseconds: 1_000_000_000).seconds == .max)
    #expect(Instant(seconds: .min, nanoseconds: -1).seconds == .min)
    #expect(Instant(seconds: 5, nanoseconds: 1) > Instant(seconds: 5))
  }

  @Test("Days and dates match over four centuries and far away")
  func dates() {
    var expected = GregorianDate(year: 1, month: 1, day: 1)
    for day in -719_162..<(-719_162 + 146_097 * 6) {
      let date = GregorianDate(daysSinceEpoch: day)
      guard date == expected, date.daysSinceEpoch == day else {
        Issue.record("day \(day) is \(date), not \(expected)")
        break
      }
      expected.day += 1
      if expected.day > GregorianDate.days(inMonth: expected.month, of: expected.year) {
        expected = GregorianDate(year: expected.year, month: expected.month + 1, day: 1)
      }
      if expected.month > 12 { expected = GregorianDate(year: expected.year + 1, month: 1, day: 1) }
    }
    for day in [Int.min / 86_400, Int.max / 86_400] {
      #expect(GregorianDate(daysSinceEpoch: day).daysSinceEpoch == day)
    }
    #expect(GregorianDate(daysSinceEpoch: 11_016) == GregorianDate(year: 2000, month: 2, day: 29))
  }
}
