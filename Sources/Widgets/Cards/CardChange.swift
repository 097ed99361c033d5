// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster
import Settings

/// A transition of one phase: what moves behind a card's window while the card's rim, its hinge and its
/// pins stand still. At its beginning and at its end it shows exactly what the card shows at rest.
protocol CardChange: AnyObject {
  /// Builds its layers in `window`, whose bounds begin at zero.
  init(in window: Layer, distance: Double)
  /// Shows the panel `old`, and takes it to `new` over the stretch. `completion` hears the exact end.
  func begin(
    from old: LayerImage, to new: LayerImage, _ stretch: Stretch,
    completion: @escaping (_ finished: Bool, _ time: Double) -> Void)
  /// Nothing moves any more; the panels are let go.
  func end()
}

extension DigitTransition {
  /// The transitions that go in one phase.
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

/// The window of a card: a rectangle inside its rounded rim. The hinge is before it, as before every flap.
final class CardWindow {
  let layer = Layer()
  private let change: any CardChange

  /// - Parameter frame: the card's.
  init(_ type: any CardChange.Type, frame: Rect, images: CardImages, distance: Double) {
    let metrics = images.metrics
    let inset = Double(metrics.windowInset)
    layer.frame = Rect(
      x: frame.x + inset, y: frame.y + inset, width: frame.width - 2 * inset,
      height: frame.height - 2 * inset)
    layer.masksToBounds = true
    layer.isHidden = true
    // Its own plane: what the change does to all its sublayers stays inside the mask.
    let window = Layer()
    window.frame = Rect(x: 0, y: 0, width: layer.bounds.width, height: layer.bounds.height)
    // The hollow behind, as dark as the bed.
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
