// SPDX-License-Identifier: Apache-2.0

import TOMLConfig

/// `[burn-in]`: what keeps a picture that hardly changes from leaving marks on the display.
package struct BurnInSettings: Hashable, Sendable {
  /// How far the picture drifts from its place, in pixels; zero: it does not move.
  package var radius = 0
  /// When the refresh page is shown, in minutes since midnight; nil: never.
  package var refresh: Int?
  /// How long the refresh page is shown, in seconds.
  package var refreshDuration = 60.0

  package static let maximumRadius = 64

  package init() {}
}

extension Section where Target == BurnInSettings {
  static var burnIn: Section {
    Section(
      title: "burn-in",
      text: """
        What keeps a picture that hardly changes from leaving marks on the display, for OLED and plasma displays. It is
        off by default.
        """,
      keys: [
        Key(
          "radius", \.radius, .integer(in: 0...BurnInSettings.maximumRadius),
          """
          How far the picture drifts from its place, in pixels, but at most 1.5 % of the display's shorter side, so that
          the cards stay on the display. It moves by one pixel at the full minute; not while a clock of the match runs.
          The background does not move. `0`: the picture does not move.
          """),
        Key(
          "refresh", \.refresh, .timeOfDay,
          """
          When, in local time, the whole display is slowly wiped with white, black, red, green and blue, which uses
          every pixel equally. A message, another page or a running clock of the match ends it, and it does not begin
          while such a clock runs. With `motion = "none"` the colours change without wipes. Without this key, there are no
          wipes.
          """, example: "\"03:30\""),
        Key(
          "refresh-duration", \.refreshDuration, .duration(minimum: 10, maximum: 3_600),
          "How long all wipes of `refresh` take together, at least `\"10s\"`."),
      ])
  }
}
