// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// The date in one line.
package struct DateSettings: Hashable, Sendable {
  package enum Format: Hashable, Sendable {
    /// A weekday, a day and a month in the order of the language.
    case auto
    case pattern(DatePattern)
  }

  package var format = Format.auto
  package var uppercase = true
  /// `local` or an IANA name.
  package var zone = "local"

  package init() {}
}

extension DateSettings: WidgetContent {
  package static let typeName = "date"
  package static let text = "The date in one line."

  package static var keys: [Key<DateSettings>] {
    [
      Key(
        "format", \.format, .datePattern,
        """
        `"auto"` is the weekday, the day and the month in the order of the language. Otherwise a pattern: `EEEE` is the
        weekday and `EEE` its short form; `d` or `dd` the day; `MMMM` the month, `MMM` its short form, `M` or `MM` its
        number; `yyyy` or `y` the year. Other letters go between apostrophes: `"d MMMM 'in' yyyy"`. Without a day, the
        month is `LLLL` or `LLL` and the weekday `cccc` or `ccc`, because some languages then write them differently.
        """),
      Key(
        "uppercase", \.uppercase, .boolean, "Whether the date is in capitals, by the rules of the language."),
      Key("zone", \.zone, .zone, .zoneText),
    ]
  }
}

/// A line of text.
package struct TextSettings: Hashable, Sendable {
  package var text = ""
  /// Nil: the theme's label colour.
  package var color: UInt32?

  package init() {}
}

extension TextSettings: WidgetContent {
  package static let typeName = "text"
  package static let text = "A line of text."

  package static var keys: [Key<TextSettings>] {
    [
      Key("text", \.text, .text(maximum: 500), "The text.", example: "\"Black Forest Table Tennis\""),
      Key(
        "color", \.color, .color, "The text's colour. Without it, `label` of `[theme]`.",
        example: "\"#8e8b84\""),
    ]
  }
}
