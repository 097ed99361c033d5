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

  /// A masking layer with one sublayer, which has the same bounds if `filled`, and otherwise extends beyond the mask.
  private static func scene(radius: Double, filled: Bool, _ place: (Layer) -> Void) -> Scene {
    let scene = Scene(size: PixelSize(width: 120, height: 90))
    let space = Layer()
    space.frame = Rect(x: 0, y: 0, width: 120, height: 90)
    space.sublayerTransform = .perspective(distance: 260)
    let mask = Layer()
    mask.bounds = Rect(x: 2, y: 3, width: 60, height: 44)
    mask.position = Point(x: 60, y: 45)
    mask.masksToBounds = true
    mask.cornerRadius = radius
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
    arguments: places.indices,
    [0.0, 9, 30])
  func aMaskClipsToItsOutline(place: Int, radius: Double) {
    for isFilled in [true, false] {
      let scene = Self.scene(radius: radius, filled: isFilled, Self.places[place].1)
      let psnr = ReferencePainter(scene.root).psnr(Self.render(scene), stride: 5)
      // Near edge-on, a pixel contains the whole height of the mask and of the sublayer. The compositor computes only
      // the coverage of each in the pixel, so the picture is less exact.
      let least = Self.places[place].0 == "near edge-on" && !isFilled ? 30.0 : 44
      #expect(psnr >= least, "\(Self.places[place].0), filled \(isFilled)")
    }
  }

  @Test("a mask on whole pixels without round corners needs no offscreen buffer")
  func aMaskOnWholePixelsCutsAtPixels() {
    let scene = Self.scene(radius: 0, filled: false) { $0.position = Point(x: 60, y: 45) }
    let expected = bitmap(120, 90, .xrgb8888) { x, y in
      guard (30..<90).contains(x), (23..<67).contains(y) else { return 0xff00_0000 }
      return y - 23 >= 15 ? 0xffe0_b040 : 0xff20_3050
    }
    #expect(Self.render(scene).difference(from: expected) == nil)
  }

  @Test("round corners clip contents and background, but sublayers only if the layer masks")
  func roundCornersClipContentsAndBackgroundButSublayersOnlyIfTheLayerMasks() {
    let white = LayerImage(bitmap(30, 20, .xrgb8888) { _, _ in 0xffff_ffff })
    var pictures: [Bitmap] = []
    for contents in [white, nil] {
      let scene = Scene(size: PixelSize(width: 40, height: 30))
      let layer = Layer()
      layer.contents = contents
      layer.backgroundColor = .white
      layer.cornerRadius = 6
      layer.frame = Rect(x: 5, y: 5, width: 30, height: 20)
      scene.root.addSublayer(layer)
      pictures.append(Self.render(scene))
      #expect(ReferencePainter(scene.root).psnr(pictures[pictures.count - 1], stride: 1) >= 46)
      let sublayer = Layer()
      sublayer.frame = Rect(x: 0, y: 0, width: 5, height: 5)
      sublayer.backgroundColor = .white
      layer.addSublayer(sublayer)
      #expect(Self.render(scene).buffer.row32(5)[5] == 0xffff_ffff)
    }
    #expect(pictures[0].difference(from: pictures[1]) == nil)
    // The pixel in the corner is outside the arc; the pixels in the middle of an edge are covered fully.
    #expect(pictures[0].buffer.row32(5)[5] == 0xff00_0000)
    #expect(pictures[0].buffer.row32(5)[20] == 0xffff_ffff)
    #expect(pictures[0].buffer.row32(15)[34] == 0xffff_ffff)
  }

  @Test("the radius is limited to half of the shorter side; a negative one is zero")
  func aRadiusIsWhatThereIsRoomFor() {
    func picture(_ radius: Double) -> Bitmap {
      let scene = Self.scene(radius: radius, filled: true) { _ in }
      return Self.render(scene)
    }
    #expect(picture(22).difference(from: picture(1e9)) == nil)
    #expect(picture(0).difference(from: picture(-5)) == nil)
    #expect(picture(0).difference(from: picture(.nan)) == nil)
    #expect(picture(22).difference(from: picture(0)) != nil)
  }

  @Test("the corner radius animates, with complete damage in each frame")
  func theCornerRadiusAnimatesWithCompleteDamageInEachFrame() {
    let scene = Self.scene(radius: 0, filled: false) { $0.transform = .rotation(0.2, x: 0, y: 0, z: 1) }
    let mask = scene.root.sublayers[0].sublayers[0]
    mask.add(Animation(.cornerRadius, from: .scalar(0), to: .scalar(20), duration: 1))
    let shown = Bitmap(width: 120, height: 90, format: .xrgb8888)
    let plain = Bitmap(width: 120, height: 90, format: .xrgb8888)
    var painter = PlainPainter()
    for step in 0...8 {
      scene.advance(to: Double(step) / 8)
      let damage = scene.render(into: shown.buffer)
      painter.paint(scene.root, into: plain.buffer)
      #expect(shown.difference(from: plain) == nil)
      #expect(!damage.isEmpty)
    }
  }

  @Test("a snapshot of a masking layer has transparent corners")
  func aSnapshotOfAMaskingLayerHasTransparentCorners() {
    let scene = Self.scene(radius: 10, filled: true) { _ in }
    let picture = scene.snapshot(of: scene.root.sublayers[0].sublayers[0])
    #expect(picture.buffer.format == .argb8888)
    #expect(picture.buffer.row32(0)[0] == 0)
    #expect(picture.buffer.row32(22)[30] == 0xffe0_b040)
  }
}
