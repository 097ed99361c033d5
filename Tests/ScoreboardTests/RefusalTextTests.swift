// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Scoreboard

@Suite("The texts of refusals") struct RefusalTextTests {
  @Test("A text about a break has no 'a' before a vowel, and says how to begin it")
  func articles() {
    for kind in GameBreak.Kind.names {
      let text = Scoreboard.Refusal.noSuchBreak(kind: kind).message
      for vowel in "aeiou" { #expect(!text.contains(" a \(vowel)"), "\(text)") }
      #expect(text.contains(kind == "time-out" ? "'flipclockctl time-out TEAM 1:00'" : "break \(kind) 1:00'"))
    }
  }
}
