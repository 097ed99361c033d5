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
        if diagnostic.message.contains("must be from") { continue }
        #expect(!offers.isEmpty, "\(diagnostic.summary)")
        for offer in offers {
          let again = load("\(Self.context)[\(table)]\n\(key) = \(offer)\n")
          #expect(found(again) == [], "\(diagnostic.summary)")
        }
      }
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
