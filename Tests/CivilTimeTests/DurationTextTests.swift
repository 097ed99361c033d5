// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import CivilTime

@Suite struct DurationTextTests {
  private func read(_ text: String) -> Result<Int64, DurationText.Problem> {
    do throws(DurationText.Problem) { return .success(try DurationText.nanoseconds(text)) } catch {
      return .failure(error)
    }
  }

  @Test(
    "Durations with units are read",
    arguments: [
      ("0s", 0), ("500ms", 500_000_000), ("1.5s", 1_500_000_000), ("30s", 30_000_000_000),
      ("5min", 300_000_000_000), ("5m", 300_000_000_000), ("1h", 3_600_000_000_000),
      ("1h30min", 5_400_000_000_000), ("31d", 2_678_400_000_000_000), ("1d12h", 129_600_000_000_000),
      ("1h30m15.5s", 5_415_500_000_000), ("0.000001ms", 1),
      ("99999999999999999999h", .max), ("2562048h", .max),
    ] as [(String, Int64)])
  func good(text: String, nanoseconds: Int64) {
    #expect(read(text) == .success(nanoseconds))
  }

  @Test("A bare number has no unit, and other text is not a duration")
  func bad() {
    for text in ["0", "5", "0.5", "10"] { #expect(read(text) == .failure(.noUnit)) }
    for text in [
      "", "s", ".5s", "5.s", "-1s", "+1s", "1e3s", "5 s", "5sec", "5S", "1s1h", "1s1s", "1min1m", "1h30",
      "1:30", "infs", "١s", String(repeating: "1", count: 100) + "s",
    ] { #expect(read(text) == .failure(.malformed), "\(text)") }
  }

  @Test("Formatted durations can be read again")
  func roundTrip() {
    var random = SplitMix(seed: 4)
    for _ in 0..<2_000 {
      let milliseconds = Int64.random(in: 0...400_000_000, using: &random)
      for length in [milliseconds, milliseconds * 1_000, milliseconds * 20_000] {
        let nanoseconds = length * 1_000_000
        #expect(read(DurationText.text(nanoseconds)) == .success(nanoseconds))
      }
    }
    #expect(DurationText.text(86_400_000_000_000) == "24h")
    #expect(DurationText.text(900_000_000) == "900ms")
    #expect(DurationText.text(0) == "0s")
  }
}
