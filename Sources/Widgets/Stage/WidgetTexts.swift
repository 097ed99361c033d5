// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Settings

/// The texts of widgets, which `status` reports. They follow from the configuration and the model alone, so they
/// need no stage.
extension Configuration {
  /// The text of each widget, in the order of the config, whether or not the widget is shown.
  ///
  /// - Parameter zones: finds a time zone by its name in the config; must return some zone for unknown names.
  public func texts(
    of model: StageModel, zones: (String) -> TimeZone
  ) -> [(name: String, type: String, text: String)] {
    widgets.map { ($0.name, $0.typeName, $0.text(of: model, zones: zones)) }
  }
}

extension WidgetSettings {
  func text(of model: StageModel, zones: (String) -> TimeZone) -> String {
    switch kind {
    case .flipClock(let clock): ClockText(zones(clock.zone).civil(model.instant), clock).text
    case .score(let score): ScoreWidget.text(score, model)
    case .date(let date): LineWidget.words(.date(date, zones(date.zone)), model)
    case .text(let text): LineWidget.words(.text(text), model)
    case .board(let board): board.text
    case .analogClock(let clock): AnalogClockWidget.text(zones(clock.zone).civil(model.instant))
    case .timer(let timer): TimerSource(timer, zone: zones(timer.zone)).appearance(model).text?.text ?? ""
    case .worldClock(let clock): WorldClockWidget.text(clock, model, zones: zones)
    }
  }
}
