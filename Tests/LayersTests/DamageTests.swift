// SPDX-License-Identifier: Apache-2.0

import Raster
import TestSupport
import Testing

@testable import Layers

@Suite struct DamageTests {
  static let size = PixelSize(width: 96, height: 64)

  private func buffer(_ junk: UInt32) -> Bitmap {
    bitmap(Self.size.width, Self.size.height, .xrgb8888) { _, _ in junk }
  }

  @Test(
    "drawing the damage gives the plain painter's picture, and all changes are inside it",
    arguments: Array(0..<12) + [21, 107, 526])
  func drawingTheDamageGivesThePlainPaintersPictureAndAllChangesAreInsideIt(seed: UInt64) {
    var tree = RandomTree(seed: seed, size: Self.size)
    var painter = PlainPainter()
    let shown = buffer(0xff12_3456)
    let before = buffer(0xff12_3456)
    let whole = buffer(0xff65_4321)
    let plain = buffer(0)
    for frame in 0..<40 {
      tree.change()
      let damage = tree.scene.render(into: shown.buffer)
      for rect in damage { before.buffer.assign(shown.buffer, in: rect) }
      #expect(before.difference(from: shown) == nil, "frame \(frame): changed outside the damage")
      // A full redraw into a buffer with other contents gives the same picture.
      tree.scene.invalidate()
      let all = tree.scene.render(into: whole.buffer)
      #expect(all == [whole.buffer.bounds])
      #expect(
        shown.difference(from: whole) == nil,
        "frame \(frame), against a full redraw")
      painter.paint(tree.scene.root, into: plain.buffer)
      #expect(
        whole.difference(from: plain) == nil,
        "frame \(frame), against the painter")
      if shown.difference(from: plain) != nil { return }
      before.buffer.assign(shown.buffer)
    }
  }

  @Test(
    "layers that move between two scenes are drawn correctly in both", arguments: Array(0..<16))
  func layersThatGoFromOneSceneToAnotherAreDrawnRightInBoth(seed: UInt64) {
    var tree = RandomTree(seed: seed, size: Self.size)
    let scenes = [tree.scene, Scene(size: Self.size)]
    let shown = [buffer(1), buffer(2)]
    let before = [buffer(1), buffer(2)]
    let plain = buffer(0)
    var painter = PlainPainter()
    var order = SplitMix(seed: seed)
    for frame in 0..<60 {
      tree.live(with: scenes[1])
      for index in [0, 1] where order.int(0...3) > 0 {
        for rect in scenes[index].render(into: shown[index].buffer) {
          before[index].buffer.assign(shown[index].buffer, in: rect)
        }
        painter.paint(scenes[index].root, into: plain.buffer)
        #expect(shown[index].difference(from: plain) == nil, "frame \(frame) of scene \(index)")
        #expect(before[index].difference(from: shown[index]) == nil, "frame \(frame): outside the damage")
        if shown[index].difference(from: plain) != nil { return }
        if order.int(0...3) == 0 { #expect(scenes[index].render(into: shown[index].buffer).isEmpty) }
      }
    }
  }

  @Test("a layer that moves to another scene is erased, whichever scene is drawn first")
  func aLayerThatMovesToAnotherSceneIsErasedWhicheverSceneIsDrawnFirst() {
    for isOtherFirst in [false, true] {
      let scenes = [Scene(size: Self.size), Scene(size: Self.size)]
      let shown = [buffer(1), buffer(2)]
      let layer = Layer()
      layer.frame = Rect(x: 10, y: 10, width: 20, height: 20)
      layer.backgroundColor = .white
      scenes[0].root.addSublayer(layer)
      for index in [0, 1] { _ = scenes[index].render(into: shown[index].buffer) }
      layer.position = Point(x: 60, y: 40)
      scenes[1].root.addSublayer(layer)
      for index in isOtherFirst ? [1, 0] : [0, 1] { _ = scenes[index].render(into: shown[index].buffer) }
      #expect(shown[0].buffer.row32(15)[15] == 0xff00_0000)
      #expect(shown[1].buffer.row32(40)[60] == 0xffff_ffff)
      layer.position = Point(x: 80, y: 40)
      _ = scenes[1].render(into: shown[1].buffer)
      #expect(shown[1].buffer.row32(40)[55] == 0xff00_0000)
    }
  }

  @Test("more moving layers than a region has rectangles are drawn correctly", arguments: 0..<4)
  func moreMovingLayersThanARegionHasRectanglesAreDrawnCorrectly(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let scene = Scene(size: Self.size)
    var painter = PlainPainter()
    let shown = buffer(1)
    let plain = buffer(2)
    let opaque = LayerImage(bitmap(5, 4, .xrgb8888) { x, y in UInt32(x * 40 << 16 | y * 60) })
    let soft = LayerImage(bitmap(7, 3) { _, _ in 0x8040_2010 })
    var layers: [Layer] = []
    for index in 0..<70 {
      let layer = Layer()
      layer.contents = index % 3 == 0 ? soft : opaque
      layer.frame = Rect(x: 0, y: 0, width: index % 3 == 0 ? 7 : 5, height: index % 3 == 0 ? 3 : 4)
      scene.root.addSublayer(layer)
      layers.append(layer)
    }
    for _ in 0..<30 {
      // Moves about three quarters of the layers.
      for layer in layers where random.int(0...3) > 0 {
        layer.position = Point(x: Double(random.int(0...96)) + 0.5, y: Double(random.int(0...64)))
      }
      _ = scene.render(into: shown.buffer)
      painter.paint(scene.root, into: plain.buffer)
      #expect(shown.difference(from: plain) == nil)
      if shown.difference(from: plain) != nil { return }
    }
  }

  @Test("a frame in which nothing changed has no damage", arguments: 0..<6)
  func aFrameInWhichNothingChangedHasNoDamage(seed: UInt64) {
    var tree = RandomTree(seed: seed + 100, size: Self.size)
    let shown = buffer(1)
    for _ in 0..<10 {
      tree.change()
      _ = tree.scene.render(into: shown.buffer)
      #expect(tree.scene.render(into: shown.buffer).isEmpty)
    }
  }

  @Test("a hidden change has no damage, a small one has little")
  func aHiddenChangeHasNoDamageASmallOneHasLittle() {
    let scene = Scene(size: Self.size)
    let shown = buffer(1)
    let ground = Layer()
    ground.frame = Rect(x: 0, y: 0, width: 96, height: 64)
    ground.backgroundColor = Color(rgb: 0x202020)
    scene.root.addSublayer(ground)
    let dot = Layer()
    dot.frame = Rect(x: 10, y: 10, width: 4, height: 4)
    dot.backgroundColor = .white
    scene.root.addSublayer(dot)
    _ = scene.render(into: shown.buffer)
    dot.position = Point(x: 13, y: 12)
    #expect(Region(scene.render(into: shown.buffer)).area == 20)
    dot.isHidden = true
    #expect(Region(scene.render(into: shown.buffer)).area == 16)
    dot.position = Point(x: 50, y: 50)
    dot.backgroundColor = .black
    #expect(scene.render(into: shown.buffer).isEmpty)
    dot.isHidden = false
    #expect(scene.render(into: shown.buffer) == [PixelRect(x: 48, y: 48, width: 4, height: 4)])
  }

  @Test("culling below an opaque layer does not change the picture at any magnification")
  func cullingBelowAnOpaqueLayerDoesNotChangeThePictureAtAnyMagnification() {
    var painter = PlainPainter()
    // Opaque pictures with a transparent rim, on all sides or only at the top and the bottom.
    let image = LayerImage(bitmap(12, 9) { x, y in x % 11 == 0 || y % 8 == 0 ? 0 : 0xffd0_d0d0 })
    let rows = LayerImage(bitmap(12, 9) { _, y in y % 8 == 0 ? 0 : 0xffd0_d0d0 })
    for picture in [image, rows] {
      for scale in [0.3, 0.7, 1, 1.3, 2, 3.7, 6] {
        let scene = Scene(size: Self.size)
        let shown = buffer(1)
        let plain = buffer(2)
        let ground = Layer()
        ground.frame = Rect(x: 0, y: 0, width: 96, height: 64)
        ground.backgroundColor = Color(rgb: 0x3050ff)
        scene.root.addSublayer(ground)
        let layer = Layer()
        layer.contents = picture
        layer.frame = Rect(x: 3.3, y: 4.6, width: 12 * scale, height: 9 * scale)
        scene.root.addSublayer(layer)
        _ = scene.render(into: shown.buffer)
        painter.paint(scene.root, into: plain.buffer)
        #expect(shown.difference(from: plain) == nil, "at \(scale)")
      }
    }
  }
}

extension Region {
  fileprivate init(_ rects: [PixelRect]) {
    self.init()
    for rect in rects { insert(rect) }
  }
}
