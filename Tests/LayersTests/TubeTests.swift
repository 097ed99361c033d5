// SPDX-License-Identifier: Apache-2.0

import Glibc
import Raster
import Testing

@testable import Layers

/// A tube about a vertical axis, as in the page transition `roll`.
private struct Tube {
  let scene = Scene(size: PixelSize(width: 120, height: 60))
  let tube = Layer()
  let sides: [Layer]

  init(_ count: Int, perspective: Double?, x: Double = 60) {
    tube.isTransformLayer = true
    let width = 50 * sin(.pi / Double(count))
    tube.bounds = Rect(x: 0, y: 0, width: width, height: 30)
    tube.position = Point(x: x, y: 30)
    let space = Layer()
    space.frame = Rect(x: 0, y: 0, width: 120, height: 60)
    if let perspective { space.sublayerTransform = .perspective(distance: perspective) }
    sides = (0..<count).map { index in
      let side = Layer()
      side.bounds = Rect(x: 0, y: 0, width: width, height: 30)
      side.position = Point(x: width / 2, y: 15)
      side.backgroundColor = Color(
        red: UInt8(90 + index * 37 % 60), green: UInt8(90 + index * 23 % 50),
        blue: UInt8(100 + index * 11 % 40))
      side.transform = Transform3D.translation(x: 0, y: 0, z: 25 * cos(.pi / Double(count)))
        .concatenating(.rotation(-Double(index) * 2 * .pi / Double(count), x: 0, y: 1, z: 0))
      return side
    }
    for side in sides { tube.addSublayer(side) }
    space.addSublayer(tube)
    scene.root.addSublayer(space)
  }

  func picture() -> Bitmap {
    let bitmap = Bitmap(width: 120, height: 60, format: .xrgb8888)
    scene.invalidate()
    _ = scene.render(into: bitmap.buffer)
    return bitmap
  }
}

@Suite struct TubeTests {
  @Test(
    "the nearest side of a tube is visible at every point except edges, at twenty angles",
    arguments: [3, 4, 6, 7, 12], [nil, 300.0])
  func theNearestSideOfATubeIsVisibleAtEveryPointExceptEdgesAtTwentyAngles(sides: Int, perspective: Double?) {
    do {
      let x = perspective == nil ? 60.0 : 25
      let tube = Tube(sides, perspective: perspective, x: x)
      for step in 0..<20 {
        tube.tube.transform = .rotation((Double(step) + 0.3) * .pi / 10, x: 0, y: 1, z: 0)
        if step % 3 == 0 { tube.tube.rotationX = 0.2 * Double(step % 5) }
        var reference = ReferencePainter(tube.scene.root)
        reference.usesDepthBuffer = true
        let picture = tube.picture()
        var (looked, wrong) = (0, 0)
        for index in stride(from: 3, to: 120 * 60, by: 37) {
          guard let color = reference.flatColor(index % 120, index / 120) else { continue }
          let pixel = picture.buffer.row32(index / 120)[index % 120]
          looked += color == .zero ? 0 : 1
          if UInt32(color[2]) != pixel >> 16 & 255 || UInt32(color[0]) != pixel & 255 { wrong += 1 }
        }
        #expect(looked > 10 && wrong == 0, "step \(step) at \(x): \(wrong) of \(looked)")
      }
    }
  }

  @Test(
    "sublayers of equal depth keep their order; those of nested transform layers use their own depth")
  func sublayersOfEqualDepthKeepTheirOrderThoseOfNestedTransformLayersUseTheirOwnDepth() {
    let scene = Scene(size: PixelSize(width: 8, height: 8))
    let space = Layer()
    space.isTransformLayer = true
    let inner = Layer()
    inner.isTransformLayer = true
    func layer(_ rgb: UInt32, z: Double, in parent: Layer) -> Layer {
      let layer = Layer()
      layer.frame = Rect(x: 0, y: 0, width: 8, height: 8)
      layer.backgroundColor = Color(rgb: rgb)
      // The layer is moved by its transform instead of its z position, so that siblings stay in the order in
      // which they were added.
      layer.transform = .translation(x: 0, y: 0, z: z)
      parent.addSublayer(layer)
      return layer
    }
    scene.root.addSublayer(space)
    space.addSublayer(inner)
    let a = layer(0xa0, z: 1, in: inner)
    let b = layer(0xb0, z: 1, in: space)
    let c = layer(0xc0, z: 0.5, in: space)
    let shown = Bitmap(width: 8, height: 8, format: .xrgb8888)
    func front() -> UInt32 {
      _ = scene.render(into: shown.buffer)
      return shown.buffer.row32(4)[4] & 0xff
    }
    #expect(front() == 0xb0)
    a.transform = .translation(x: 0, y: 0, z: 1.5)
    #expect(front() == 0xa0)
    c.transform = .translation(x: 0, y: 0, z: 2)
    #expect(front() == 0xc0)
    c.isHidden = true
    b.transform = .translation(x: 0, y: 0, z: 1.5)
    #expect(front() == 0xb0)
    inner.transform = .translation(x: 0, y: 0, z: 0.1)
    #expect(front() == 0xa0)
    // Layers that are flattened are drawn in the order in which they were added.
    space.isTransformLayer = false
    #expect(front() == 0xb0)
  }
}
