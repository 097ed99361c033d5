// SPDX-License-Identifier: Apache-2.0

import Raster
import Testing

@testable import Layers

@Suite struct MaskTests {
  private static func render(_ scene: Scene) -> Bitmap {
    let bitmap = Bitmap(width: scene.size.width, height: scene.size.height, format: .xrgb8888)
    scene.invalidate()
    _ = scene.render(into: bitmap.buffer)
    return bitmap
  }

  /// A masking layer with one sublayer, which has the same bounds if `filled`, and otherwise extends beyond
  /// the mask.
  private static func scene(filled: Bool, _ place: (Layer) -> Void) -> Scene {
    let scene = Scene(size: PixelSize(width: 120, height: 90))
    let space = Layer()
    space.frame = Rect(x: 0, y: 0, width: 120, height: 90)
    space.sublayerTransform = .perspective(distance: 260)
    let mask = Layer()
    mask.bounds = Rect(x: 2, y: 3, width: 60, height: 44)
    mask.position = Point(x: 60, y: 45)
    mask.masksToBounds = true
    mask.backgroundColor = Color(rgb: 0x203050)
    let inside = Layer()
    inside.frame = filled ? mask.bounds : Rect(x: -20, y: 18, width: 100, height: 50)
    inside.backgroundColor = Color(rgb: 0xe0b040)
    mask.addSublayer(inside)
    space.addSublayer(mask)
    scene.root.addSublayer(space)
    place(mask)
    return scene
  }

  static let places: [(String, @Sendable (Layer) -> Void)] = [
    ("upright on pixels", { _ in }),
    ("upright between pixels", { $0.position = Point(x: 60.4, y: 45.3) }),
    ("scaled", { $0.transform = .scale(x: 1.31, y: 0.77) }),
    ("mirrored", { $0.transform = .scale(x: -1.2, y: 1.1) }),
    ("rows", { $0.rotationX = 0.8 }),
    ("columns", { $0.transform = .rotation(-0.9, x: 0, y: 1, z: 0) }),
    ("turned in its plane", { $0.transform = .rotation(0.35, x: 0, y: 0, z: 1) }),
    (
      "about all axes",
      {
        $0.rotationX = 0.5
        $0.transform = Transform3D.rotation(0.7, x: 0, y: 1, z: 0)
          .concatenating(.rotation(-0.4, x: 0, y: 0, z: 1))
      }
    ),
    ("from behind", { $0.rotationX = 2.6 }), ("near edge-on", { $0.rotationX = 1.5 }),
  ]

  @Test(
    "a mask clips to its outline, with a PSNR of at least 44 dB against a supersampled reference",
    arguments: places.indices)
  func aMaskClipsToItsOutline(place: Int) {
    for isFilled in [true, false] {
      let scene = Self.scene(filled: isFilled, Self.places[place].1)
      let psnr = ReferencePainter(scene.root).psnr(Self.render(scene), stride: 5)
      // Near edge-on, a pixel contains the whole height of the mask and of the sublayer. The compositor
      // computes only the coverage of each in the pixel, so the picture is less exact.
      let least = Self.places[place].0 == "near edge-on" && !isFilled ? 30.0 : 44
      #expect(psnr >= least, "\(Self.places[place].0), filled \(isFilled)")
    }
  }

  @Test("a mask on whole pixels clips exactly at these pixels")
  func aMaskOnWholePixelsCutsAtPixels() {
    let scene = Self.scene(filled: false) { $0.position = Point(x: 60, y: 45) }
    let expected = bitmap(120, 90, .xrgb8888) { x, y in
      guard (30..<90).contains(x), (23..<67).contains(y) else { return 0xff00_0000 }
      return y - 23 >= 15 ? 0xffe0_b040 : 0xff20_3050
    }
    #expect(Self.render(scene).difference(from: expected) == nil)
  }

  @Test("a snapshot of a layer between pixels has transparent edges")
  func aSnapshotBetweenPixelsHasTransparentEdges() {
    let scene = Self.scene(filled: true) { $0.bounds.width = 59.5 }
    let picture = scene.snapshot(of: scene.root.sublayers[0].sublayers[0])
    #expect(picture.buffer.format == .argb8888)
    #expect((1..<255).contains(picture.buffer.row32(0)[59] >> 24))
    #expect(picture.buffer.row32(22)[30] == 0xffe0_b040)
  }
}
