// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Commands

@Suite struct ShellWordsTests {
  @Test(
    "Words are divided as a shell divides them",
    arguments: [
      ("", []), (" ", []), ("  a   b ", ["a", "b"]), (#"a "b c" d"#, ["a", "b c", "d"]),
      (#"message "TIME OUT" --for 30s"#, ["message", "TIME OUT", "--for", "30s"]),
      ("a 'b \"c' ''", ["a", "b \"c", ""]), (#"a\ b "\"" '\'"#, ["a b", "\"", "\\"]), (#"a"b"c"#, ["abc"]),
      (#"a "b\"c\\d\e" 'f\' g\ h "" x"y"z"#, ["a", #"b"c\d\e"#, #"f\"#, "g h", "", "xyz"]),
      // A combining character after a quotation mark does not hide it.
      ("\"\u{301}a\"", ["\u{301}a"]),
    ])
  func division(text: String, words: [String]) throws {
    #expect(try ShellWords.split(text) == words)
  }

  @Test(
    "Quotes and backslashes at the end are reported", arguments: ["a \"b", "a 'b", "a\\", "\"a\\", "\"a\\\""])
  func incomplete(text: String) {
    #expect(throws: UsageError.self) { try ShellWords.split(text) }
  }

  @Test("Any words that are quoted are split into the same words again")
  func roundTrip() throws {
    var random = SplitMix(seed: 1)
    let scalars = Array("ab \"'\\\u{301}é")
    for _ in 0..<500 {
      let words = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        String(
          (0..<Int.random(in: 0...6, using: &random)).map { _ in scalars.randomElement(using: &random) ?? "a"
          })
      }
      let text = words.map { word in
        "\"" + word.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "\""
      }.joined(separator: " ")
      #expect(try ShellWords.split(text) == words, "\(text)")
    }
  }
}
