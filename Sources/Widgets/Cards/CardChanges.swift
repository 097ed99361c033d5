// SPDX-License-Identifier: Apache-2.0

import Glibc
import Layers
import Raster

/// The old and the new symbol are on neighbouring sides of a hexagonal drum behind the window. The drum turns
/// upwards by one side.
final class RollChange: CardChange {
  private static let sides = 6.0
  private static let step = 2 * Double.pi / sides
  /// How much a side is darkened when turned away by one step. The light comes from above, so the leaving
  /// side, at the top, is darkened less.
  private static let leaving = Shade(top: 0.72, bottom: 0.3)
  private static let coming = Shade(top: 0.42, bottom: 0.86)

  override func build(in space: Layer, distance: Double) {
    space.sublayerTransform = .perspective(distance: distance)
    let apothem = size.height / (2 * tan(.pi / Self.sides))
    for side in [new, old] {
      side.bounds = size
      side.transform = .translation(x: 0, y: 0, z: apothem)
      side.position = Point(x: size.width / 2, y: size.height / 2)
      side.zPosition = -apothem
      space.addSublayer(side)
    }
  }

  override func animate(_ stretch: Stretch, _ completion: @escaping Animation.Completion) {
    stretch.darken(old, from: .none, to: Self.leaving, .sine)
    stretch.darken(new, from: Self.coming, to: .none, .versine)
    stretch.animate(new, .rotationX, from: .scalar(-Self.step), to: .scalar(0))
    stretch.animate(
      old, .rotationX, from: .scalar(0), to: .scalar(Self.step), completion: completion)
  }
}

/// The old symbol is cut into vertical bands that slide out alternately upwards and downwards. The new symbol
/// is beneath them.
final class ShutterChange: CardChange {
  /// The approximate width of a band, in heights of the window.
  private static let bandWidth = 0.105
  private static let beneath = Shade(top: 0.66, bottom: 0.66)

  private var bands: [Layer] = []

  override func build(in space: Layer, distance: Double) {
    new.frame = size
    space.addSublayer(new)
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
      space.addSublayer(band)
      bands.append(band)
    }
  }

  override func animate(_ stretch: Stretch, _ completion: @escaping Animation.Completion) {
    stretch.darken(new, from: Self.beneath, to: .none)
    for (index, band) in bands.enumerated() {
      band.contents = old.contents
      let start = band.position
      let distance = index % 2 == 0 ? -size.height : size.height
      stretch.animate(
        band, .position, from: .point(start), to: .point(Point(x: start.x, y: start.y + distance)),
        completion: index == bands.count - 1 ? completion : nil)
    }
  }

  override var panels: [Layer] { super.panels + bands }
}

/// The new symbol pushes the old one out upwards.
final class SlideChange: CardChange {
  private static let leaving = Shade(top: 0.6, bottom: 0.25)
  private static let coming = Shade(top: 0.25, bottom: 0.6)

  override func animate(_ stretch: Stretch, _ completion: @escaping Animation.Completion) {
    let rest = old.position
    stretch.darken(old, from: .none, to: Self.leaving)
    stretch.darken(new, from: Self.coming, to: .none)
    stretch.animate(
      new, .position, from: .point(Point(x: rest.x, y: rest.y + size.height)), to: .point(rest))
    stretch.animate(
      old, .position, from: .point(rest), to: .point(Point(x: rest.x, y: rest.y - size.height)),
      completion: completion)
  }
}

/// The new symbol appears over the old one.
final class FadeChange: CardChange {
  override func build(in space: Layer, distance: Double) {
    super.build(in: space, distance: distance)
    space.addSublayer(new)
  }

  override func animate(_ stretch: Stretch, _ completion: @escaping Animation.Completion) {
    stretch.animate(new, .opacity, from: .scalar(0), to: .scalar(1), completion: completion)
  }
}
