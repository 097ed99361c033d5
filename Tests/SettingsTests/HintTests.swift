// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Settings
@testable import TOMLConfig

/// A message never suggests a value that is refused.
@Suite struct HintTests {
  /// The values that a hint says to write, with their quotes.
  private func offers(_ hint: String) -> [String] {
    guard let start = hint.firstRange(of: "write ") else { return [] }
    var text = hint[start.upperBound...]
    var offers: [String] = []
    while let quote = text.firstIndex(of: "\"") {
      let inner = text[text.index(after: quote)...]
      guard let end = inner.firstIndex(of: "\"") else { break }
      offers.append(String(text[quote...end]))
      text = inner[inner.index(after: end)...]
    }
    return offers
  }

  private static let durations: [(table: String, key: String)] = [
    ("flip", "duration"), ("flip", "stagger"), ("rotation", "every"), ("page-transition", "duration"),
    ("input", "debounce"), ("game", "clock-length"), ("game", "overtime-length"), ("game", "clock-warning"),
    ("game", "shot-clock"), ("game", "shot-clock-warning"), ("widgets.time", "duration"),
  ]
  private static let values = [
    "5", "1", "0.5", "250", "90", "1000000", "nan", "\"5\"", "\"\"", "\"soon\"", "\"5 s\"", "\"5sec\"",
    "\"-1s\"", "true", "[1]", "10:00:00",
  ]
  /// Precedes the table, so that the key is in line 4.
  private static let context = "[pages.a]\nrows = [\"time\"]\n"

  @Test("A duration that a message suggests is accepted", arguments: durations.indices)
  func accepted(index: Int) {
    let (table, key) = Self.durations[index]
    for value in Self.values {
      let result = load("\(Self.context)[\(table)]\n\(key) = \(value)\n")
      for diagnostic in result.diagnostics where diagnostic.line == 4 {
        let offers = offers(diagnostic.hint ?? "")
        #expect(!offers.isEmpty, "\(diagnostic.summary)")
        for offer in offers {
          let again = load("\(Self.context)[\(table)]\n\(key) = \(offer)\n")
          #expect(found(again) == [], "\(diagnostic.summary)")
        }
      }
    }
  }

  /// Keys with a range, a value below it and one above it, and the values nearest to these.
  private static let ranges: [(table: String, key: String, bad: [String], nearest: [String])] = [
    ("display", "margins", ["\"-3%\"", "\"11%\""], ["\"0%\"", "\"10%\""]),
    ("display", "brightness", ["\"-20%\"", "\"140%\"", "140"], ["\"1%\"", "\"100%\"", "\"100%\""]),
    ("display", "brightness", ["-5.5", "inf", "1e300"], ["\"1%\"", "\"100%\"", "\"100%\""]),
    ("game", "periods", ["-9223372036854775808", "0", "100"], ["1", "1", "99"]),
    ("game", "start-score", ["-1", "1000", "9223372036854775807"], ["0", "999", "999"]),
    ("theme", "corner-radius", ["-0.1", "1", "inf"], ["0", "0.25", "0.25"]),
    ("widgets.a", "sweep-rate", ["0", "61", "1e300"], ["1", "60", "60"]),
    ("rotation", "every", ["\"999h\""], ["\"24h\""]),
    ("flip", "duration", ["\"999h\""], ["\"10s\""]),
  ]

  @Test(
    "For a number outside of its range, a message suggests the nearest one inside", arguments: ranges.indices)
  func nearest(index: Int) {
    let (table, key, bad, nearest) = Self.ranges[index]
    let context =
      table == "widgets.a"
      ? "[pages.a]\nrows = [\"a\"]\n[widgets.a]\ntype = \"analog-clock\"\n" : "\(Self.context)[\(table)]\n"
    func result(_ value: String) -> LoadResult { load("\(context)\(key) = \(value)\n") }
    for (value, good) in zip(bad, nearest) {
      #expect(result(value).diagnostics.map(\.hint) == ["write \(good)"], "\(key) = \(value)")
      #expect(found(result(good)) == [], "\(key) = \(good)")
    }
    #expect(load("[display]\nbrightness = nan\n").diagnostics.count == 1)
    #expect(load("[theme]\ncorner-radius = nan\n").diagnostics.count == 1)
  }

  @Test("All bad elements of an array are reported at once")
  func arrays() {
    let lists: [(table: String, key: String, bad: [String])] = [
      ("game", "interval-lengths", ["\"0:00\"", "\"x\"", "5"]), ("game", "penalties", ["\"0:00\"", "\"x\""]),
      ("rotation", "pages", ["1", "true"]), ("input", "devices", ["1", "\"\""]),
      ("pages.a", "show-during", ["\"tea\"", "7"]), ("remote", "messages", ["1", "\"\""]),
      ("layout", "rows", ["1", "[]", "[true]"]), ("widgets.score", "teams", ["1", "true"]),
      ("schedule.s", "days", ["\"x\"", "\"mon-x\""]),
    ]
    for (table, key, bad) in lists {
      let lines = bad.map { "  \($0),\n" }.joined()
      let text = "[\(table)]\n\(key) = [\n\(lines)]\n"
      let reported = Set(load(text).diagnostics.filter { $0.severity == .error }.map(\.line))
      let missing = bad.indices.filter { !reported.contains($0 + 3) }
      #expect(missing.isEmpty, "\(text): \(found(load(text)))")
    }
  }

  @Test("Every duration accepts ms, s, min and h", arguments: durations.indices)
  func units(index: Int) {
    let (table, key) = Self.durations[index]
    for text in ["0ms", "0s", "0min", "0h", "0h0min", "0min0s0ms"] {
      #expect(found(load("\(Self.context)[\(table)]\n\(key) = \"\(text)\"\n")) == [])
    }
  }

  @Test("A message never suggests an interval that is too short")
  func every() {
    let result = load("\(Self.context)[rotation]\nevery = \"5 minutes\"\n")
    #expect(
      found(result) == [
        "error 4:9 'every' in [rotation] must be a duration, found the string '5 minutes'; write \"2s\" or \"30s\""
      ])
    #expect(load("\(Self.context)[rotation]\nevery = \"5min\"\n").configuration?.rotation.every == 300)
  }
}
