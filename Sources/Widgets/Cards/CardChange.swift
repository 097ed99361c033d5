// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster
import Settings

/// A one-phase transition from one symbol to the next. It moves behind a window, a rectangle inside the
/// card's rounded rim and behind its hinge, while rim, hinge and pins do not move. At its beginning and its
/// end it looks exactly like the card at rest.
class CardChange {
  /// The window.
  let layer = Layer()
  let old = Layer()
  let new = Layer()
  /// The window's rectangle in its own coordinates.
  let size: Rect

  /// - Parameters:
  ///   - frame: the card's frame.
  ///   - distance: the distance of the viewer, in pixels.
  required init(frame: Rect, images: CardImages, distance: Double) {
    let inset = Double(images.metrics.windowInset)
    layer.frame = Rect(
      x: frame.x + inset, y: frame.y + inset, width: frame.width - 2 * inset,
      height: frame.height - 2 * inset)
    layer.masksToBounds = true
    layer.isHidden = true
    size = Rect(x: 0, y: 0, width: layer.bounds.width, height: layer.bounds.height)
    // The panels are in a separate layer, so that the transition's transforms stay inside the mask.
    let space = Layer()
    space.frame = size
    // The space behind the panels is as dark as the bed.
    space.backgroundColor = images.gap
    layer.addSublayer(space)
    build(in: space, distance: distance)
  }

  /// Builds the transition's layers in `space`, whose bounds are `size`.
  func build(in space: Layer, distance: Double) {
    for panel in [new, old] {
      panel.frame = size
      space.addSublayer(panel)
    }
  }

  /// Changes from the panel `old` to `new`. `completion` gets the exact time of the end.
  final func begin(
    from old: LayerImage, to new: LayerImage, _ stretch: Stretch, completion: @escaping Animation.Completion
  ) {
    layer.isHidden = false
    self.old.contents = old
    self.new.contents = new
    animate(stretch, completion)
  }

  func animate(_ stretch: Stretch, _ completion: @escaping Animation.Completion) {}

  /// The layers that show the panels.
  var panels: [Layer] { [old, new] }

  /// Hides the window, stops the animations and releases the panels' pictures.
  final func end() {
    layer.isHidden = true
    for panel in panels {
      panel.removeAllAnimations()
      panel.contents = nil
    }
  }
}

extension DigitTransition {
  /// The class of a one-phase transition; nil for a flip and for a change without motion.
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
