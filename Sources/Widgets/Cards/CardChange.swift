// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster
import Settings

/// A one-phase transition, which moves behind the card's window while rim, hinge and pins stay still. At its
/// beginning and its end it looks exactly like the card at rest.
class CardChange {
  let old = Layer()
  let new = Layer()
  let size: Rect

  /// Builds the transition's layers in `window`, whose bounds start at zero.
  required init(in window: Layer, distance: Double) { size = window.bounds }

  /// Changes from the panel `old` to `new`. `completion` gets the exact time of the end.
  final func begin(
    from old: LayerImage, to new: LayerImage, _ stretch: Stretch, completion: @escaping Animation.Completion
  ) {
    self.old.contents = old
    self.new.contents = new
    animate(stretch, completion)
  }

  func animate(_ stretch: Stretch, _ completion: @escaping Animation.Completion) {}

  /// The layers that show the panels.
  var panels: [Layer] { [old, new] }

  /// Stops the animations and releases the panels' pictures.
  final func end() {
    for panel in panels {
      panel.removeAllAnimations()
      panel.contents = nil
    }
  }
}

extension DigitTransition {
  /// The one-phase transition, if this is one.
  var change: CardChange.Type? {
    switch self {
    case .flip, .none: nil
    case .roll: RollChange.self
    case .shutter: ShutterChange.self
    case .slide: SlideChange.self
    case .fade: FadeChange.self
    }
  }
}

/// The window of a card: a rectangle inside its rounded rim, behind the hinge.
final class CardWindow {
  let layer = Layer()
  private let change: CardChange

  /// - Parameter frame: the card's frame.
  init(_ type: CardChange.Type, frame: Rect, images: CardImages, distance: Double) {
    let metrics = images.metrics
    let inset = Double(metrics.windowInset)
    layer.frame = Rect(
      x: frame.x + inset, y: frame.y + inset, width: frame.width - 2 * inset,
      height: frame.height - 2 * inset)
    layer.masksToBounds = true
    layer.isHidden = true
    // The window is a separate layer, so that the transition's transforms stay inside the mask.
    let window = Layer()
    window.frame = Rect(x: 0, y: 0, width: layer.bounds.width, height: layer.bounds.height)
    // The space behind the panels is as dark as the bed.
    window.backgroundColor = images.gap
    layer.addSublayer(window)
    change = type.init(in: window, distance: distance)
  }

  func begin(
    from old: LayerImage, to new: LayerImage, _ stretch: Stretch, completion: @escaping Animation.Completion
  ) {
    layer.isHidden = false
    change.begin(from: old, to: new, stretch, completion: completion)
  }

  func end() {
    layer.isHidden = true
    change.end()
  }
}
