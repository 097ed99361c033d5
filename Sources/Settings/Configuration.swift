// SPDX-License-Identifier: Apache-2.0

/// Everything that the config says, with defaults for everything else. Colours are `0xRRGGBB`, durations are seconds,
/// and fractions are 0 … 1.
package struct Configuration: Equatable, Sendable {
  package var display = DisplaySettings()
  /// The displays with settings of their own, in the order of the files.
  package var outputs: [OutputSettings] = []
  package var theme = ThemeSettings()
  package var flip = FlipSettings()
  package var motion = Motion.full
  package var teams: [TeamSettings] = [
    TeamSettings(id: "home", name: "HOME", color: 0xe5484d),
    TeamSettings(id: "guest", name: "GUEST", color: 0x3e93ff),
  ]
  package var game = GameSettings()
  /// The widgets in the order of the files.
  package var widgets: [WidgetSettings] = []
  /// The layout of the widgets if there are no `pages`.
  package var layout = LayoutSettings()
  /// The pages in the order of the files; empty: there is one page, that of `layout`.
  package var pages: [PageSettings] = []
  package var rotation = RotationSettings()
  package var pageTransition = PageTransitionSettings()
  package var input = InputSettings()

  package init() {}
}

extension Key where Target == Configuration {
  /// The only key outside of all tables.
  static var motion: Key {
    Key(
      "motion", \.motion, .choice(),
      """
      `"full"`, or `"none"`, which turns every motion off: cards and pages change at once, without a transition. The key
      has to be written above all tables.
      """)
  }
}

// MARK: Built-in widgets

extension Configuration {
  /// What is shown without a config file: the time, the date below it and a score.
  package static var builtIn: Configuration {
    var configuration = Configuration()
    configuration.widgets = builtInWidgets
    configuration.layout.rows = builtInWidgets.map { [$0.name] }
    return configuration
  }

  /// A table `[widgets.NAME]` with one of these names needs no `type`: it changes the built-in widget.
  static var builtInWidgets: [WidgetSettings] {
    [
      WidgetSettings(name: "time", weight: 3, content: FlipClockSettings()),
      WidgetSettings(name: "date", weight: 1, content: DateSettings()),
      WidgetSettings(name: "score", weight: 2, content: ScoreSettings()),
    ]
  }

  /// The built-in widgets for a config that has a `[game]` but no layout, pages or widgets: a scoreboard, and below
  /// it the time of day in small cards. The date is shown only if the config names it.
  package static var gameWidgets: [WidgetSettings] {
    var score = ScoreSettings()
    score.style = .scoreboard
    var time = FlipClockSettings()
    time.maxHeight = 8
    return [
      WidgetSettings(name: "score", weight: 12, content: score),
      WidgetSettings(name: "date", weight: 1, content: DateSettings()),
      WidgetSettings(name: "time", weight: 1, content: time),
    ]
  }

  /// The colours of teams that are declared without one, used in turn.
  static let teamColors: [UInt32] = [0xe5484d, 0x3e93ff, 0xf5a524, 0x46a758, 0xab4aba, 0x12a594]
}
