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

  /// The symbols on the flaps of a card.
  package enum Drum: Hashable, Sendable {
    /// The capitals A to Z, the capitals of the language's further letters, digits, punctuation, and the
    /// letters of the text.
    case auto
    /// These symbols in this order, each once.
    case flaps(String)
  }

  /// The lines, separated by `\n`. A line of more than `columns` letters continues in the next one.
  package var text = ""
  package var columns = 20
  package var rows = 3
  package var align = Alignment.center
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
      flaps += Self.signs
      let shown = text.filter { $0 != "\n" }.map { Self.capital($0, language) }
      flaps += String(Set(shown).subtracting(flaps).sorted().prefix(Self.flapLimit - flaps.count))
      return flaps
    }
  }

  package var ownText: String? { text }

  /// Lines beyond `rows` are left out, and the cards of letters without a flap stay blank. A small letter is
  /// shown as a capital if there is no flap for it.
  package func fit(of text: String, in language: Language) -> TextFit {
    var fit = TextFit(columns: columns, rows: rows)
    let lines = lines(of: text)
    if let last = lines.lastIndex(where: { !$0.isEmpty }), last >= rows {
      fit.leftOut = lines[rows...last].map { String($0) }
    }
    for letter in text
    where letter != "\n" && flap(for: letter, in: language) == nil && !fit.missing.contains(letter) {
      fit.missing.append(letter)
    }
    return fit
  }

  /// The text's lines, broken between words if possible, including the lines beyond `rows`.
  package func lines(of text: String) -> [[Character]] {
    var lines: [[Character]] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      var line: [Character] = []
      var isFirst = true
      for word in paragraph.split(separator: " ", omittingEmptySubsequences: false) {
        var word = Array(word)
        if !isFirst, line.count + 1 + word.count > columns {
          lines.append(line)
          line = []
        } else if !isFirst {
          line.append(" ")
        }
        isFirst = false
        while word.count > columns {
          lines.append(Array(word.prefix(columns)))
          word.removeFirst(columns)
        }
        line += word
      }
      lines.append(line)
    }
    return lines
  }

  /// What the card shows for a letter; nil if the drum has no flap for it.
  package func flap(for letter: Character, in language: Language = .english) -> String? {
    if letter == " " { return "" }
    let capital = Self.capital(letter, language)
    guard case .flaps(let flaps) = drum else { return String(capital) }
    if flaps.contains(letter) { return String(letter) }
    return flaps.contains(capital) ? String(capital) : nil
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

  /// Warns about lines without a row and letters without a flap. The location is that of `text`, because both
  /// depend on several keys.
  package func complete(_ table: WidgetTable, _ report: inout Report) {
    guard let location = table["text"]?.value.location else { return }
    let fit = fit(of: text, in: report.language)
    if let first = fit.leftOut.first(where: { !$0.isEmpty }) {
      let count = rows + fit.leftOut.count
      report.warning(
        location,
        "\(table.title) has no row for \(first.quoted): with columns = \(columns), the text has \(count) lines",
        hint: "write rows = \(count), or more 'columns'")
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
        "The lines, separated by `\\n`. Lowercase letters are shown as capitals if there are no flaps for them.",
        example: "\"Departures\\nZurich   12:30\""),
      Key("columns", \.columns, .integer(in: 1...64), "How many cards a line has."),
      Key("rows", \.rows, .integer(in: 1...24), "How many lines there are."),
      Key(
        "align", \.align, .choice(), "Where the text of a line is: `\"left\"`, `\"center\"` or `\"right\"`."),
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
        return .flaps(text)
      },
      write: { drum in
        switch drum {
        case .auto: "\"auto\""
        case .flaps(let flaps): Units.string(flaps)
        }
      })
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
