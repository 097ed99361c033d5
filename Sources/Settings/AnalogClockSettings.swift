// SPDX-License-Identifier: Apache-2.0

import TOMLConfig

/// A clock with hands.
package struct AnalogClockSettings: Hashable, Sendable {
  package enum Marks: String, CaseIterable, Hashable, Sendable {
    case ticks
    case numerals
    case both
    case none
  }
  package enum SecondHand: String, CaseIterable, Hashable, Sendable {
    /// The hand moves once a second.
    case ticking
    /// The hand moves `sweepRate` times a second.
    case sweeping
    case none
  }
  package enum Tick: Hashable, Sendable {
    /// The hand moves a little beyond the mark and back.
    case spring
    case eased(EasingSettings)
    /// The hand jumps to the mark.
    case none
  }

  package var marks = Marks.both
  package var secondHand = SecondHand.ticking
  /// How a hand moves to its next mark.
  package var tick = Tick.spring
  /// How long a hand moves, in seconds, with an easing; the duration of a spring is fixed.
  package var tickDuration = 0.25
  /// How many times per second a sweeping hand moves.
  package var sweepRate = 20.0
  package var secondColor: UInt32 = 0xe5484d
  /// Whether a thin bar under the dial shows the seconds: it grows during each minute.
  package var secondsBar = false
  /// `local` or an IANA name.
  package var zone = "local"

  package init() {}
}

extension AnalogClockSettings: WidgetContent {
  package static let typeName = "analog-clock"
  package static let text = "A clock with hands."

  package static var keys: [Key<AnalogClockSettings>] {
    [
      Key(
        "marks", \.marks, .choice(),
        "What is on the dial: `\"ticks\"`, `\"numerals\"`, `\"both\"` or `\"none\"`."),
      Key(
        "second-hand", \.secondHand, .choice(),
        """
        The second hand moves from second to second (`"ticking"`) or evenly (`"sweeping"`), or there is `"none"`.
        """),
      Key(
        "tick", \.tick, .tick,
        """
        How a hand moves to its next mark. `"spring"`: a little beyond it and back. `"none"`: at once. Otherwise an
        easing, as for the cards: `"linear"`, `"ease"`, `"ease-in"`, `"ease-out"`, `"ease-in-out"`,
        `"cubic-bezier(0.4, 0, 0.2, 1)"` or `"steps(8)"`.
        """),
      Key(
        "tick-duration", \.tickDuration, .duration(maximum: 0.9),
        "How long a hand moves with an easing."),
      Key(
        "sweep-rate", \.sweepRate, .number(1...60),
        "How many times per second a sweeping hand moves. A higher rate is smoother and costs more."),
      Key("second-color", \.secondColor, .color, "The colour of the second hand and of the bar."),
      Key("seconds-bar", \.secondsBar, .boolean, "Whether a thin bar under the dial fills with the minute."),
      Key("zone", \.zone, .zone, .zoneText),
    ]
  }
}
