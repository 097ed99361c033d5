// SPDX-License-Identifier: Apache-2.0

extension Configuration {
  /// What is shown when no file says anything: the time, the date below it and a score.
  public static var builtIn: Configuration {
    var configuration = Configuration()
    configuration.widgets = builtInWidgets
    configuration.layout.rows = builtInWidgets.map { [$0.name] }
    return configuration
  }

  /// A table `[widgets.NAME]` of one of these names needs no `type`: it changes the built-in widget.
  static var builtInWidgets: [WidgetSettings] {
    [
      WidgetSettings(name: "time", weight: 3, kind: .flipClock(FlipClockSettings())),
      WidgetSettings(name: "date", weight: 1, kind: .date(DateSettings())),
      WidgetSettings(name: "score", weight: 2, kind: .score(ScoreSettings())),
    ]
  }

  /// The same three where the config has a `[game]` and does not say itself what stands where: a scoreboard, with
  /// the time of day small below it. The date is on it only when the config names it.
  public static var gameWidgets: [WidgetSettings] {
    var score = ScoreSettings()
    score.style = .scoreboard
    var time = FlipClockSettings()
    time.maxHeight = 8
    return [
      WidgetSettings(name: "score", weight: 12, kind: .score(score)),
      WidgetSettings(name: "date", weight: 1, kind: .date(DateSettings())),
      WidgetSettings(name: "time", weight: 1, kind: .flipClock(time)),
    ]
  }

  /// The colours of teams that are declared without one, taken in turn.
  static let teamColors: [UInt32] = [0xe5484d, 0x3e93ff, 0xf5a524, 0x46a758, 0xab4aba, 0x12a594]
}
