// SPDX-License-Identifier: Apache-2.0

import Raster

@testable import Layers

/// Random changes of a tree that involve its scene: moves, animations, transactions and snapshots.
extension RandomTree {
  /// Moves layers between this tree's scene and `other` and takes snapshots between the frames. Changes
  /// layers directly, by implicit animations (`Layer.actions`), in completion handlers, and in
  /// `Layer.display`.
  mutating func live(with other: Scene) {
    for _ in 0..<random.int(0...2) { change(with: other) }
    change()
    other.advance(to: other.time + Double(random.int(0...3)) / 16)
    if layers.isEmpty { return }
    if random.int(0...3) == 0 { _ = scene.snapshot(of: pick()) }
    if random.int(0...5) == 0 { _ = other.snapshot(of: random.int(0...1) == 0 ? other.root : pick()) }
  }

  private mutating func change(with other: Scene) {
    if layers.isEmpty { return }
    let layer = pick()
    let home = layer.scene ?? scene
    let target = pick()
    let value = random.unit()
    let point = Point(x: value * 60, y: Double(random.int(0...40)))
    switch random.int(0...14) {
    case 0, 1: move(layer, to: (home === scene ? other : scene).root)
    case 2: move(layer, to: target)
    case 3:
      home.transaction {
        layer.actions[.position] = Animation(.position, duration: value)
        layer.position = point
        target.opacity = value
        layer.bounds = Rect(x: 0, y: 0, width: 40 * value, height: 30)
      }
    case 4:
      layer.actions[.zPosition] = Animation(.zPosition, duration: value / 4)
      home.transaction(
        completion: { _ in
          target.position = point
          target.isHidden.toggle()
          layer.sublayerTransform = .perspective(distance: 50 + 50 * value)
        },
        { layer.zPosition = value * 4 - 2 })
    case 5:
      var animation = Animation(.rotationX, to: .scalar(value * 3), duration: value / 3)
      animation.isRemovedOnCompletion = random.int(0...1) == 0
      animation.fillMode = .both
      let image = images[random.int(0...images.count - 1)]
      animation.completion = { [weak layer] _, _ in
        layer?.contents = image
        target.removeFromSuperlayer()
      }
      layer.add(animation)
    case 6:
      let keys: [(PropertyKey, LayerValue)] = [
        (.sublayerTransform, .transform(.scale(x: 1 + value, y: 1))), (.sublayerRotationY, .scalar(value)),
        (.sublayerTranslationX, .scalar(20 * value)), (.zPosition, .scalar(4 * value - 2)),
        (.bounds, .rect(Rect(x: 0, y: 0, width: 30 * value, height: 20))), (.contentsRect, .rect(.unit)),
        (.anchorPoint, .point(Point(x: value, y: 0))),
      ]
      let (key, end) = keys[random.int(0...keys.count - 1)]
      var animation = Animation(key, to: end, duration: value)
      animation.isRemovedOnCompletion = random.int(0...2) > 0
      layer.add(animation, forKey: "\(key)")
    case 7: addFollower(images)
    case 8: layer.setNeedsDisplay()
    case 9: layer.actions[.opacity] = random.int(0...1) == 0 ? nil : Animation(.opacity, duration: value)
    case 10: layer.opacity = value
    case 11:
      // Removes a layer and inserts it again at the same index.
      guard let parent = layer.superlayer, let index = parent.sublayers.firstIndex(where: { $0 === layer })
      else { return }
      layer.removeFromSuperlayer()
      parent.insertSublayer(layer, at: index)
    case 12: change(home.root, value)
    case 13:
      layer.isHidden = true
      if random.int(0...1) == 0 { _ = home.snapshot(of: layer) }
      layer.isHidden = false
    default:
      // Changes a value and takes a snapshot. In half of the cases it changes the value back, so that only
      // the snapshot shows it.
      let color = layer.backgroundColor
      layer.backgroundColor = Color(red: UInt8(value * 255), green: 9, blue: 200)
      _ = home.snapshot(of: home.root)
      if random.int(0...1) == 0 { layer.backgroundColor = color }
    }
  }

  private mutating func change(_ root: Layer, _ value: Double) {
    switch random.int(0...6) {
    case 0: root.sublayerTransform = random.int(0...1) == 0 ? .identity : .perspective(distance: 90)
    case 1: root.opacity = random.int(0...1) == 0 ? 1 : value
    case 2: root.isHidden = random.int(0...3) == 0
    case 3: root.masksToBounds.toggle()
    case 4: root.isTransformLayer = random.int(0...3) == 0
    case 5: root.rotationX = random.int(0...1) == 0 ? 0 : value
    default: root.backgroundColor = random.int(0...1) == 0 ? .clear : Color(rgb: 0x103050)
    }
  }

  private func move(_ layer: Layer, to parent: Layer) {
    var above: Layer? = parent
    while let one = above {
      if one === layer { return }
      above = one.superlayer
    }
    parent.insertSublayer(layer, at: parent.sublayers.count / 2)
  }

  private mutating func addFollower(_ images: [LayerImage]) {
    let follower = Follower(images)
    follower.frame = Rect(x: 30 * random.unit(), y: 20 * random.unit(), width: 20, height: 24)
    let inner = Layer()
    inner.frame = Rect(x: 2, y: 3, width: 9, height: 7)
    inner.backgroundColor = Color(rgb: 0x40ff80)
    follower.addSublayer(inner)
    pick().addSublayer(follower)
    layers.append(follower)
    layers.append(inner)
  }
}

/// A layer whose `display` derives its contents, shade and first sublayer from its opacity and its rotation.
private final class Follower: Layer {
  private let images: [LayerImage]

  init(_ images: [LayerImage]) {
    self.images = images
    super.init()
  }

  override func needsDisplay(forKey key: PropertyKey) -> Bool { key == .opacity || key == .rotationX }

  override func display(_ presentation: LayerProperties) {
    let index = Int(presentation.opacity * Double(images.count - 1))
    contents = images[min(max(index, 0), images.count - 1)]
    shade = Shade(top: presentation.opacity, bottom: 0)
    sublayers.first?.position = Point(x: presentation.opacity * 20, y: presentation.rotationX)
    sublayers.first?.isHidden = presentation.opacity < 0.3
  }
}
