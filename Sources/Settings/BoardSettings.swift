// SPDX-License-Identifier: Apache-2.0

/// A board of split-flap letters.
package struct BoardSettings: Hashable, Sendable {
  package enum Alignment: String, CaseIterable, Hashable, Sendable {
    case left
    case center
    case right
  }

  /// The lines, separated by `\n`; a line that is longer than the board continues in the next one.
  package var text = ""
  package var columns = 20
  package var rows = 3
  package var align = Alignment.center
  /// The symbols on a card's flaps, in their order, each once.
  package var drum = BoardSettings.defaultDrum
  package var motion: CardMotionSettings = {
    var motion = CardMotionSettings()
    motion.symbols = .through
    motion.order = .together
    return motion
  }()

  package static let defaultDrum = " ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:;!?'-+/&()%°€$£@#"

  package init() {}

  /// The letters of `text` for which there is no flap, each once; their cards stay blank. A small letter is shown
  /// as a capital if there is no flap for it.
  package var missingLetters: [Character] {
    var missing: [Character] = []
    for letter in text where letter != "\n" && flap(for: letter) == nil && !missing.contains(letter) {
      missing.append(letter)
    }
    return missing
  }

  /// What the card shows for a letter; nil if the drum has no flap for it.
  package func flap(for letter: Character) -> String? {
    if letter == " " || drum.contains(letter) { return letter == " " ? "" : String(letter) }
    let capital = letter.uppercased()
    return capital.count == 1 && capital.allSatisfy(drum.contains) ? capital : nil
  }
}

extension BoardSettings: CardWidgetContent {
  package static let typeName = "board"
  package static let text = """
    A board of split-flap letters. Its text may change at any time: the cards then go through their flaps, all of them
    together.
    """

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
        blank.
        """),
    ]
  }
}
