// SPDX-License-Identifier: Apache-2.0

import TOMLConfig

/// A line of text.
package struct TextSettings: Hashable, Sendable {
  package var text = ""
  /// Nil: the theme's label colour.
  package var color: UInt32?
  package var stale = StaleText.dim

  package init() {}
}

extension TextSettings: WidgetContent {
  package static let typeName = "text"
  package static let text = "A line of text."

  package var ownText: String? { text }

  package static var keys: [Key<TextSettings>] {
    [
      Key("text", \.text, .text(maximum: 500), "The text.", example: "\"Black Forest Table Tennis\""),
      Key(
        "color", \.color, .color, "The text's colour. Without it, `label` of `[theme]`.",
        example: "\"#8e8b84\""),
      .stale(\.stale),
    ]
  }
}
