// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Layers
import Raster
import Settings

/// A line of letter-spaced text: a date, or fixed text.
final class LineWidget: Widget {
  enum Content {
    case date(DateSettings, TimeZone)
    case text(TextSettings)
  }

  let sizing: PageLayout.Sizing
  private let content: Content
  private let context: WidgetContext
  private let label = Label()
  private var rect = Rect.zero

  var layer: Layer { label.layer }

  /// The height of a line at weight 1, as a fraction of the page's reference height.
  private static let height = 0.062

  init(_ content: Content, weight: Double, context: WidgetContext) {
    self.content = content
    self.context = context
    sizing = .line(Self.height * weight)
  }

  func fittingSize(in box: Size) -> Size { box }

  func layOut(in rect: Rect, model: StageModel) {
    self.rect = rect
    show(Self.words(content, model))
  }

  func update(_ model: StageModel, at time: Double, animated: Bool) {
    let words = Self.words(content, model)
    if words != label.text { show(words) }
  }

  static func words(_ content: Content, _ model: StageModel) -> String {
    switch content {
    case .text(let settings): return settings.text
    case .date(let settings, let zone):
      let date = settings.format.string(zone.civil(model.instant))
      return settings.uppercase ? date.uppercased() : date
    }
  }

  private func show(_ words: String) {
    var style = context.theme.labelStyle(for: words, cap: max(rect.height / Label.lineHeight, 7))
    if case .text(let settings) = content, let own = settings.color { style.color = Color(rgb: own) }
    label.show(words, style: style, in: rect)
  }

  func nextChange(after instant: Instant) -> Instant? {
    if case .date(_, let zone) = content { return zone.nextBoundary(after: instant, unit: .day) }
    return nil
  }
}
