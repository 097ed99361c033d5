// SPDX-License-Identifier: Apache-2.0

import Raster
import Testing

@testable import Layers

@Suite struct SnapshotTests {
  private func picture(_ width: Int, _ height: Int, alpha: UInt32 = 0xff) -> LayerImage {
    LayerImage(
      bitmap(width, height) { x, y in
        alpha << 24 | UInt32(x * 3 & 0x7f) << 16 | UInt32(y * 5 & 0x7f) << 8 | UInt32((x ^ y) & 0x7f)
      })
  }

  @Test("a snapshot of the root equals the frame on the screen", arguments: 0..<20)
  func aSnapshotOfTheRootEqualsTheFrameOnTheScreen(seed: UInt64) {
    var tree = RandomTree(seed: seed, size: PixelSize(width: 80, height: 60))
    let screen = Bitmap(width: tree.scene.size.width, height: tree.scene.size.height, format: .xrgb8888)
    tree.scene.root.backgroundColor = Color(rgb: 0x203040)
    for _ in 0..<8 {
      tree.change()
      _ = tree.scene.render(into: screen.buffer)
      let snapshot = tree.scene.snapshot(of: tree.scene.root)
      #expect(snapshot.difference(from: screen) == nil)
    }
  }

  @Test("a colour change that a snapshot saw in between is drawn in the next frame")
  func aColourChangeThatASnapshotSawInBetweenIsDrawnInTheNextFrame() {
    let scene = Scene(size: PixelSize(width: 20, height: 12))
    let screen = Bitmap(width: 20, height: 12, format: .xrgb8888)
    let layer = Layer()
    layer.frame = Rect(x: 2.5, y: 1.5, width: 14, height: 8)
    scene.root.addSublayer(layer)
    layer.backgroundColor = Color(rgb: 0x20c0d0)
    _ = scene.render(into: screen.buffer)
    weak var drawn: LayerImage?
    drawn = layer.solid
    layer.backgroundColor = Color(rgb: 0x304050)
    _ = scene.snapshot(of: scene.root)
    // Frames compare pictures by the address of their pixels, so the drawn picture must exist until the next
    // frame.
    #expect(drawn != nil && drawn !== layer.solid)
    layer.backgroundColor = Color(rgb: 0xe06020)
    _ = scene.render(into: screen.buffer)
    #expect(screen.buffer.row32(5)[9] == 0xffe0_6020)
    #expect(drawn == nil)
  }

  @Test("a snapshot is in the layer's own space, regardless of its placement")
  func aSnapshotIsInTheLayersOwnSpaceRegardlessOfItsPlacement() {
    let scene = Scene(size: PixelSize(width: 200, height: 200))
    let page = Layer()
    page.bounds = Rect(x: 7, y: -3, width: 60, height: 40)
    page.position = Point(x: 150, y: 150)
    page.transform = .rotation(1, x: 1, y: 2, z: 3)
    page.opacity = 0.3
    page.isHidden = true
    let child = Layer()
    child.frame = Rect(x: 17, y: 2, width: 20, height: 10)
    child.contents = picture(20, 10)
    page.addSublayer(child)
    scene.root.addSublayer(page)
    let source = child.contents?.bitmap.buffer
    let expected = bitmap(60, 40) { x, y in
      let (px, py) = (x - 10, y - 5)
      return (0..<20).contains(px) && (0..<10).contains(py) ? source?.row32(py)[px] ?? 1 : 0
    }
    #expect(scene.snapshot(of: page).difference(from: expected) == nil)
  }

  @Test("a snapshot is translucent unless it is covered entirely")
  func aSnapshotIsTranslucentUnlessItIsCoveredEntirely() {
    let scene = Scene(size: PixelSize(width: 40, height: 40))
    let page = Layer()
    page.frame = Rect(x: 0, y: 0, width: 40, height: 30)
    page.contents = picture(40, 30, alpha: 0x80)
    #expect(scene.snapshot(of: page).buffer.format == .argb8888)
    #expect(page.contents.map { scene.snapshot(of: page).difference(from: $0.bitmap) } == .some(nil))
    page.contents = picture(40, 30)
    #expect(scene.snapshot(of: page).buffer.format == .xrgb8888)
    page.bounds = .zero
    #expect(scene.snapshot(of: page).size == PixelSize(width: 0, height: 0))
  }

  @Test("a snapshot uses presentation values")
  func aSnapshotUsesPresentationValues() {
    let scene = Scene(size: PixelSize(width: 40, height: 40))
    let child = Layer()
    child.frame = Rect(x: 0, y: 0, width: 10, height: 10)
    child.backgroundColor = .white
    scene.root.addSublayer(child)
    child.add(
      Animation(
        .position, from: .point(Point(x: 5, y: 5)), to: .point(Point(x: 25, y: 5)), duration: 2))
    scene.advance(to: 1)
    let snapshot = scene.snapshot(of: scene.root)
    #expect(snapshot.buffer.row32(4)[9] == 0)
    #expect(snapshot.buffer.row32(4)[10] == 0xffff_ffff)
    #expect(snapshot.buffer.row32(4)[19] == 0xffff_ffff)
    #expect(snapshot.buffer.row32(4)[20] == 0)
  }

  @Test("a snapshot between two frames does not affect the second", arguments: 0..<20)
  func aSnapshotBetweenTwoFramesDoesNotAffectTheSecond(seed: UInt64) {
    var one = RandomTree(seed: seed, size: PixelSize(width: 80, height: 60))
    var other = RandomTree(seed: seed, size: PixelSize(width: 80, height: 60))
    let size = one.scene.size
    let first = Bitmap(width: size.width, height: size.height, format: .xrgb8888)
    let second = Bitmap(width: size.width, height: size.height, format: .xrgb8888)
    for _ in 0..<12 {
      one.change()
      other.change()
      for layer in [one.scene.root] + one.scene.root.sublayers { _ = one.scene.snapshot(of: layer) }
      #expect(one.scene.render(into: first.buffer) == other.scene.render(into: second.buffer))
      #expect(first.difference(from: second) == nil)
    }
  }
}
