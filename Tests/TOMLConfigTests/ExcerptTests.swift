// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TOMLConfig

@Suite struct ExcerptTests {
  @Test(
    "The caret is below its column, whatever is before it",
    arguments: [
      ("abc", 1, "abc", ""), ("abc", 3, "abc", "  "), ("abc", 4, "abc", "   "), ("abc", 99, "abc", "   "),
      ("abc", 0, "abc", ""), ("", 1, "", ""), ("\tk = 1", 2, "\tk = 1", "\t"),
      ("日本 = 1", 4, "日本 = 1", "     "), ("👍x", 2, "👍x", "  "), ("e\u{301}x", 3, "e\u{301}x", " "),
      ("a\u{1b}[31mb", 3, "a\u{fffd}[31mb", "  "),
    ])
  func excerpt(source: String, column: Int, line: String, padding: String) {
    let excerpt = Excerpt(source, column: column)
    #expect(excerpt.line == line)
    #expect(excerpt.padding == padding)
  }

  @Test("A long line is cut to the part around the column")
  func longLine() {
    let source = String(repeating: "a", count: 5_000) + "X" + String(repeating: "b", count: 5_000)
    let excerpt = Excerpt(source, column: 5_001)
    #expect(excerpt.line.hasPrefix("…a") && excerpt.line.hasSuffix("b…"))
    #expect(excerpt.line.count == Excerpt.maximumScalars + 2)
    #expect(Array(excerpt.line)[excerpt.padding.count] == "X")
  }
}
