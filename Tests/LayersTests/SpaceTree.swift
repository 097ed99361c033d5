// SPDX-License-Identifier: Apache-2.0

import Glibc
import Raster
import TestSupport

@testable import Layers

/// A random tree with all features that affect layers in 3D space: nested transform layers, rotations about
/// every axis, perspective, opacity, masks, parts of pictures. Nothing is behind the eye.
struct SpaceTree {
  let scene: Scene
  private(set) var layers: [Layer] = []
  private var random: SplitMix
  private let images: [LayerImage]
  private let unit: Double

  init(seed: UInt64, size: PixelSize) {
    random = SplitMix(seed: seed)
    scene = Scene(size: size)
    unit = Double(min(size.width, size.height))
    // The picture is smooth, because the tests compare geometry, not filters.
    func wave(_ x: Int, _ y: Int, _ f: Double, _ g: Double) -> UInt8 {
      UInt8(128 + 70 * sin(Double(x) * f + Double(y) * g))
    }
    images = [
      LayerImage(
        bitmap(48, 40, .xrgb8888) { x, y in
          Color(red: wave(x, y, 0.1, 0.05), green: wave(x, y, 0.02, 0.13), blue: wave(x, y, -0.1, 0.1))
            .premultiplied
        }),
      LayerImage(
        bitmap(40, 56) { x, y in
          Color(
            red: wave(x, y, 0.1, 0.05), green: 90, blue: wave(x, y, -0.1, 0.1), alpha: wave(x, y, 0.08, -0.08)
          ).premultiplied
        }),
    ]
    for index in 0..<16 { add(index) }
  }

  private mutating func add(_ index: Int) {
    let layer = Layer()
    layer.isTransformLayer = index % 3 == 0
    if !layer.isTransformLayer { dress(layer) }
    let (w, h) = ((0.2 + random.unit() * 0.5) * unit, (0.2 + random.unit() * 0.5) * unit)
    layer.bounds = Rect(x: random.unit() * 9, y: -random.unit() * 5, width: w, height: h)
    layer.anchorPoint = Point(x: random.unit(), y: random.unit())
    let parent = index < 3 ? scene.root : layers[random.int(0...1) * random.int(0...layers.count - 1)]
    let within =
      index < 3 ? scene.size : PixelSize(width: Int(parent.bounds.width), height: Int(parent.bounds.height))
    layer.position = Point(
      x: parent.bounds.x + (0.2 + random.unit() * 0.6) * Double(within.width),
      y: parent.bounds.y + (0.2 + random.unit() * 0.6) * Double(within.height))
    if parent.isTransformLayer || random.int(0...1) == 0 { turn(layer) }
    if random.int(0...2) == 0 {
      layer.sublayerTransform = .perspective(distance: unit * (3 + random.unit() * 4))
    }
    layer.masksToBounds = random.int(0...2) == 0
    layer.zPosition = (random.unit() - 0.5) * unit * 0.4
    parent.addSublayer(layer)
    layers.append(layer)
  }

  private mutating func dress(_ layer: Layer) {
    switch random.int(0...3) {
    case 0: layer.contents = images[0]
    case 1: layer.contents = images[1]
    default:
      layer.backgroundColor = Color(
        red: UInt8(random.int(20...230)), green: UInt8(random.int(20...230)),
        blue: UInt8(random.int(20...230)),
        alpha: random.int(0...1) == 0 ? 255 : UInt8(random.int(60...254)))
    }
    if random.int(0...2) == 0 { layer.opacity = 0.4 + random.unit() * 0.6 }
    if random.int(0...2) == 0 { layer.contentsRect = Rect(x: 0.113, y: 0.207, width: 0.671, height: 0.533) }
  }

  private mutating func turn(_ layer: Layer) {
    layer.transform = .identity
    for axis in 0..<3 where random.int(0...1) == 0 {
      layer.transform = layer.transform.concatenating(
        .rotation((random.unit() - 0.5) * 5, x: axis == 0 ? 1 : 0, y: axis == 1 ? 1 : 0, z: axis == 2 ? 1 : 0)
      )
    }
  }

  /// Makes some random changes.
  mutating func change() {
    for _ in 0..<random.int(1...3) {
      let layer = layers[random.int(0...layers.count - 1)]
      switch random.int(0...8) {
      case 0, 1, 2: turn(layer)
      case 3: layer.zPosition = (random.unit() - 0.5) * unit * 0.4
      case 4, 5: layer.masksToBounds.toggle()
      case 6: layer.set(.sublayerRotationY, to: .scalar((random.unit() - 0.5) * 2))
      case 7: layer.isHidden = random.int(0...3) == 0
      default: layer.position.x += (random.unit() - 0.5) * 8
      }
    }
  }
}
