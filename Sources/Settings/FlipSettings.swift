// SPDX-License-Identifier: Apache-2.0

import TOMLConfig

/// `[flip]`
package struct FlipSettings: Hashable, Sendable {
  /// The duration of a whole flip in seconds. Zero turns the motion off.
  package var duration = 0.5
  /// The delay between the starts of two cards, in seconds. A card that changes starts this long after the
  /// next card to its right that changes; with `Order.cascade`, this long after the card to its left.
  package var stagger = 0.06
  /// The distance of the eye from the card, in card heights: it determines the perspective.
  package var perspective = 2.7

  package init() {}
}

extension Section where Target == FlipSettings {
  static var flip: Section {
    Section(
      title: "flip",
      text:
        "How cards change, for all widgets. The `duration` and `perspective` of a widget have precedence.",
      keys: [
        Key(
          "duration", \.duration, .duration(maximum: 10),
          "The time from one symbol to the next. `\"0s\"` changes the cards without a flip."),
        Key(
          "stagger", \.stagger, .duration(maximum: 2),
          "How much later a card starts than its neighbour on the right."),
        Key(
          "perspective", \.perspective, .number(1...20),
          "The distance of the eye in heights of a card: `1` is a strong perspective, `20` is nearly flat."),
      ])
  }
}
