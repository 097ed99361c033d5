// SPDX-License-Identifier: Apache-2.0

import Languages
import TestSupport
import Testing

@testable import Settings

@Suite struct BoardTextTests {
  private static let red = BoardColor.red.rgb

  private func colors(_ text: String, isPlain: Bool = false) -> [UInt32?] {
    BoardText(text, isPlain: isPlain).letters.map(\.color)
  }

  @Test("Markup colours the letters after it; braces around anything else are letters")
  func markup() {
    #expect(BoardText("A{red}B{/}C").letters.plain == "ABC")
    #expect(colors("A{red}B\nC{blue}D{/}E") == [nil, Self.red, Self.red, Self.red, BoardColor.blue.rgb, nil])
    #expect(colors("{#0a0B0c}A{#f80}B") == [0x0a0b0c, 0xff8800])
    for color in BoardColor.allCases { #expect(colors("{\(color.rawValue)}A") == [color.rgb]) }
    for text in [
      "{", "}", "{}", "{ red}", "{Red}", "{RED}", "{reds}", "{red", "red}", "{purple}", "{#ffff}",
      "{#12345g}",
      "{#1234567}", "{//}", "{/red}", "{{}}", "{e\u{301}}", "{red}\u{301}", #"{"a": {"b": 1}}"#,
    ] {
      #expect(BoardText(text).letters.plain == text)
      #expect(colors(text).allSatisfy { $0 == nil })
    }
    #expect(BoardText("{red}A{/}", isPlain: true).letters.plain == "{red}A{/}")
    #expect(BoardText("{{red}A}").letters.plain == "{A}")
  }

  @Test(
    "Squares are flaps of one colour, with and without a variation selector; a block has the text's colour")
  func squares() {
    let settings = BoardSettings()
    func symbols(_ text: String) -> [CardSymbol] {
      BoardText(text).letters.compactMap { settings.flap(for: $0) }
    }
    for color in BoardColor.allCases {
      for text in ["\(color.square)", "\(color.square)\u{fe0f}"] {
        #expect(symbols(text) == [CardSymbol("█", color: color.rgb)])
        #expect(BoardText(text, isPlain: true).letters == [BoardLetter(character: color.square)])
      }
    }
    #expect(
      symbols("█{red}█a ") == ["█", CardSymbol("█", color: Self.red), CardSymbol("A", color: Self.red), ""])
    #expect(settings.fit(of: BoardText("🟥🟧🟨🟩🟦🟪⬜⬛█🟫"), in: .english).missing == [])
    var few = settings
    few.drum = .flaps(" A🟥")
    #expect(few.fit(of: BoardText("A🟥🟦█"), in: .english).missing == ["🟦", "█"])
  }

  private func lines(_ text: String, _ change: (inout BoardSettings) -> Void, in tag: String = "en") throws
    -> [String]
  {
    var settings = BoardSettings()
    settings.align = .left
    change(&settings)
    let layout = BoardLayout(BoardText(text), settings, in: try #require(Language(tag)))
    #expect(layout.symbols.count == layout.columns * layout.rows)
    return (0..<layout.rows).map { row in
      layout.symbols[(row * layout.columns)..<((row + 1) * layout.columns)]
        .map { $0.text.isEmpty ? " " : $0.text }.joined()
    }
  }

  @Test("Tab stops align the parts of lines with tabs, from the right in right-to-left languages")
  func tabs() throws {
    func table(_ text: String, _ tabs: [Int], columns: Int? = 12, in tag: String = "en") throws -> [String] {
      try lines(
        text,
        {
          ($0.tabs, $0.columns, $0.rows, $0.align) = (tabs, columns, nil, .center)
        }, in: tag)
    }
    #expect(try table("9:05\tBERN\t3\n10:15\tZUG\t12", [6, 10]) == ["9:05  BERN3 ", "10:15 ZUG 12"])
    #expect(try table("A\tB\tC\tD\nX", [2, 4]) == ["A B C D     ", "     X      "])
    #expect(try table("\tB\t\nA\t", [2, 4]) == ["  B         ", "A           "])
    #expect(try table("ABCDEF\tB", [3]) == ["ABCB        "])
    #expect(try table("A\tBC", [3], columns: nil) == ["A  BC"])
    #expect(try table("9:05\tBERN\t3", [6, 10], in: "he") == [" 3BERN  9:05"])
    #expect(try table("9:05\tשלום", [6], in: "he") == ["  םולש  9:05"])
    #expect(try table("9:05\tשלום", [6]) == ["9:05  םולש  "])
    #expect(try lines("A\tB", { ($0.columns, $0.rows) = (4, 1) }) == ["A B "])
  }

  @Test("Lines that are too long are wrapped by Unicode's rules, or cut")
  func overflow() throws {
    func lines(_ text: String, _ columns: Int, _ overflow: BoardSettings.Overflow) throws -> [String] {
      try self.lines(text, { ($0.columns, $0.rows, $0.overflow) = (columns, nil, overflow) })
    }
    #expect(try lines("TIME-OUT HOME", 7, .wrap) == ["TIME-  ", "OUT    ", "HOME   "])
    #expect(try lines("今日は、雨。", 3, .wrap) == ["今日 ", "は、 ", "雨。 "])
    #expect(try lines("a\u{a0}b c", 3, .wrap) == ["A B", "C  "])
    #expect(try lines("one  two", 3, .wrap) == ["ONE", "TWO"])
    #expect(try lines("ABCDEF GH\nI", 4, .cut) == ["ABCD", "I   "])
  }

  @Test("The lines of any text are what the cards show, with the size of the board")
  func lines() {
    var random = SplitMix(seed: 30)
    for _ in 0..<500 {
      var settings = BoardSettings()
      settings.columns = Int.random(in: 1...9, using: &random)
      settings.rows = Int.random(in: 1...5, using: &random)
      settings.align = BoardSettings.Alignment.allCases.randomElement(using: &random) ?? .left
      settings.tabs = Bool.random(using: &random) ? [2, 5] : []
      let text = String((0..<40).map { _ in "AB \n\té🟥█سלا".randomElement(using: &random) ?? "x" })
      let layout = BoardLayout(BoardText(text), settings)
      let lines = layout.fit.lines ?? []
      #expect(lines.count == layout.rows && lines.allSatisfy { $0.count == layout.columns }, "\(text)")
      let letters = lines.joined().map { CardSymbol($0) }
      #expect(letters == layout.symbols, "\(text)")
    }
    #expect(BoardLayout(BoardText("{red}A█{/}"), BoardSettings()).fit.lines?[1].contains("A🟥") == true)
  }

  @Test("The reply has what is cut off, and the lines without a row")
  func reply() {
    var settings = BoardSettings()
    (settings.columns, settings.rows, settings.tabs, settings.overflow) = (6, 2, [3], .cut)
    let fit = settings.fit(
      of: BoardText("ABCD\tE\nA\tBCDE{red}F\nABC   \t\nABCDEFG\nABCDEF   "), in: .english)
    #expect(fit.cut == ["ABCD", "BCDEF", "ABCDEFG"])
    #expect(fit.leftOut == ["ABC   \t", "ABCDEF", "ABCDEF"])
    settings.overflow = .wrap
    #expect(settings.fit(of: BoardText("ABCDEFG H"), in: .english).cut == [])
  }

  @Test("A board with the size of its text has the columns and rows that it needs, within limits")
  func automaticSize() {
    var settings = BoardSettings()
    (settings.columns, settings.rows) = (nil, nil)
    func size(_ text: String) -> [Int] {
      let layout = BoardLayout(BoardText(text), settings)
      return [layout.columns, layout.rows]
    }
    #expect(size("") == [0, 1])
    #expect(size("{red}ABC{/}\nDEFGH") == [5, 2])
    #expect(size(String(repeating: "A", count: 65)) == [64, 2])
    #expect(size(String(repeating: "A\n", count: 40)) == [1, 24])
    settings.tabs = [4]
    #expect(size("A\tBC\nA") == [6, 2])
    settings.columns = 3
    #expect(size("ABCD") == [3, 2])
  }
}
