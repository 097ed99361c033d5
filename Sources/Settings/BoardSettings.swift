// SPDX-License-Identifier: Apache-2.0

import Languages
import TOMLConfig

/// A board of split-flap letters.
package struct BoardSettings: Hashable, Sendable {
  package enum Alignment: String, CaseIterable, Hashable, Sendable {
    case left
    case center
    case right
  }

  /// What happens to a line that is longer than the board.
  package enum Overflow: String, CaseIterable, Hashable, Sendable {
    /// It continues in the next line.
    case wrap
    case cut
  }

  /// The symbols on the flaps of a card.
  package enum Drum: Hashable, Sendable {
    /// The capitals A to Z, the capitals of the language's further letters, digits, punctuation, and the
    /// letters of the text.
    case auto
    /// These symbols in this order, each once.
    case flaps(String)
  }

  /// The lines, separated by `\n`.
  package var text = ""
  /// Nil: as many as the text needs, at most `columnLimit`.
  package var columns: Int? = 20
  /// Nil: as many as the text needs, at most `rowLimit`.
  package var rows: Int? = 3
  package var align = Alignment.center
  package var overflow = Overflow.wrap
  /// The columns, counted from 0, in which the second and the further parts of a line with tabs begin.
  package var tabs: [Int] = []
  package var drum = Drum.auto
  package var stale = StaleText.dim
  package var motion: CardMotionSettings = {
    var motion = CardMotionSettings()
    motion.symbols = .through
    motion.order = .together
    return motion
  }()

  /// The flaps of every automatic drum. The language's further letters are between `capitals` and `signs`.
  private static let capitals = " ABCDEFGHIJKLMNOPQRSTUVWXYZ"
  private static let signs = "0123456789.,:;!?'-+/&()%°€$£@#"
  private static let colors = String(BoardColor.allCases.map(\.square)) + CardSymbol.fullBlock
  package static let columnLimit = 64
  package static let rowLimit = 24
  /// The maximum number of flaps of an automatic drum. Letters of the text beyond it have no flaps; cards
  /// change to them directly.
  private static let flapLimit = 200

  package init() {}

  /// The symbols on a card's flaps, in their order.
  package func flaps(in language: Language = .english) -> String {
    switch drum {
    case .flaps(let flaps): return flaps
    case .auto:
      var flaps = Self.capitals
      for letter in language.letters.map({ Self.capital($0, language) }) where !flaps.contains(letter) {
        flaps.append(letter)
      }
      flaps += Self.signs + Self.colors
      let shown = BoardText(text).letters.map(\.character).filter { !$0.isWhitespace }
        .map { Self.capital($0, language) }
      flaps += String(Set(shown).subtracting(flaps).sorted().prefix(Self.flapLimit - flaps.count))
      return flaps
    }
  }

  package var ownText: String? { text }

  package func fit(of text: BoardText, in language: Language) -> TextFit {
    BoardLayout(text, self, in: language).fit
  }

  /// What the card shows for a letter; nil if the drum has no flap for it. A small letter is shown as a
  /// capital if there is no flap for it.
  package func flap(for letter: BoardLetter, in language: Language = .english) -> CardSymbol? {
    let capital = Self.capital(letter.character, language)
    guard case .flaps(let flaps) = drum else { return CardSymbol(capital, color: letter.color) }
    let shown = [letter.character, capital].first { $0.isWhitespace || flaps.contains($0) }
    return shown.map { CardSymbol($0, color: letter.color) }
  }

  /// The capital of a letter. Returns the letter itself if it has no capital, or if its capital is several
  /// letters, as with "ß".
  private static func capital(_ letter: Character, _ language: Language) -> Character {
    // The letter is doubled because in Greek a single ή is a word ("or"), whose capital keeps the accent.
    let capitals = language.uppercased("\(letter)\(letter)")
    return capitals.count == 2 ? capitals.first ?? letter : letter
  }
}

extension BoardSettings: CardWidgetContent {
  package static let typeName = "board"
  package static let text = """
    A board of split-flap letters. Its text may change at any time: the cards then go through their flaps, all of them
    together. A letter that is wider than a card is condensed. A cluster of several letters, as in Hindi, may be smaller
    than its neighbours: with one size for all, every letter would be as small as the widest cluster.
    """

  /// Warns about what of the text is not shown. The location is that of `text`, because this depends on
  /// several keys.
  package func complete(_ table: WidgetTable, _ report: inout Report) {
    if let location = table["tabs"]?.value.location, let columns, let last = tabs.last, last >= columns {
      report.error(
        location, "the board \(table.title) has columns = \(columns), and no column for the tab stop \(last)",
        hint: "write numbers below \(columns), or more 'columns'")
    }
    guard let location = table["text"]?.value.location else { return }
    let fit = fit(of: BoardText(text), in: report.language)
    if let first = fit.leftOut.first(where: { !$0.isEmpty }) {
      let count = (rows ?? Self.rowLimit) + fit.leftOut.count
      let width = columns.map { "with columns = \($0), " } ?? ""
      report.warning(
        location, "\(table.title) has no row for \(first.quoted): \(width)the text has \(count) lines",
        hint: count > Self.rowLimit
          ? "a board has at most \(Self.rowLimit) rows" : "write rows = \(count), or more 'columns'")
    }
    if let first = fit.cut.first {
      report.warning(
        location, "\(table.title) has no place for the end of \(first.quoted)",
        hint: overflow == .cut && !first.contains("\t")
          ? "write more 'columns', or overflow = \"wrap\"" : "write more 'columns', or other 'tabs'")
    }
    let missing = fit.missing.prefix(8).map { String($0).quoted }
    guard !missing.isEmpty else { return }
    report.warning(
      location,
      "no flap of \(table.title) shows \(missing.joined(separator: ", ")): the cards stay blank there",
      hint: "add what is missing to 'drum'")
  }

  package static var keys: [Key<BoardSettings>] {
    [
      Key(
        "text", \.text, .lines(maximum: 2_000),
        """
        The lines, separated by `\\n`. Lowercase letters are shown as capitals if there are no flaps for them. `{red}`
        gives the letters after it a colour, up to `{/}`: red, orange, yellow, green, blue, violet, white, black, or
        `{#rrggbb}`. 🟥🟧🟨🟩🟦🟪⬜⬛ are flaps of one colour, █ one in the colour of the letters.
        """,
        example: "\"Departures\\nZurich   12:30\""),
      Key(
        "columns", \.columns, .integer(in: 1...Self.columnLimit, or: "auto"),
        "How many cards a line has. `\"auto\"`: as many as the text needs."),
      Key(
        "rows", \.rows, .integer(in: 1...Self.rowLimit, or: "auto"),
        "How many lines there are. `\"auto\"`: as many as the text needs."),
      Key(
        "align", \.align, .choice(), "Where the text of a line is: `\"left\"`, `\"center\"` or `\"right\"`."),
      Key(
        "overflow", \.overflow, .choice(),
        """
        What happens to a line that is longer than the board: `"wrap"` continues it in the next line, between words if
        possible; `"cut"` leaves out its end.
        """),
      Key(
        "tabs", \.tabs, .tabStops,
        """
        Tab stops for tables: before the letters that follow the first tab of a line are so many columns, and so on. A
        cell that is longer than its column is cut. In languages that are written from right to left, columns are counted
        from the right. Without tab stops, a tab is a blank card.
        """, example: "[6, 16]"),
      Key(
        "drum", \.drum, .drum,
        """
        The symbols on the flaps, in their order, each once and a blank among them. A letter that is not there is left
        blank. `"auto"` has capitals, the further letters of the language's alphabet, digits, punctuation, and the
        letters of `text` in any script.
        """),
      .stale(\.stale),
    ]
  }
}

extension ValueKind where Value == BoardSettings.Drum {
  /// `"auto"`, or the symbols on a drum's flaps: each once, a blank among them.
  static var drum: ValueKind {
    ValueKind(
      shape: .text(maximum: 200),
      read: { node, place, report in
        guard let text = ValueKind<String>.string(node, place, maximum: 200, &report) else { return nil }
        if text == "auto" { return .auto }
        if let twice = text.first(where: { letter in text.filter { $0 == letter }.count > 1 }) {
          report.error(node, place, "has \(String(twice).quoted) twice")
          return nil
        }
        guard text.contains(" ") else {
          report.error(node, place, "has no blank", hint: "begin it with a space: \" ABC\"")
          return nil
        }
        return .flaps(String(text.map(BoardColor.canonical)))
      },
      write: { drum in
        switch drum {
        case .auto: "\"auto\""
        case .flaps(let flaps): Units.string(flaps)
        }
      })
  }
}

extension ValueKind where Value == Int? {
  /// A whole number, or a word that is read as nil.
  static func integer(in range: ClosedRange<Int>, or word: String) -> ValueKind {
    ValueKind(
      shape: .integer(range, or: word),
      "a whole number from \(range.lowerBound) to \(range.upperBound) or \"\(word)\"",
      write: { $0.map { String($0) } ?? "\"\(word)\"" }
    ) { value -> Int?? in
      switch value {
      case .string(word): .some(nil)
      case .integer(let given): Int(exactly: given).flatMap { range.contains($0) ? .some($0) : nil }
      default: nil
      }
    }
  }
}

extension ValueKind where Value == [Int] {
  /// The columns of tab stops, in their order.
  static var tabStops: ValueKind {
    let columns = 1...(BoardSettings.columnLimit - 1)
    return ValueKind(
      shape: .array(of: .integer(columns), count: 0...16, isUnique: true),
      "up to 16 whole numbers from \(columns.lowerBound) to \(columns.upperBound), in their order",
      hint: "write [6, 16]", write: { "[\($0.map(String.init).joined(separator: ", "))]" }
    ) { value in
      guard case .array(let nodes) = value, nodes.count <= 16 else { return nil }
      let stops = nodes.compactMap { node -> Int? in
        guard case .integer(let stop) = node.value, let stop = Int(exactly: stop) else { return nil }
        return columns.contains(stop) ? stop : nil
      }
      return stops.count == nodes.count && zip(stops, stops.dropFirst()).allSatisfy(<) ? stops : nil
    }
  }
}

extension Key {
  /// What a board does with a stale text.
  static func stale(_ property: WritableKeyPath<Target, StaleText> & Sendable) -> Key {
    Key(
      "stale", property, .choice(),
      """
      What the widget does with a text of `flipclockctl board` that is older than its `--stale-after`: `"dim"` shows it
      with little contrast, `"blank"` shows nothing, and `"keep"` shows it as before.
      """)
  }
}
