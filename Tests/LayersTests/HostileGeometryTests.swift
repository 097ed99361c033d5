// SPDX-License-Identifier: Apache-2.0

import Raster
import Testing

@testable import Layers

@Suite struct HostileGeometryTests {
  static let numbers: [Double] = [
    0, -0.0, 1, -1, 0.5, 1e-300, .leastNonzeroMagnitude, 1e5, 1e7, -1e7, 1e9, -1e9, 1e15, 1e19, -1e19, 1e300,
    -1e300,
    .greatestFiniteMagnitude, .infinity, -.infinity, .nan,
  ]

  static let changes: [(String, @Sendable (Layer, Double, Double) -> Void)] = [
    ("position", { $0.position = Point(x: $1, y: $2) }),
    ("size", { $0.bounds = Rect(x: 0, y: 0, width: $1, height: $2) }),
    ("origin", { $0.bounds = Rect(x: $1, y: $2, width: 10, height: 10) }),
    ("bounds", { $0.bounds = Rect(x: $1, y: $2, width: $2, height: $1) }),
    ("anchor point", { $0.anchorPoint = Point(x: $1, y: $2) }),
    ("z position", { $0.zPosition = $1 + $2 }),
    ("turn about x", { $0.rotationX = $1 + $2 }),
    ("turn about y", { $0.transform = .rotation($1 + $2, x: 0, y: 1, z: 0) }),
    ("turn about z", { $0.transform = .rotation($1 + $2, x: 0, y: 0, z: 1) }),
    ("opacity", { $0.opacity = $1 + $2 }),
    ("shade", { $0.shade = Shade(top: $1, bottom: $2) }),
    ("scale", { $0.transform = .scale(x: $1, y: $2) }),
    (
      "rotated scale",
      {
        $0.rotationX = 0.7; $0.transform = .scale(x: $1, y: $2)
      }
    ),
    ("contents", { $0.contentsRect = Rect(x: $1, y: $2, width: 1, height: 1) }),
    ("part of contents", { $0.contentsRect = Rect(x: 0, y: 0, width: $1, height: $2) }),
    (
      "scale turned in its plane",
      {
        $0.transform = Transform3D.scale(x: $1, y: $2).concatenating(.rotation(0.3, x: 0, y: 0, z: 1))
      }
    ),
    (
      "perspective",
      {
        $0.sublayerTransform.m34 = $1; $0.sublayerTransform.m14 = $2
      }
    ),
  ]

  @Test(
    "any number gives a frame that can be drawn, with complete damage", arguments: changes.indices
  )
  func anyNumberGivesAFrameThatCanBeDrawnWithCompleteDamage(_ index: Int) {
    let (name, change) = Self.changes[index]
    var painter = PlainPainter()
    let shown = bitmap(24, 16, .xrgb8888) { _, _ in 0xff55_5555 }
    let plain = bitmap(24, 16, .xrgb8888) { _, _ in 0 }
    let contents: [LayerImage?] = [
      LayerImage(bitmap(6, 6) { x, _ in x == 2 ? 0 : 0xffaa_bbcc }),
      LayerImage(bitmap(4, 20, .xrgb8888) { _, _ in 0xff11_2233 }, extent: .repeatSideways), nil,
    ]
    var frames = 0
    for image in contents {
      let scene = Scene(size: PixelSize(width: 24, height: 16))
      for a in Self.numbers {
        for b in [a, 3, .nan, 1e300] {
          let layer = Layer()
          layer.contents = image
          layer.backgroundColor = Color(rgb: 0x4080c0)
          layer.masksToBounds = true
          layer.frame = Rect(x: 4, y: 4, width: 10, height: 10)
          let child = Layer()
          child.frame = Rect(x: 2, y: 2, width: 20, height: 3)
          child.backgroundColor = .white
          child.rotationX = 0.5
          layer.addSublayer(child)
          scene.root.addSublayer(layer)
          change(layer, a, b)
          _ = scene.render(into: shown.buffer)
          layer.isTransformLayer = true
          _ = scene.render(into: shown.buffer)
          frames += 2
          if Self.isTame(a), Self.isTame(b) {
            painter.paint(scene.root, into: plain.buffer)
            #expect(shown.difference(from: plain) == nil, "\(name) \(a), \(b)")
          }
          layer.removeFromSuperlayer()
        }
      }
      _ = scene.render(into: shown.buffer)
      let black = bitmap(24, 16, .xrgb8888) { _, _ in 0xff00_0000 }
      #expect(shown.difference(from: black) == nil, "\(name): something is left over")
    }
    #expect(frames == contents.count * Self.numbers.count * 8)
  }

  /// Whether the plain painter, which does not check its numbers, can handle this number.
  private static func isTame(_ number: Double) -> Bool { abs(number) < 1000 }

  @Test("hostile numbers in a layer do not affect its siblings")
  func hostileNumbersInALayerDoNotAffectItsSiblings() {
    let scene = Scene(size: PixelSize(width: 24, height: 16))
    let shown = bitmap(24, 16, .xrgb8888) { _, _ in 0 }
    let good = Layer()
    good.frame = Rect(x: 1, y: 2, width: 3, height: 4)
    good.backgroundColor = .white
    scene.root.addSublayer(good)
    for number in Self.numbers where abs(number) > 1e6 || number.isNaN {
      let bad = Layer()
      bad.frame = Rect(x: number, y: number, width: 5, height: 5)
      bad.backgroundColor = Color(rgb: 0xff0000)
      scene.root.addSublayer(bad)
    }
    _ = scene.render(into: shown.buffer)
    let expected = bitmap(24, 16, .xrgb8888) { x, y in
      (1..<4).contains(x) && (2..<6).contains(y) ? 0xffff_ffff : 0xff00_0000
    }
    #expect(shown.difference(from: expected) == nil)
  }

  @Test(
    "a scene of any size, down to nothing, can be drawn", arguments: [(0, 0), (1, 1), (0, 5), (5, 0), (3, 1)])
  func aSceneOfAnySizeDownToNothingCanBeDrawn(width: Int, height: Int) {
    let scene = Scene(size: PixelSize(width: width, height: height))
    let shown = Bitmap(width: width, height: height, format: .xrgb8888)
    let layer = Layer()
    layer.frame = Rect(x: 0, y: 0, width: 2, height: 2)
    layer.backgroundColor = .white
    scene.root.addSublayer(layer)
    let area = scene.render(into: shown.buffer).reduce(0) { $0 + $1.area }
    #expect(area == width * height)
    #expect(scene.size == PixelSize(width: width, height: height))
  }
}
