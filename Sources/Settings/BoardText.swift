// SPDX-License-Identifier: Apache-2.0

import Commands
import TOMLConfig

/// A text of a board: that of the config, or one that was pushed.
package struct BoardText: Hashable, Sendable {
  package var text: String
  package var isStale: Bool
  /// Whether the text has no markup: words in braces are letters.
  package var isPlain: Bool
  /// In which order the cards start to change to the text; nil: as in the config.
  package var wave: CardWave?

  package init(_ text: String, isStale: Bool = false, isPlain: Bool = false, wave: CardWave? = nil) {
    self.text = text
    self.isStale = isStale
    self.isPlain = isPlain
    self.wave = wave
  }

  /// The letters with their colours. `{red}` sets the colour of the letters after it, and `{/}` that of the
  /// theme. Braces around anything else are letters.
  package var letters: [BoardLetter] {
    var letters: [BoardLetter] = []
    var color: UInt32?
    var rest = text[...]
    while let character = rest.first {
      if !isPlain, character == "{", let mark = Self.mark(in: rest) {
        color = mark.color
        rest = rest[mark.end...]
        continue
      }
      letters.append(BoardLetter(character: BoardColor.canonical(character), color: color))
      rest.removeFirst()
    }
    return letters
  }

  /// The markup at the beginning of a text that begins with a brace; nil: there is none.
  private static func mark(in text: Substring) -> (color: UInt32?, end: String.Index)? {
    // The longest markup is `{#rrggbb}`.
    guard let close = text.prefix(9).firstIndex(of: "}") else { return nil }
    let word = String(text[..<close].dropFirst())
    let end = text.index(after: close)
    if word == "/" { return (nil, end) }
    let number = Units.color(word)
    return (number ?? BoardColor(rawValue: word)?.rgb).map { ($0, end) }
  }
}

/// A letter of a board.
package struct BoardLetter: Hashable, Sendable {
  package var character: Character
  /// `0xRRGGBB`; nil: the theme's.
  package var color: UInt32?

  package init(character: Character, color: UInt32? = nil) {
    self.character = character
    self.color = color
  }
}

extension Sequence<BoardLetter> {
  /// The letters without their colours.
  package var plain: String { String(map(\.character)) }
}

/// A colour that a text can name.
package enum BoardColor: String, CaseIterable, Sendable {
  case red
  case orange
  case yellow
  case green
  case blue
  case violet
  case white
  case black

  package var rgb: UInt32 {
    switch self {
    case .red: 0xd62828
    case .orange: 0xf07d13
    case .yellow: 0xf7c325
    case .green: 0x2f9e44
    case .blue: 0x2467d6
    case .violet: 0x8a3ab9
    case .white: 0xf5f2ea
    case .black: 0x0c0c0d
    }
  }

  /// The letter for a flap that is covered with the colour.
  package var square: Character {
    switch self {
    case .red: "🟥"
    case .orange: "🟧"
    case .yellow: "🟨"
    case .green: "🟩"
    case .blue: "🟦"
    case .violet: "🟪"
    case .white: "⬜"
    case .black: "⬛"
    }
  }

  package init?(square: Character) {
    // Most letters are none of the squares, the first of which is U+2B1B.
    guard let first = square.unicodeScalars.first, first.value >= 0x2b1b,
      let color = Self.allCases.first(where: { $0.square.unicodeScalars.first == first }),
      square.unicodeScalars.dropFirst().allSatisfy(\.properties.isVariationSelector)
    else { return nil }
    self = color
  }

  /// A square without the variation selector that some keyboards add; any other letter unchanged.
  package static func canonical(_ letter: Character) -> Character {
    BoardColor(square: letter)?.square ?? letter
  }
}

/// What a board does with a text that has become stale.
package enum StaleText: String, CaseIterable, Hashable, Sendable {
  /// It is shown with little contrast.
  case dim
  case blank
  /// It is shown as before.
  case keep
}
