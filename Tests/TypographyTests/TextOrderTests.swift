// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import Typography

@Suite struct TextOrderTests {
  /// The text in lines of at most one unbreakable part.
  private func parts(_ text: String) -> [String] {
    let characters = Array(text)
    var parts = [""]
    for (character, ends) in zip(characters, TextOrder.lineBreaks(characters)) {
      parts[parts.count - 1].append(character)
      if ends { parts.append("") }
    }
    return parts
  }

  @Test("Lines end where Unicode's rules allow it")
  func lineBreaks() {
    #expect(parts("TIME-OUT HOME") == ["TIME-", "OUT ", "HOME"])
    #expect(parts("a\u{a0}b c") == ["a\u{a0}b ", "c"])
    #expect(
      parts("9,5 % (neun)") == ["9,5 ", "% ", "(neun)"] || parts("9,5 % (neun)") == ["9,5 % ", "(neun)"])
    #expect(parts("今日は、雨。") == ["今", "日", "は、", "雨。"])
    #expect(parts("e\u{301}\u{323}e") == ["e\u{301}\u{323}e"])
    #expect(parts("so\u{ad}ft") == ["so\u{ad}ft"])
    #expect(parts("🇩🇪🇫🇷 \u{ffff}") == ["🇩🇪", "🇫🇷 ", "\u{ffff}"])
    #expect(parts("") == [""])
  }

  @Test("Lines with right-to-left text are shown in the order in which they are read")
  func visualOrder() {
    func visual(_ text: String) -> String { String(TextOrder.visual(Array(text), \.self)) }
    #expect(visual("HOME (7)") == "HOME (7)")
    #expect(visual("שלום") == "םולש")
    #expect(visual("קבוצה 12 (A)") == "(A) 12 הצובק")
    #expect(visual("A שלום B") == "A םולש B")
    // A letter stays together with its marks.
    #expect(TextOrder.visual(Array("שָׁלוֹם"), \.self) == Array("שָׁלוֹם").reversed())
    // Arabic letters have the forms that join them, also with marks. Lam and alef are one sign.
    #expect(visual("\u{623}\u{647}\u{644}\u{627}") == "\u{fefc}\u{feeb}\u{fe83}")
    #expect(visual("\u{644}\u{627}\u{653}") == "\u{fefb}\u{653}")
    #expect(visual("\u{628}\u{650}\u{633}\u{652}\u{645}") == "\u{fee2}\u{feb4}\u{652}\u{fe91}\u{650}")
    #expect(visual("\u{628}\u{feff}") == "\u{feff}\u{fe8f}")
  }

  /// The tests of UAX #14, #9 and #29, if Debian's unicode-data is installed.
  private static let corpus: [String] = [
    "/usr/share/unicode/auxiliary/LineBreakTest.txt", "/usr/share/unicode/auxiliary/GraphemeBreakTest.txt",
    "/usr/share/unicode/BidiCharacterTest.txt",
  ].flatMap { path in
    String(decoding: contents(path), as: UTF8.self).split(separator: "\n").compactMap { line -> String? in
      let fields = line.prefix { $0 != "#" && $0 != ";" }.split(separator: " ")
      let scalars = fields.compactMap { UInt32($0, radix: 16).flatMap(Unicode.Scalar.init) }
      return scalars.isEmpty ? nil : String(String.UnicodeScalarView(scalars))
    }
  }

  @Test("Unicode's own test lines, and random ones, are laid out in bounded time and keep their characters")
  func anyText() {
    #expect(Self.corpus.isEmpty || Self.corpus.count > 5_000)
    var random = SplitMix(seed: 9)
    let noise = (0..<1_000).map { _ -> String in
      let scalars = (0..<Int.random(in: 1...40, using: &random)).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: 0..<0x3_0000, using: &random))
      }
      return String(String.UnicodeScalarView(scalars))
    }
    let face = face("Inter", .medium)
    let clock = ContinuousClock()
    let took = clock.measure {
      // Every 29th line of the corpus, or all lines with FLIPCLOCK_LONG.
      let stride = getenv("FLIPCLOCK_LONG") == nil ? 29 : 1
      for text in noise + Self.corpus.enumerated().filter({ $0.offset % stride == 0 }).map(\.element) {
        let characters = Array(text)
        #expect(TextOrder.lineBreaks(characters).count == characters.count)
        let shown = TextOrder.visual(characters, \.self).count
        let pairs = zip(characters, characters.dropFirst()).filter { $0.0 == "\u{644}" && $0.1 != " " }.count
        #expect((characters.count - pairs...characters.count).contains(shown))
        #expect(face.measure(text, capHeight: 20, tracking: 0.1).width.isFinite)
        #expect(face.advances(of: text).count == characters.count)
      }
    }
    #expect(took < .seconds(240))
  }
}
