// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// The date in one line.
public struct DateSettings: Hashable, Sendable {
  /// `EEEE d MMMM`: a weekday, a day and a month.
  public var format = DatePattern([
    .field(.weekday), .text(" "), .field(.day), .text(" "), .field(.month),
  ])
  public var uppercase = true
  /// `local` or an IANA name.
  public var zone = "local"

  public init() {}
}

extension DateSettings: WidgetContent {
  public static let typeName = "date"
  public static let text = "The date in one line."

  public static var keys: [Key<DateSettings>] {
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
public struct TextSettings: Hashable, Sendable {
  public var text = ""
  /// Nil: the theme's label colour.
  public var color: UInt32?

  public init() {}
}

extension TextSettings: WidgetContent {
  public static let typeName = "text"
  public static let text = "A line of text."

  public static var keys: [Key<TextSettings>] {
    [
      Key("text", \.text, .text(maximum: 500), "The text.", example: "\"Black Forest Table Tennis\""),
      Key(
        "color", \.color, .color, "The text's colour. Without it, `label` of `[theme]`.",
        example: "\"#8e8b84\""),
    ]
  }
}
