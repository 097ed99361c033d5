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

  /// The flap for a letter; for a space, a blank.
  package init(_ letter: Character) { self.init(letter == " " ? "" : String(letter)) }

  package var isFilled: Bool { text == Self.fullBlock }
}
