// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster
import Settings

/// A one-phase transition, which moves behind the card's window while rim, hinge and pins stay still. At its
/// beginning and its end it looks exactly like the card at rest.
protocol CardChange: AnyObject {
  /// Builds the transition's layers in `window`, whose bounds start at zero.
  init(in window: Layer, distance: Double)
  /// Changes from the panel `old` to `new`. `completion` gets the exact time of the end.
  func begin(
    from old: LayerImage, to new: LayerImage, _ stretch: Stretch,
    completion: @escaping (_ finished: Bool, _ time: Double) -> Void)
  /// Stops and releases the panels.
  func end()
}

extension DigitTransition {
  /// The one-phase transition, if this is one.
  var change: (any CardChange.Type)? {
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
  private let change: any CardChange

  /// - Parameter frame: the card's frame.
  init(_ type: any CardChange.Type, frame: Rect, images: CardImages, distance: Double) {
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
    window.backgroundColor = CardArtist.bedColor
    layer.addSublayer(window)
    change = type.init(in: window, distance: distance)
  }

  func begin(
    from old: LayerImage, to new: LayerImage, _ stretch: Stretch,
    completion: @escaping (_ finished: Bool, _ time: Double) -> Void
  ) {
    layer.isHidden = false
    change.begin(from: old, to: new, stretch, completion: completion)
  }

  func end() {
    layer.isHidden = true
    change.end()
  }
}
