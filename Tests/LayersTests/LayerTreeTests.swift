// SPDX-License-Identifier: Apache-2.0

import Raster
import Testing

@testable import Layers

@Suite struct LayerTreeTests {
  /// A layer identified by its position's x.
  private func layer(_ name: Int, z: Double = 0) -> Layer {
    let layer = Layer()
    layer.position = Point(x: Double(name), y: 0)
    layer.zPosition = z
    return layer
  }

  private func names(_ layer: Layer) -> [Int] { layer.sublayers.map { Int($0.position.x) } }

  @Test(
    "a layer is inserted at the index, or at the nearest end",
    arguments: [
      (0, [9, 1, 2, 3]), (1, [1, 9, 2, 3]), (3, [1, 2, 3, 9]), (4, [1, 2, 3, 9]), (.max, [1, 2, 3, 9]),
      (-1, [9, 1, 2, 3]), (.min, [9, 1, 2, 3]),
    ])
  func aLayerIsInsertedAtTheIndexOrAtTheNearestEnd(index: Int, expected: [Int]) {
    let root = Layer()
    for name in 1...3 { root.addSublayer(layer(name)) }
    let new = layer(9)
    root.insertSublayer(new, at: index)
    #expect(names(root) == expected)
    #expect(new.superlayer === root)
  }

  @Test("adding a layer elsewhere removes it from its old superlayer")
  func addingALayerElsewhereRemovesItFromItsOldSuperlayer() {
    let scene = Scene(size: PixelSize(width: 8, height: 8))
    let (a, b, child) = (layer(1), layer(2), layer(3))
    scene.root.addSublayer(a)
    scene.root.addSublayer(b)
    a.addSublayer(child)
    #expect(child.scene === scene)
    b.addSublayer(child)
    #expect(a.sublayers.isEmpty)
    #expect(names(b) == [3])
    #expect(child.superlayer === b)
    #expect(child.scene === scene)
    b.removeFromSuperlayer()
    #expect(b.superlayer == nil)
    #expect(child.scene == nil)
    #expect(child.superlayer === b)
    // Removing the layer again changes nothing.
    b.removeFromSuperlayer()
    #expect(names(scene.root) == [1])
  }

  @Test("siblings are sorted by z position, and by insertion for equal positions")
  func siblingsAreSortedByZPositionAndByInsertionForEqualPositions() {
    let root = Layer()
    for (name, z) in [(1, 2.0), (2, 0), (3, 1), (4, 0), (5, 2), (6, -1)] {
      root.addSublayer(layer(name, z: z))
    }
    #expect(names(root) == [6, 2, 4, 3, 1, 5])
    root.sublayers[0].zPosition = 1
    #expect(names(root) == [2, 4, 6, 3, 1, 5])
    root.sublayers[5].zPosition = -0.5
    #expect(names(root) == [5, 2, 4, 6, 3, 1])
    root.insertSublayer(layer(7, z: 1), at: 0)
    #expect(names(root) == [5, 2, 4, 7, 6, 3, 1])
  }

  @Test("siblings are sorted by the presented z position, during and after its animation")
  func siblingsAreSortedByThePresentedZPositionDuringAndAfterItsAnimation() {
    let scene = Scene(size: PixelSize(width: 8, height: 8))
    for name in 1...3 { scene.root.addSublayer(layer(name, z: Double(name))) }
    let first = scene.root.sublayers[0]
    first.add(Animation(.zPosition, from: .scalar(1), to: .scalar(5), duration: 1), forKey: "z")
    scene.advance(to: 0.5)
    #expect(names(scene.root) == [2, 1, 3])
    scene.advance(to: 0.9)
    #expect(names(scene.root) == [2, 3, 1])
    scene.advance(to: 2)
    #expect(first.presentation.zPosition == 1)
    #expect(names(scene.root) == [1, 2, 3])
    // Adds another animation, which is removed before its end.
    first.add(Animation(.zPosition, from: .scalar(4.6), to: .scalar(4.6), duration: 1), forKey: "z")
    #expect(names(scene.root) == [2, 3, 1])
    first.removeAnimation(forKey: "z")
    #expect(names(scene.root) == [1, 2, 3])
  }

  @Test("the model has the values that were set, the presentation those that are shown")
  func theModelHasWhatWasSetThePresentationWhatIsShown() {
    let scene = Scene(size: PixelSize(width: 8, height: 8))
    let layer = Layer()
    scene.root.addSublayer(layer)
    layer.opacity = 0.5
    #expect(layer.presentation.opacity == 0.5)
    layer.add(Animation(.opacity, from: .scalar(0), to: .scalar(1), duration: 4))
    #expect(layer.model.opacity == 0.5)
    #expect(layer.presentation.opacity == 0)
    scene.advance(to: 1)
    #expect(layer.opacity == 0.5)
    #expect(layer.presentation.opacity == 0.25)
    scene.advance(to: 4)
    #expect(layer.presentation.opacity == 0.5)
  }

  @Test("a change of an animated layer's model is presented at once")
  func aChangeOfAnAnimatedLayersModelIsPresentedAtOnce() {
    let scene = Scene(size: PixelSize(width: 8, height: 8))
    let layer = Layer()
    let image = LayerImage(Bitmap(width: 1, height: 1, format: .xrgb8888))
    scene.root.addSublayer(layer)
    layer.add(Animation(.opacity, from: .scalar(0), duration: 4))
    scene.advance(to: 1)
    layer.position = Point(x: 3, y: 4)
    layer.contents = image
    layer.opacity = 0.8
    #expect(layer.presentation.position == Point(x: 3, y: 4))
    #expect(layer.presentation.contents === image)
    #expect(layer.presentation.opacity == 0.2)
  }

  @Test("frame sets bounds and position about the anchor point")
  func frameSetsBoundsAndPositionAboutTheAnchorPoint() {
    let layer = Layer()
    layer.anchorPoint = Point(x: 0.5, y: 1)
    layer.bounds = Rect(x: 7, y: 8, width: 1, height: 1)
    layer.frame = Rect(x: 10, y: 20, width: 30, height: 40)
    #expect(layer.bounds == Rect(x: 7, y: 8, width: 30, height: 40))
    #expect(layer.position == Point(x: 25, y: 60))
    #expect(layer.frame == Rect(x: 10, y: 20, width: 30, height: 40))
  }

  @Test("an unreferenced layer is released, and its image with it")
  func anUnreferencedLayerIsReleasedAndItsImageWithIt() {
    let scene = Scene(size: PixelSize(width: 8, height: 8))
    let buffer = Bitmap(width: 8, height: 8, format: .xrgb8888)
    weak var layer: Layer?
    weak var image: LayerImage?
    do {
      let child = Layer()
      let picture = LayerImage(Bitmap(width: 4, height: 4, format: .argb8888))
      child.contents = picture
      child.frame = Rect(x: 0, y: 0, width: 4, height: 4)
      scene.root.addSublayer(child)
      child.add(Animation(.opacity, from: .scalar(0), duration: 4))
      _ = scene.render(into: buffer.buffer)
      child.removeFromSuperlayer()
      layer = child
      image = picture
    }
    _ = scene.render(into: buffer.buffer)
    _ = scene.render(into: buffer.buffer)
    #expect(layer == nil)
    #expect(image == nil)
  }
}
