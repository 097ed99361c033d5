// SPDX-License-Identifier: Apache-2.0

import CivilTime
import TOMLConfig

/// A clock of the match, or the time until a moment, on cards.
package struct TimerSettings: Hashable, Sendable {
  package enum Source: String, CaseIterable, Hashable, Sendable {
    case gameClock = "game-clock"
    case shotClock = "shot-clock"
    /// The clock of a time-out, an interval or another break.
    case breakClock = "break-clock"
    /// A countdown to `until`.
    case countdown
  }

  package var source = Source.gameClock
  /// When a countdown ends.
  package var until: CivilMoment?
  /// The zone of `until`, if that has no offset of its own: `local` or an IANA name.
  package var zone = "local"
  /// Whether tenths of a second are shown when a game clock that counts down has less than a minute left, or
  /// the shot clock less than five seconds.
  package var tenths = true
  /// Whether the game clock shows 1:05:00 instead of 65:00 after an hour.
  package var showHours = false
  package var motion = CardMotionSettings()

  package init() {}
}

extension TimerSettings: CardWidgetContent {
  package static let typeName = "timer"
  package static let text = """
    A clock of the match on cards, or the time until a moment. When the clock warns, the figures have the colour
    `warning` of the theme; a countdown warns in its last ten seconds. At the end the cards have the colour `alarm`.

    A stopwatch is the game clock of a game whose clock counts up: `clock = "up"` in `[game]`, with
    `show-hours = true` here. It is controlled as any game clock, by `flipclockctl timer start`, `pause` and `reset` or
    by keys of `[input]`.
    """

  /// Reports a countdown without `until`, and `until` in any other timer.
  package func complete(_ table: WidgetTable, _ report: inout Report) {
    let end = table["until"]
    if source != .countdown, until != nil, let end {
      report.error(
        end.keyLocation, "\(table.title) has an 'until' but is not a countdown",
        hint: "write source = \"countdown\"")
    } else if source == .countdown, end == nil, let source = table["source"] {
      report.error(
        source.value.location, "the countdown \(table.title) has no 'until'",
        hint: "write until = \"2026-12-31T23:59:59\"")
    }
  }

  package static var keys: [Key<TimerSettings>] {
    [
      Key(
        "source", \.source, .choice(),
        """
        `"game-clock"`: minutes and seconds. `"shot-clock"`: seconds. `"break-clock"`: minutes and seconds of a time-out or
        an interval below its name, empty cards at other times. `"countdown"`: days, hours, minutes and seconds until the
        moment `until`.
        """),
      Key(
        "until", \.until, .moment,
        """
        When a countdown ends: `"2026-12-31T23:59:59"`. The seconds or all of the time may be left out. With an offset,
        such as `+01:00` or `Z`, it is the same moment everywhere; without one it is a time of `zone`.
        """, example: "\"2026-12-31T23:59:59\""),
      Key(
        "zone", \.zone, .zone, "The time zone of `until`, `\"local\"` or a name such as `\"Europe/London\"`."),
      Key(
        "tenths", \.tenths, .boolean,
        """
        Whether tenths of a second are shown in the last minute of the game clock and in the last five seconds of the
        shot clock, if they count down.
        """),
      Key(
        "show-hours", \.showHours, .boolean,
        "Whether the game clock shows 1:05:00 instead of 65:00 after an hour."),
    ]
  }
}

extension ValueKind where Value == CivilMoment {
  static var moment: ValueKind {
    ValueKind(
      shape: .form(
        pattern:
          "^[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ][0-9]{2}:[0-9]{2}(:[0-9]{2})?([Zz]|[+-][0-9]{2}:[0-9]{2})?)?$",
        maximum: nil),
      read: { node, place, report in
        switch node.value {
        case .string(let text), .date(let text), .dateTime(let text):
          if let moment = CivilMoment(text) { return moment }
        default: break
        }
        report.mismatch(
          node, place, "a date and time",
          hint: "write \"2026-12-31T23:59:59\", or with an offset \"2026-12-31T23:59:59+01:00\"")
        return nil
      })
  }
}
