// SPDX-License-Identifier: Apache-2.0

/// What a card shows.
package struct CardSymbol: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The letters; empty: none. For `fullBlock`, the colour covers the whole card.
  package var text: String
  /// `0xRRGGBB`; nil: the theme's colour of symbols.
  package var color: UInt32?

  /// The text of a card that is covered with its colour.
  package static let fullBlock = "█"

  package init(_ text: String, color: UInt32? = nil) {
    self.text = text
    self.color = color
  }

  package init(stringLiteral text: String) { self.init(text) }

  /// What is on the flap as a text: a space if it is blank, a square if a colour covers it.
  package var letter: String {
    let square = text == Self.fullBlock ? BoardColor.allCases.first { $0.rgb == color }?.square : nil
    return square.map { String($0) } ?? (text.isEmpty ? " " : text)
  }

  /// The flap for a letter: blank for white space, covered with a colour for a square.
  package init(_ letter: Character, color: UInt32? = nil) {
    if letter.isWhitespace {
      self.init("")
    } else if let square = BoardColor(square: letter) {
      self.init(Self.fullBlock, color: square.rgb)
    } else {
      self.init(String(letter), color: color)
    }
  }

  package var isFilled: Bool { text == Self.fullBlock }
}
