// SPDX-License-Identifier: Apache-2.0

import TOMLConfig

/// A theme: the fonts, the colours and the shape of the cards. The defaults are those of the theme `dark`.
package struct ThemeSettings: Hashable, Sendable {
  /// A font's family or the path of its file; `labelFont` likewise.
  package var symbolFont = "Bebas Neue"
  package var labelFont = "Inter"
  package var groundTop: UInt32 = 0x161617
  package var groundBottom: UInt32 = 0x0b0b0c
  package var cardUpperTop: UInt32 = 0x343437
  package var cardUpperBottom: UInt32 = 0x29292b
  package var cardLowerTop: UInt32 = 0x202022
  package var cardLowerBottom: UInt32 = 0x2b2b2e
  /// The line between the halves of a card.
  package var gap: UInt32 = 0x070708
  package var symbol: UInt32 = 0xf1eee6
  package var label: UInt32 = 0x8e8b84
  /// The serve mark.
  package var mark: UInt32 = 0xffb000
  /// The figures of a timer near its end; nil: red, as light or as dark as the cards require.
  package var warning: UInt32?
  /// The cards of a timer that has ended.
  package var alarm: UInt32 = 0xe5484d
  package var alarmSymbol: UInt32 = 0xffffff
  package var shadow: UInt32 = 0x000000
  /// How dark shadows are; 1: as in the theme `dark`. Likewise `shading` and `edgeLight`.
  package var shadowStrength = 1.0
  /// How much light and shadow there is on a card that changes.
  package var shading = 1.0
  /// How bright the lit edges of the cards are.
  package var edgeLight = 1.0
  /// The radius of a card's corners, as a fraction of its width, 0 … 0.25.
  package var cornerRadius = 0.075
  /// Whether there is a pin at each end of the hinge.
  package var hasPins = true

  package init() {}

  /// The colours of the four ends of the cards' gradients.
  package var cards: [UInt32] { [cardUpperTop, cardUpperBottom, cardLowerTop, cardLowerBottom] }
}

extension Section where Target == ThemeSettings {
  /// The keys that all tables of themes have.
  static var themeKeys: [Key<ThemeSettings>] {
    [
      Key(
        "symbol-font", \.symbolFont, .font,
        """
        The font of the cards: a family that fontconfig knows (`fc-list : family`) or the path of a font file.
        """),
      Key("label-font", \.labelFont, .font, "The font of the small text, in the same form."),
      Key(
        "ground-top", \.groundTop, .color,
        "The background at its top; it changes gradually to `ground-bottom`."),
      Key("ground-bottom", \.groundBottom, .color, "The background at its bottom."),
      Key("card-upper-top", \.cardUpperTop, .color, "The upper half of a card at its top."),
      Key("card-upper-bottom", \.cardUpperBottom, .color, "The upper half of a card at the hinge."),
      Key("card-lower-top", \.cardLowerTop, .color, "The lower half of a card at the hinge."),
      Key("card-lower-bottom", \.cardLowerBottom, .color, "The lower half of a card at its bottom."),
      Key("gap", \.gap, .color, "The line between the halves of a card."),
      Key("symbol", \.symbol, .color, "The symbols on the cards, and the names of teams."),
      Key("label", \.label, .color, "The small text."),
      Key("mark", \.mark, .color, "The mark of the serving team."),
      Key(
        "warning", \.warning, .color,
        "The figures of a timer near its end. Without it, a light or a dark red, whichever is easier to read.",
        example: "\"#ff7657\""),
      Key("alarm", \.alarm, .color, "The cards of a timer that has ended."),
      Key("alarm-symbol", \.alarmSymbol, .color, "The figures on these cards."),
      Key("shadow", \.shadow, .color, "The shadows of cards, flaps and messages."),
      Key(
        "shadow-strength", \.shadowStrength, .number(0...2),
        "How dark the shadows are: `0` for none, `1` as in the theme `\"dark\"`."),
      Key(
        "shading", \.shading, .number(0...2),
        """
        How much cards darken while they change: `0` not at all, `1` as in the theme `"dark"`. The `shading` of a widget
        applies in addition.
        """),
      Key(
        "edge-light", \.edgeLight, .number(0...2),
        "How bright the lit edges of the cards are: `0` for none, `1` as in the theme `\"dark\"`."),
      Key(
        "corner-radius", \.cornerRadius, .number(0...0.25),
        "The radius of a card's corners, as a fraction of its width: `0` for square corners."),
      Key("pins", \.hasPins, .boolean, "Whether there is a pin at each end of a card's hinge."),
    ]
  }
}
