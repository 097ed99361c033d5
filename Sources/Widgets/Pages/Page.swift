// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Layers
import Raster
import Settings

/// A visible page: its widgets, laid out for the size of the display. Built whenever it is shown, and dropped
/// when another page has replaced it, so that hidden pages use no memory for pictures.
final class Page {
  let name: String
  /// The widgets' layers, without a background.
  let layer = Layer()
  private let widgets: [(name: String, widget: any Widget)]

  /// Lays out the page's widgets, showing `model` at rest.
  ///
  /// - Parameter place: the page's place on the display, of the plan's size.
  init(_ plan: PagePlan, in place: Rect, model: StageModel) {
    name = plan.name
    widgets = plan.places.map { ($0.name, $0.widget) }
    layer.frame = place
    for place in plan.places {
      if place.hasRoom {
        place.widget.layOut(in: place.rect, model: model)
        layer.addSublayer(place.widget.layer)
      } else {
        // A widget that does not fit is not shown. It is kept up to date for `nextChange`, because `status`
        // reports its text.
        place.widget.update(model, at: 0, animated: false)
      }
    }
  }

  func update(_ model: StageModel, at time: Double, animated: Bool) {
    for (_, widget) in widgets { widget.update(model, at: time, animated: animated) }
  }

  /// Whether showing `model` changes the places of what the page shows.
  func isRearranged(by model: StageModel) -> Bool {
    widgets.contains { $0.widget.isRearranged(by: model) }
  }

  /// The next time, strictly after `instant`, at which one of the page's widgets changes.
  func nextChange(after instant: Instant) -> Instant? {
    widgets.compactMap { $0.widget.nextChange(after: instant) }.min()
  }

  /// Whether the page shows the time of day, or what depends on it.
  func showsTime(of model: StageModel) -> Bool { widgets.contains { $0.widget.showsTime(of: model) } }

  /// Draws some of what the page's next changes will need. False: nothing is left to draw.
  func prepare(after model: StageModel) -> Bool { widgets.contains { $0.widget.prepare(after: model) } }

  /// Makes the page's widgets continue from what the widgets of the same name on `other` showed.
  func resume(from other: Page, at time: Double) {
    for (name, widget) in widgets {
      guard let before = other.widgets.first(where: { $0.name == name }) else { continue }
      widget.resume(from: before.widget, at: time)
    }
  }
}
