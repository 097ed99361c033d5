// SPDX-License-Identifier: Apache-2.0

import Languages
import Schedule
import Scoreboard
import TOMLConfig

/// The settings of the config, with defaults for those that it does not have. Colours are `0xRRGGBB`,
/// durations are seconds, and fractions are 0 … 1.
package struct Configuration: Equatable, Sendable {
  package var locale = LocaleSettings()
  /// The language of the display, resolved from `locale` and the environment.
  package var language = Language.english
  package var display = DisplaySettings()
  /// The displays with settings of their own, in the order of the files.
  package var outputs: [OutputSettings] = []
  /// The theme of `[theme]`.
  package var theme = ThemeSettings()
  /// The themes that can be selected by name.
  package var themes = ThemeSettings.builtIn
  package var burnIn = BurnInSettings()
  package var flip = FlipSettings()
  package var motion = Motion.full
  package var teams: [TeamSettings]
  package var game = GameSettings()
  /// The widgets: the built-in ones in their own order, or those of the files in the order of the files.
  package var widgets: [WidgetSettings] = []
  /// The layout of the widgets if there are no `pages`.
  package var layout = LayoutSettings()
  /// The pages in the order of the files; empty: there is one page, that of `layout`.
  package var pages: [PageSettings] = []
  package var rotation = RotationSettings()
  package var pageTransition = PageTransitionSettings()
  package var place = PlaceSettings()
  /// The entries of the schedule in the order of the files.
  package var schedule: [Schedule.Entry] = []
  package var input = InputSettings()
  package var remote = RemoteSettings()
  package var horn = HornSettings()
  package var walls = WallsSettings()

  /// The defaults, with the words of a language.
  package init(in language: Language = .english) {
    self.language = language
    teams = [
      TeamSettings(id: "home", name: language.words[.home], color: 0xe5484d),
      TeamSettings(id: "guest", name: language.words[.guest], color: 0x3e93ff),
    ]
    game.rules = GameRules(.free, words: language.words)
  }
}

extension Configuration {
  /// The paths of the logos of teams, by id.
  package var logos: [String: String] {
    Dictionary(
      teams.compactMap { team in team.logo.map { (team.id, $0) } }, uniquingKeysWith: { first, _ in first })
  }

  /// The theme with a name; that of `[theme]` for nil and for an unknown name.
  package func theme(named name: String?) -> ThemeSettings {
    themes.first { $0.name == name }?.settings ?? theme
  }
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
  package static var builtIn: Configuration { builtIn(in: .english) }

  package static func builtIn(in language: Language) -> Configuration {
    var configuration = Configuration(in: language)
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

  /// The built-in widgets for a config that has a `[game]`, but neither rows in `[layout]`, nor pages, nor a
  /// widget with a `type`: a scoreboard. The date and the time of day have widgets only if the config has
  /// tables for them.
  ///
  /// - Parameter showsTime: whether the scoreboard shows the time of day.
  package static func gameWidgets(_ declared: Set<String>, showsTime: Bool) -> [WidgetSettings] {
    var score = ScoreSettings()
    score.style = .scoreboard
    score.showTime = showsTime
    var time = FlipClockSettings()
    time.maxHeight = 8
    return [
      WidgetSettings(name: "score", weight: 12, content: score),
      WidgetSettings(name: "date", weight: 1, content: DateSettings()),
      WidgetSettings(name: "time", weight: 1, content: time),
    ].filter { $0.name == "score" || declared.contains($0.name) }
  }

  /// The colours of teams that are declared without one, used in turn.
  static let teamColors: [UInt32] = [0xe5484d, 0x3e93ff, 0xf5a524, 0x46a758, 0xab4aba, 0x12a594]
}
