// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Layers
import Raster
import Settings

/// A page while it is shown: its widgets, laid out for the display's size. Built when it is first
/// needed and dropped when another has taken its place, so that a page nobody sees holds no pictures.
final class Page {
  let name: String
  /// The widgets' layers, on no ground of their own.
  let layer = Layer()
  private let widgets: [(name: String, widget: any Widget)]

  /// Lays out the page's widgets, showing `model` at rest.
  init(_ plan: PagePlan, model: StageModel) {
    name = plan.name
    widgets = plan.places.map { ($0.name, $0.widget) }
    layer.frame = Rect(x: 0, y: 0, width: plan.size.width, height: plan.size.height)
    for place in plan.places {
      if place.hasRoom {
        place.widget.layOut(in: place.rect, model: model)
        layer.addSublayer(place.widget.layer)
      } else {
        // Without room it is not shown, but `status` tells its text all the same.
        place.widget.update(model, at: 0, animated: false)
      }
    }
  }

  func update(_ model: StageModel, at time: Double, animated: Bool) {
    for (_, widget) in widgets { widget.update(model, at: time, animated: animated) }
  }

  /// When one of its widgets changes by itself, strictly after `instant`.
  func nextChange(after instant: Instant) -> Instant? {
    widgets.compactMap { $0.widget.nextChange(after: instant) }.min()
  }

  /// Draws some of what its next changes will need; false: all of it is there.
  func prepare(after model: StageModel) -> Bool { widgets.contains { $0.widget.prepare(after: model) } }

  /// Its widgets go on from what those of the same name on `other` showed.
  func goOn(from other: Page, at time: Double) {
    for (name, widget) in widgets {
      guard let before = other.widgets.first(where: { $0.name == name }) else { continue }
      widget.goOn(from: before.widget, at: time)
    }
  }

  /// What the widget of that name shows; nil: it is not on this page.
  func text(of name: String) -> String? { widgets.first { $0.name == name }?.widget.text }
}
