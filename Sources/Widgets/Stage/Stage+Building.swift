// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Raster
import Scoreboard
import Settings

/// Builds the parts of a stage.
extension Stage {
  static func build(
    _ settings: PageSettings, _ configuration: Configuration, context: WidgetContext,
    zones: (String) -> TimeZone, model: StageModel
  ) -> Page {
    Page(
      plan(settings, configuration, context: context, zones: zones, rules: model.scoreboard.rules),
      model: model)
  }

  static func plan(
    _ settings: PageSettings, _ configuration: Configuration, context: WidgetContext,
    zones: (String) -> TimeZone, rules: GameRules
  ) -> PagePlan {
    PagePlan(settings, size: context.page) { name in
      configuration.widgets.first { $0.name == name }.map {
        widget($0, zones: zones, rules: rules, context: context)
      }
    }
  }

  static func widget(
    _ settings: WidgetSettings, zones: (String) -> TimeZone, rules: GameRules, context: WidgetContext
  ) -> any Widget {
    switch settings.kind {
    case .flipClock(let clock):
      FlipClockWidget(clock, weight: settings.weight, zone: zones(clock.zone), context: context)
    case .score(let score):
      ScoreWidget(score, weight: settings.weight, rules: rules, context: context)
    case .date(let date):
      LineWidget(.date(date, zones(date.zone)), weight: settings.weight, context: context)
    case .text(let text):
      LineWidget(.text(text), weight: settings.weight, context: context)
    case .board(let board):
      BoardWidget(board, weight: settings.weight, context: context)
    case .analogClock(let clock):
      AnalogClockWidget(clock, weight: settings.weight, zone: zones(clock.zone), context: context)
    case .timer(let timer):
      TimerWidget(timer, weight: settings.weight, zone: zones(timer.zone), context: context)
    case .worldClock(let clock):
      WorldClockWidget(clock, weight: settings.weight, zones: zones, context: context)
    }
  }

  /// A narrow, dithered tile of the ground's gradient. Without the dither, eleven levels over a thousand rows
  /// would be visible as bands.
  static func ground(_ theme: Theme, height: Int) -> Bitmap {
    let bitmap = Bitmap(width: 8 * Dither.period, height: height, format: .xrgb8888)
    for y in 0..<height {
      let fraction = (Double(y) + 0.5) / Double(max(height, 1))
      let paint = Paint(theme.groundTop).mixed(with: Paint(theme.groundBottom), fraction)
      let row = bitmap.buffer.row32(y)
      for x in 0..<Dither.period { row[x] = paint.pixel(coverage: 1, threshold: Dither.threshold(x, y)) }
      for x in Dither.period..<bitmap.width { row[x] = row[x - Dither.period] }
    }
    return bitmap
  }
}
