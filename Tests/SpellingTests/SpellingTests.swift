// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Spelling

@Suite struct SpellingTests {
  @Test(
    "The suggestion is the intended word, and nothing far-fetched",
    arguments: [
      ("brightnes", "brightness"), ("birghtness", "brightness"), ("BRIGHTNESS", "brightness"),
      ("leading_zero", "leading-zero"), ("colr", "color"), ("lead", "leading-zero"), ("le", nil), ("x", nil),
      ("", nil), ("zebra", nil),
      (String(repeating: "brightness", count: 10_000), nil),
    ] as [(String, String?)])
  func spelling(word: String, expected: String?) {
    #expect(Spelling.nearest(to: word, among: ["color", "brightness", "leading-zero"]) == expected)
  }

  @Test("The beginning of a word is enough if no other word begins with it")
  func beginnings() {
    #expect(Spelling.nearest(to: "add", among: ["add-score", "set-score"]) == "add-score")
    #expect(Spelling.nearest(to: "set", among: ["set-color", "set-score"]) == nil)
  }

  @Test("The distance counts insertions, deletions, changes and swaps")
  func distance() {
    for (a, b, expected) in [
      ("", "", 0), ("a", "", 1), ("", "ab", 2), ("ab", "ba", 1), ("abc", "abd", 1), ("ca", "abc", 3),
      ("kitten", "sitting", 3),
    ] {
      #expect(Spelling.distance(Array(a), Array(b)) == expected)
      #expect(Spelling.distance(Array(b), Array(a)) == expected)
    }
  }

  @Test("An unknown word is reported with the nearest and all known ones")
  func unknown() {
    #expect(
      Spelling.unknown("team", "gest", among: ["home", "guest"])
        == "unknown team 'gest'; did you mean 'guest'? (known: home, guest)")
    #expect(Spelling.unknown("team", "x", among: []) == "unknown team 'x' (none are known)")
  }
}
