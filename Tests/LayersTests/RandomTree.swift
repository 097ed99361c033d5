// SPDX-License-Identifier: Apache-2.0

import Raster
import TestSupport

@testable import Layers

/// A layer tree that changes at random, in all of its properties.
struct RandomTree {
  let scene: Scene
  var layers: [Layer] = []
  var random: SplitMix
  let images: [LayerImage]
  private let size: PixelSize
  private let mostLayers: Int

  init(seed: UInt64, size: PixelSize, mostLayers: Int = 14) {
    self.size = size
    self.mostLayers = mostLayers
    random = SplitMix(seed: seed)
    scene = Scene(size: size)
    var noise = SplitMix(seed: 7)
    func color() -> UInt32 { UInt32(truncatingIfNeeded: noise.next()) | 0xff00_0000 }
    // In order: an opaque image, one with transparent corners, a card with a transparent gap, a translucent
    // image, and stripes to be repeated.
    images = [
      LayerImage(bitmap(21, 17, .xrgb8888) { _, _ in color() }),
      LayerImage(
        bitmap(24, 32) { x, y in
          let corner = min(x, 23 - x) + min(y, 31 - y)
          return corner < 3 ? 0 : corner == 3 ? 0x8020_4060 : color()
        }),
      LayerImage(
        bitmap(20, 30) { x, y in y == 14 || y == 15 ? 0 : min(x, 19 - x) == 0 ? 0x4010_2030 : color() }),
      LayerImage(
        bitmap(9, 9) { x, y in
          Color(red: 250, green: UInt8(x * 20), blue: 9, alpha: UInt8(y * 30)).premultiplied
        }),
      LayerImage(bitmap(5, 40, .xrgb8888) { _, _ in color() }, extent: .repeatSideways),
      LayerImage(bitmap(7, 12) { x, _ in x == 3 ? 0x6010_1010 : color() }, extent: .repeatSideways),
    ]
    for _ in 0..<4 { addLayer() }
  }

  /// Makes some random changes and advances the time.
  mutating func change() {
    for _ in 0..<random.int(1...3) {
      if layers.isEmpty || (layers.count < mostLayers && random.int(0...5) == 0) {
        addLayer()
      } else {
        changeOne()
      }
    }
    scene.advance(to: scene.time + Double(random.int(0...4)) / 16)
  }

  mutating func pick() -> Layer { layers[random.int(0...layers.count - 1)] }

  /// Two thirds of the coordinates are whole pixels.
  private mutating func coordinate(_ limit: Int) -> Double {
    let whole = Double(random.int(-10...limit + 10))
    return random.int(0...2) == 0 ? whole + random.unit() : whole
  }

  private mutating func addLayer() {
    let layer = Layer()
    layer.contents = images[random.int(0...images.count - 1)]
    layer.frame = Rect(
      x: coordinate(size.width), y: coordinate(size.height), width: Double(random.int(1...40)),
      height: Double(random.int(1...40)))
    let parent = layers.isEmpty || random.int(0...2) > 0 ? scene.root : pick()
    parent.insertSublayer(layer, at: random.int(-1...6))
    layers.append(layer)
  }

  private mutating func changeOne() {
    let layer = pick()
    switch random.int(0...21) {
    case 0: remove(layer)
    case 1: reparent(layer)
    case 2, 3: layer.position = Point(x: coordinate(size.width), y: coordinate(size.height))
    case 4:
      layer.bounds = Rect(
        x: random.int(0...1) == 0 ? 0 : coordinate(3), y: random.int(0...1) == 0 ? 0 : coordinate(3),
        width: coordinate(30), height: coordinate(30))
    case 5: layer.anchorPoint = Point(x: Double(random.int(0...2)) / 2, y: random.unit())
    case 6: layer.zPosition = Double(random.int(-2...2))
    case 7: layer.opacity = [0, 0.3, 0.999, 1, 1, 1][random.int(0...5)]
    case 8: layer.shade = random.int(0...1) == 0 ? .none : Shade(top: random.unit(), bottom: random.unit())
    case 9: layer.isHidden = random.int(0...2) == 0
    case 10: layer.rotationX = angle()
    case 11: layer.transform = .rotation(angle(), x: 0, y: 1, z: 0)
    case 12: if random.int(0...2) == 0 { layer.transform = .rotation(angle(), x: 0, y: 0, z: 1) }
    case 13: layer.sublayerTransform = random.int(0...1) == 0 ? .identity : .perspective(distance: 70)
    case 14: layer.contents = random.int(0...5) == 0 ? nil : images[random.int(0...images.count - 1)]
    case 15:
      layer.contentsRect =
        [
          .unit, Rect(x: 0, y: 0.5, width: 1, height: 0.5), Rect(x: 0, y: 1, width: 1, height: -0.5),
          Rect(x: 0.25, y: 0.1, width: 0.5, height: 0.7), Rect(x: 0, y: 1, width: 1, height: -1),
          Rect(x: -0.5, y: -0.5, width: 1, height: 1), Rect(x: 0.31, y: 0.27, width: 0.44, height: 0.61),
          Rect(x: 0.3, y: 0.9, width: 0.6, height: -0.7),
        ][random.int(0...7)]
    case 16:
      layer.contents = nil
      layer.backgroundColor =
        [
          Color(rgb: 0x2080c0), Color(rgb: 0xc08020), Color(red: 90, green: 200, blue: 60, alpha: 140),
          .clear,
        ][random.int(0...3)]
    case 17: layer.masksToBounds = random.int(0...1) == 0
    case 18: layer.isTransformLayer = random.int(0...2) == 0
    case 19:
      layer.transform =
        random.int(0...1) == 0 ? .identity : .scale(x: random.unit() * 3, y: random.unit() * 6)
    case 20: animate(layer)
    default: layer.removeAllAnimations()
    }
  }

  private mutating func angle() -> Double {
    random.int(0...2) == 0 ? Double(random.int(-2...2)) * .pi / 2 : (random.unit() - 0.5) * 6
  }

  private mutating func animate(_ layer: Layer) {
    let changes: [(PropertyKey, LayerValue)] = [
      (.position, .point(Point(x: coordinate(size.width), y: coordinate(size.height)))),
      (.rotationX, .scalar(angle())), (.opacity, .scalar(random.unit())), (.zPosition, .scalar(3)),
      (.shade, .shade(Shade(0.5))), (.isHidden, .flag(true)),
      (.backgroundColor, .color(Color(rgb: 0xff0000))),
    ]
    let (key, value) = changes[random.int(0...changes.count - 1)]
    var animation = Animation(key, to: value, duration: random.unit())
    animation.fillMode = .both
    animation.timingFunction = .easeIn
    layer.add(animation, forKey: "\(key)")
  }

  private mutating func remove(_ layer: Layer) {
    layer.removeFromSuperlayer()
    layers.removeAll { $0.isWithin(layer) }
  }

  private mutating func reparent(_ layer: Layer) {
    let parents = layers.filter { !$0.isWithin(layer) }
    let parent =
      parents.isEmpty || random.int(0...1) == 0 ? scene.root : parents[random.int(0...parents.count - 1)]
    parent.insertSublayer(layer, at: random.int(-1...6))
  }
}

extension Layer {
  fileprivate func isWithin(_ other: Layer) -> Bool {
    self === other || superlayer.map { $0.isWithin(other) } ?? false
  }
}
