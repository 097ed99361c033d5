// SPDX-License-Identifier: Apache-2.0

import Glibc
import Layers
import Raster

/// Old and new symbol are neighbouring sides of a hexagonal drum behind the window, which turns upwards by one
/// side.
final class RollChange: CardChange {
  private static let sides = 6.0
  private static let step = 2 * Double.pi / sides
  /// How much a side is darkened when turned away by one step. The light comes from above, so the leaving side, at
  /// the top, keeps more of it.
  private static let leaving = Shade(top: 0.72, bottom: 0.3)
  private static let coming = Shade(top: 0.42, bottom: 0.86)

  private let old = Layer()
  private let new = Layer()

  init(in window: Layer, distance: Double) {
    window.sublayerTransform = .perspective(distance: distance)
    let size = window.bounds
    let apothem = size.height / (2 * tan(.pi / Self.sides))
    for side in [new, old] {
      side.bounds = size
      side.transform = .translation(x: 0, y: 0, z: apothem)
      side.position = Point(x: size.width / 2, y: size.height / 2)
      side.zPosition = -apothem
      window.addSublayer(side)
    }
  }

  func begin(
    from old: LayerImage, to new: LayerImage, _ stretch: Stretch,
    completion: @escaping (_ finished: Bool, _ time: Double) -> Void
  ) {
    self.old.contents = old
    self.new.contents = new
    stretch.darken(self.old, from: .none, to: Self.leaving, .sine)
    stretch.darken(self.new, from: Self.coming, to: .none, .versine)
    stretch.animate(self.new, .rotationX, from: .scalar(-Self.step), to: .scalar(0))
    stretch.animate(
      self.old, .rotationX, from: .scalar(0), to: .scalar(Self.step), completion: completion)
  }

  func end() { for side in [old, new] { side.clear() } }
}

/// The old symbol is cut into vertical bands that slide out alternately upwards and downwards; the new one is
/// beneath.
final class ShutterChange: CardChange {
  /// The approximate width of a band, in heights of the window.
  private static let bandWidth = 0.105
  private static let beneath = Shade(top: 0.66, bottom: 0.66)

  private let new = Layer()
  private var bands: [Layer] = []
  private let size: Rect

  init(in window: Layer, distance: Double) {
    size = window.bounds
    new.frame = size
    window.addSublayer(new)
    // The number of bands is even, so that the last band moves opposite to the first.
    let count = max(Int((size.width / (Self.bandWidth * size.height * 2)).rounded()) * 2, 4)
    for index in 0..<count {
      // The edges are on whole pixels, so that no two bands share a pixel.
      let left = (size.width * Double(index) / Double(count)).rounded()
      let right = (size.width * Double(index + 1) / Double(count)).rounded()
      let band = Layer()
      band.frame = Rect(x: left, y: 0, width: right - left, height: size.height)
      band.contentsRect = Rect(
        x: left / size.width, y: 0, width: (right - left) / size.width, height: 1)
      window.addSublayer(band)
      bands.append(band)
    }
  }

  func begin(
    from old: LayerImage, to new: LayerImage, _ stretch: Stretch,
    completion: @escaping (_ finished: Bool, _ time: Double) -> Void
  ) {
    self.new.contents = new
    stretch.darken(self.new, from: Self.beneath, to: .none)
    for (index, band) in bands.enumerated() {
      band.contents = old
      let start = band.position
      let distance = index % 2 == 0 ? -size.height : size.height
      stretch.animate(
        band, .position, from: .point(start), to: .point(Point(x: start.x, y: start.y + distance)),
        completion: index == bands.count - 1 ? completion : nil)
    }
  }

  func end() { for layer in [new] + bands { layer.clear() } }
}

/// The new symbol pushes the old one out upwards.
final class SlideChange: CardChange {
  private static let leaving = Shade(top: 0.6, bottom: 0.25)
  private static let coming = Shade(top: 0.25, bottom: 0.6)

  private let old = Layer()
  private let new = Layer()
  private let size: Rect

  init(in window: Layer, distance: Double) {
    size = window.bounds
    for panel in [new, old] {
      panel.frame = size
      window.addSublayer(panel)
    }
  }

  func begin(
    from old: LayerImage, to new: LayerImage, _ stretch: Stretch,
    completion: @escaping (_ finished: Bool, _ time: Double) -> Void
  ) {
    self.old.contents = old
    self.new.contents = new
    let rest = self.old.position
    stretch.darken(self.old, from: .none, to: Self.leaving)
    stretch.darken(self.new, from: Self.coming, to: .none)
    stretch.animate(
      self.new, .position, from: .point(Point(x: rest.x, y: rest.y + size.height)), to: .point(rest))
    stretch.animate(
      self.old, .position, from: .point(rest), to: .point(Point(x: rest.x, y: rest.y - size.height)),
      completion: completion)
  }

  func end() { for panel in [old, new] { panel.clear() } }
}

/// The new symbol appears over the old one.
final class FadeChange: CardChange {
  private let old = Layer()
  private let new = Layer()

  init(in window: Layer, distance: Double) {
    for panel in [old, new] {
      panel.frame = window.bounds
      window.addSublayer(panel)
    }
  }

  func begin(
    from old: LayerImage, to new: LayerImage, _ stretch: Stretch,
    completion: @escaping (_ finished: Bool, _ time: Double) -> Void
  ) {
    self.old.contents = old
    self.new.contents = new
    stretch.animate(self.new, .opacity, from: .scalar(0), to: .scalar(1), completion: completion)
  }

  func end() { for panel in [old, new] { panel.clear() } }
}

extension Layer {
  fileprivate func clear() {
    removeAllAnimations()
    contents = nil
  }
}
