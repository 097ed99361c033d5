// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Languages
import Layers
import Raster
import Settings

extension DateSettings: WidgetSource {
  func makeWidget(weight: Double, context: WidgetContext) -> any Widget {
    LineWidget(self, weight: weight, zone: context.zones(zone), context: context)
  }

  func text(of model: StageModel, in language: Language, zones: (String) -> TimeZone) -> String {
    let pattern =
      switch format {
      case .auto: DatePattern.date(of: language)
      case .pattern(let pattern): pattern
      }
    let date = pattern.string(zones(zone).civil(model.instant), in: language)
    return uppercase ? language.uppercased(date) : date
  }
}

extension TextSettings: WidgetSource {
  func makeWidget(weight: Double, context: WidgetContext) -> any Widget {
    LineWidget(self, weight: weight, color: color.map { Color(rgb: $0) }, context: context)
  }

  func text(of model: StageModel, in language: Language, zones: (String) -> TimeZone) -> String { text }

  /// What is shown of a pushed text: its lines beside each other.
  fileprivate func line(_ pushed: BoardText) -> String {
    stale.words(of: pushed).split { $0 == "\n" || $0 == "\t" }.joined(separator: " ")
  }
}

/// A line of letter-spaced text: a date, or fixed text.
final class LineWidget: Widget {
  let sizing: PageLayout.Sizing
  private let source: any WidgetSource
  private let color: Color
  private let zone: TimeZone?
  private let context: WidgetContext
  private let label = Label()
  private var rect = Rect.zero

  var layer: Layer { label.layer }

  /// The height of a line at weight 1, as a fraction of the page's shorter side.
  private static let height = 0.062

  /// - Parameters:
  ///   - source: its text is shown.
  ///   - color: nil: the theme's label colour.
  ///   - zone: the text changes when a day begins there; nil: it never changes.
  init(
    _ source: any WidgetSource, weight: Double, color: Color? = nil, zone: TimeZone? = nil,
    context: WidgetContext
  ) {
    self.source = source
    self.color = color ?? context.theme.label
    self.zone = zone
    self.context = context
    sizing = .line(Self.height * weight)
  }

  func fittingSize(in box: Size) -> Size { box }

  func layOut(in rect: Rect, model: StageModel) {
    self.rect = rect
    show(words(model))
    dim(model)
  }

  func update(_ model: StageModel, at time: Double, animated: Bool) {
    let words = words(model)
    if words != label.text { show(words) }
    dim(model)
  }

  private func words(_ model: StageModel) -> String {
    if let (settings, pushed) = pushed(model) { return settings.line(pushed) }
    return source.text(of: model, in: context.language, zones: context.zones)
  }

  private func dim(_ model: StageModel) {
    layer.opacity = pushed(model).map { $0.stale.opacity(of: $1) } ?? 1
  }

  /// The settings of a text, and what was pushed in its place; nil: nothing was, or this is not a text.
  private func pushed(_ model: StageModel) -> (TextSettings, BoardText)? {
    guard let settings = source as? TextSettings, let text = model.boards[context.name] else { return nil }
    return (settings, text)
  }

  private func show(_ words: String) {
    var style = context.theme.labelStyle(for: words, cap: max(rect.height / Label.lineHeight, 7))
    style.color = color
    label.show(words, style: style, in: rect)
  }

  func nextChange(after instant: Instant) -> Instant? {
    zone?.nextBoundary(after: instant, unit: .day)
  }
}
