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

  func text(of model: StageModel, in language: Language, zones: (String) -> TimeZone) -> String {
    BoardText(text).letters.plain
  }

  /// What is shown of a text: its lines beside each other, and squares in their colours.
  fileprivate func line(_ text: BoardText) -> [BoardLetter] {
    if stale.hides(text) { return [] }
    let words = text.letters.split { $0.character == "\n" || $0.character == "\t" }
    return words.joined(separator: [BoardLetter(character: " ")]).map { letter in
      guard let square = BoardColor(square: letter.character) else { return letter }
      return BoardLetter(character: "■", color: square.rgb)
    }
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
  private var shown: [BoardLetter] = []
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
    show(letters(model))
    dim(model)
  }

  func update(_ model: StageModel, at time: Double, animated: Bool) {
    let letters = letters(model)
    if letters != shown { show(letters) }
    dim(model)
  }

  private func letters(_ model: StageModel) -> [BoardLetter] {
    if let (settings, text) = content(model) { return settings.line(text) }
    return source.text(of: model, in: context.language, zones: context.zones).map {
      BoardLetter(character: $0)
    }
  }

  private func dim(_ model: StageModel) {
    layer.opacity = content(model).map { $0.stale.opacity(of: $1) } ?? 1
  }

  /// The settings of a text, and its text: what was pushed, else that of the config; nil: this is not a text.
  private func content(_ model: StageModel) -> (TextSettings, BoardText)? {
    guard let settings = source as? TextSettings else { return nil }
    return (settings, model.boards[context.name] ?? BoardText(settings.text))
  }

  private func show(_ letters: [BoardLetter]) {
    shown = letters
    var style = context.theme.labelStyle(
      for: letters.plain, cap: max(rect.height / Label.lineHeight, 7))
    style.color = color
    let colors = letters.map { letter in letter.color.map { context.theme.onGround(Color(rgb: $0)) } }
    label.show(letters.plain, style: style, colors: colors, in: rect)
  }

  func nextChange(after instant: Instant) -> Instant? {
    zone?.nextBoundary(after: instant, unit: .day)
  }
}
