// SPDX-License-Identifier: Apache-2.0

import Languages
import TOMLConfig

/// The time of day on split-flap cards.
package struct FlipClockSettings: Hashable, Sendable {
  package enum Hours: String, CaseIterable, Hashable, Sendable {
    case twelve = "12"
    case twentyFour = "24"
    /// As usual in the language's region.
    case auto
  }
  package enum Colon: String, CaseIterable, Hashable, Sendable {
    case steady
    case blinking
    case none
  }
  package enum Cards: String, CaseIterable, Hashable, Sendable {
    /// One card for each digit.
    case digit
    /// One card for two digits.
    case pair
  }

  package var hours = Hours.auto
  package var seconds = false
  /// If false, the hour has no leading zero: its first card is empty, or the card of a pair shows one digit.
  package var leadingZero = true
  package var colon = Colon.steady
  package var cards = Cards.digit
  /// Whether AM and PM are shown; in 12-hour mode only.
  package var amPM = true
  /// The maximum height of the cards, in percent of the display's shorter side; nil: no maximum.
  package var maxHeight: Int?
  /// `local` or an IANA name.
  package var zone = "local"
  package var motion = CardMotionSettings()

  package init() {}
}

extension FlipClockSettings: CardWidgetContent {
  package static let typeName = "flip-clock"
  package static let text = "The time of day on split-flap cards."

  package static var keys: [Key<FlipClockSettings>] {
    [
      Key("hours", \.hours, .choice(asNumbers: true), .hoursText),
      Key("seconds", \.seconds, .boolean, "Whether seconds are shown."),
      Key("leading-zero", \.leadingZero, .boolean, "`false` leaves the first card of 9:05 empty."),
      Key("colon", \.colon, .choice(), "The colon: `\"steady\"`, `\"blinking\"` or `\"none\"`."),
      Key(
        "cards", \.cards, .choice(),
        "`\"digit\"` has a card for each digit, `\"pair\"` has one card for two digits."),
      Key("am-pm", \.amPM, .boolean, "Whether AM and PM are shown beside the cards, with 12 hours only."),
      Key(
        "max-height", \.maxHeight, .percent(from: 1),
        "The maximum height of the cards, in percent of the display's shorter side. Without it there is none.",
        example: "\"8%\""),
      Key("zone", \.zone, .zone, .zoneText),
    ]
  }
}

extension FlipClockSettings.Hours {
  package func isTwelve(in language: Language) -> Bool {
    switch self {
    case .auto: language.hours == .twelve
    case .twelve: true
    case .twentyFour: false
    }
  }
}

extension String {
  /// What the manual says about `hours`.
  static let hoursText = """
    The clock has `12` or `24` hours. `"auto"`: those that are usual in the region of the language, 24 for plain English.
    """

  /// What the manual says about `zone`.
  static let zoneText = """
    The time zone. `"local"` is the `zone` in `[locale]`; otherwise write a name such as `"Europe/London"`.
    """
}
