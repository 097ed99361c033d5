// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// The date in one line.
package struct DateSettings: Hashable, Sendable {
  /// `EEEE d MMMM`: a weekday, a day and a month.
  package var format = DatePattern([
    .field(.weekday), .text(" "), .field(.day), .text(" "), .field(.month),
  ])
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
        A pattern: `EEEE` is the weekday and `EEE` its short form; `d` or `dd` the day; `MMMM` the month, `MMM` its
        short form, `M` or `MM` its number; `yyyy` the year. Other letters go between apostrophes:
        `"d MMMM 'in' yyyy"`.
        """),
      Key("uppercase", \.uppercase, .boolean, "Whether the date is in capitals."),
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
