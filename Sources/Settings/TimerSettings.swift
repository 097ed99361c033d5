// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Scoreboard
import TOMLConfig

/// A clock of the match, or the time until a moment, on cards.
package struct TimerSettings: Hashable, Sendable {
  package enum Source: String, CaseIterable, Hashable, Sendable {
    case gameClock = "game-clock"
    case shotClock = "shot-clock"
    /// The clock of a time-out, an interval or another break.
    case breakClock = "break-clock"
    /// The countdown with the name `countdown`, or one to `until`.
    case countdown
  }

  package var source = Source.gameClock
  /// When a countdown ends.
  package var until: CivilMoment?
  /// The name of the countdown that clients set; until they do, `until` is shown.
  package var countdown: String?
  /// How long before its end a countdown warns, in seconds.
  package var warning = 10.0
  /// Whether a countdown shows seconds.
  package var seconds = true
  /// Whether a countdown counts on after its end.
  package var overtime = false
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
    A clock of the match on cards, a countdown, or the time until a moment. When the clock warns, the figures have the
    colour `warning` of the theme. At the end the cards have the colour `alarm`.

    A countdown with a name is set and controlled by `flipclockctl countdown`. Several timers may show the same one. Its
    label is above its clock.

    A stopwatch is the game clock of a game whose clock counts up: `clock = "up"` in `[game]`, with
    `show-hours = true` here. It is controlled as any game clock, by `flipclockctl timer start`, `pause` and `reset` or
    by keys of `[input]`.
    """

  /// Reports a countdown without a name or `until`, and keys of countdowns in any other timer.
  package func complete(_ table: WidgetTable, _ report: inout Report) {
    if source == .countdown {
      if table["until"] == nil, table["countdown"] == nil, let source = table["source"] {
        report.error(
          source.value.location, "the countdown \(table.title) has neither 'countdown' nor 'until'",
          hint: "write countdown = \"doors\", a name for 'flipclockctl countdown', or "
            + "until = \"2026-12-31T23:59:59\"")
      }
      return
    }
    for key in ["until", "countdown", "warning", "seconds", "overtime"] {
      guard let entry = table[key] else { continue }
      report.error(
        entry.keyLocation,
        "\(table.title) has \(["until", "overtime"].contains(key) ? "an" : "a") '\(key)' but is not a countdown",
        hint: "write source = \"countdown\"")
    }
  }

  package static var keys: [Key<TimerSettings>] {
    [
      Key(
        "source", \.source, .choice(),
        """
        `"game-clock"`: minutes and seconds. `"shot-clock"`: seconds. `"break-clock"`: minutes and seconds of a time-out or
        an interval below its name, empty cards at other times. `"countdown"`: the countdown with the name `countdown`, or
        days, hours, minutes and seconds until the moment `until`.
        """),
      Key(
        "countdown", \.countdown, .countdownName,
        """
        The name of the countdown to show, for `flipclockctl countdown`. While it is not set, the time until `until` is
        shown, or empty cards.
        """, example: "\"doors\""),
      Key(
        "warning", \.warning, .duration(maximum: 86_400), "How long before its end a countdown warns."),
      Key(
        "seconds", \.seconds, .boolean,
        """
        Whether a countdown shows seconds. Without them it shows hours and minutes, rounded up, and the picture changes
        once a minute.
        """),
      Key(
        "overtime", \.overtime, .boolean,
        """
        Whether a countdown counts on after its end: the cards keep the colour `alarm`, and `+0:05` is five seconds after
        the end. Otherwise it stays at zero.
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

extension ValueKind where Value == String {
  /// The name of a countdown.
  fileprivate static var countdownName: ValueKind {
    ValueKind(
      shape: .form(pattern: NameForm.name.pattern, maximum: nil), "the name of a countdown",
      hint: "write \"doors\"; \(NameForm.name.hint(""))", write: { Units.string($0) }
    ) {
      guard case .string(let name) = $0, Countdown.isName(name) else { return nil }
      return name
    }
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
