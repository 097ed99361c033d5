// SPDX-License-Identifier: Apache-2.0

import Raster
import TestSupport
import Testing

@testable import Layers

@Suite struct ContentsTests {
  /// An opaque picture in which every pixel differs.
  private static func picture(_ width: Int, _ height: Int) -> Bitmap {
    bitmap(width, height) { x, y in 0xff00_0000 | UInt32((x + 1) * 70_001 + (y + 1) * 911) & 0xff_ffff }
  }

  private static func render(_ layers: [Layer], _ width: Int, _ height: Int) -> Bitmap {
    let scene = Scene(size: PixelSize(width: width, height: height))
    for layer in layers { scene.root.addSublayer(layer) }
    let screen = Bitmap(width: width, height: height, format: .xrgb8888)
    _ = scene.render(into: screen.buffer)
    return screen
  }

  @Test("contentsRect does not apply to a background colour")
  func contentsRectDoesNotApplyToABackgroundColour() {
    func ground(_ part: Rect) -> Layer {
      let layer = Layer()
      layer.backgroundColor = Color(rgb: 0x40a0c0)
      layer.contentsRect = part
      layer.frame = Rect(x: 3.4, y: 2.7, width: 14.5, height: 9.2)
      return layer
    }
    let whole = Self.render([ground(.unit)], 24, 16)
    #expect(whole.buffer.row32(7)[10] == 0xff40_a0c0)
    for part in [
      Rect(x: 0, y: 0.5, width: 1, height: 0.5), Rect(x: 0.31, y: 0.27, width: 0.44, height: 0.61),
      Rect(x: 0, y: 1, width: 1, height: -0.5), Rect(x: 2, y: 2, width: 1, height: 1),
    ] {
      #expect(Self.render([ground(part)], 24, 16).difference(from: whole) == nil, "\(part)")
    }
  }

  @Test("the two halves of a picture meet without a seam", arguments: [2, 3, 17, 40, 41, 100, 101])
  func theTwoHalvesOfAPictureMeetWithoutASeam(height: Int) {
    let image = LayerImage(Self.picture(13, height))
    let whole = Layer()
    whole.contents = image
    whole.frame = Rect(x: 4, y: 5, width: 13, height: Double(height))
    let split = (Double(height) / 2).rounded()
    let upper = Layer()
    upper.contents = image
    upper.contentsRect = Rect(x: 0, y: 0, width: 1, height: 0.5)
    upper.frame = Rect(x: 4, y: 5, width: 13, height: split)
    let lower = Layer()
    lower.contents = image
    lower.contentsRect = Rect(x: 0, y: 0.5, width: 1, height: 0.5)
    lower.frame = Rect(x: 4, y: 5 + split, width: 13, height: Double(height) - split)
    let one = Self.render([whole], 24, height + 12)
    let two = Self.render([upper, lower], 24, height + 12)
    #expect(one.difference(from: two) == nil)
  }

  @Test(
    "a negative height shows the part upside down",
    arguments: [
      (Rect(x: 0, y: 1, width: 1, height: -1), 0, 8), (Rect(x: 0, y: 1, width: 1, height: -0.5), 4, 8),
      (Rect(x: 0, y: 0.5, width: 1, height: -0.5), 0, 4),
    ])
  func aNegativeHeightShowsThePartUpsideDown(part: Rect, first: Int, last: Int) {
    let picture = Self.picture(6, 8)
    let layer = Layer()
    layer.contents = LayerImage(picture)
    layer.contentsRect = part
    layer.frame = Rect(x: 1, y: 1, width: 6, height: Double(last - first))
    // When the layer is rotated about its middle, the picture is upright again.
    layer.rotationX = .pi
    let upright = Self.render([layer], 8, 10)
    let expected = bitmap(8, 10, .xrgb8888) { x, y in
      let (px, py) = (x - 1, y - 1 + first)
      return (0..<6).contains(px) && (first..<last).contains(py) ? picture.buffer.row32(py)[px] : 0xff00_0000
    }
    #expect(upright.difference(from: expected) == nil)
  }

  @Test(
    "a narrow tile is repeated over the whole width, starting at the layer's left edge",
    arguments: [1, 4, 5, 23])
  func aNarrowTileIsRepeatedOverTheWholeWidthStartingAtTheLayersLeftEdge(tileWidth: Int) {
    let picture = Self.picture(tileWidth, 9)
    let layer = Layer()
    layer.contents = LayerImage(picture, extent: .repeatSideways)
    layer.frame = Rect(x: -3, y: 2, width: 21, height: 9)
    let screen = Self.render([layer], 24, 14)
    let expected = bitmap(24, 14, .xrgb8888) { x, y in
      (0..<9).contains(y - 2) && x < 18 ? picture.buffer.row32(y - 2)[(x + 3) % tileWidth] : 0xff00_0000
    }
    #expect(screen.difference(from: expected) == nil)
  }

  @Test("the area below a tile shows the layers behind it")
  func theAreaBelowATileShowsTheLayersBehindIt() {
    let ground = Layer()
    ground.frame = Rect(x: 0, y: 0, width: 12, height: 12)
    ground.backgroundColor = Color(rgb: 0x336699)
    let tile = Layer()
    tile.contents = LayerImage(bitmap(4, 5, .xrgb8888) { _, _ in 0xffff_ffff }, extent: .repeatSideways)
    tile.frame = Rect(x: 0, y: 0, width: 12, height: 12)
    let expected = bitmap(12, 12, .xrgb8888) { _, y in y < 5 ? 0xffff_ffff : 0xff33_6699 }
    let screen = Self.render([ground, tile], 12, 12)
    #expect(screen.difference(from: expected) == nil)
  }

  @Test("a background with edges between pixels is antialiased")
  func aBackgroundWithEdgesBetweenPixelsIsAntialiased() {
    let layer = Layer()
    layer.frame = Rect(x: 1.5, y: 1, width: 2, height: 1)
    layer.backgroundColor = .white
    let screen = Self.render([layer], 5, 3)
    let blue = (0..<5).map { screen.buffer.row32(1)[$0] & 0xff }
    #expect([blue[0], blue[2], blue[4]] == [0, 255, 0])
    #expect((126...129).contains(blue[1]) && (126...129).contains(blue[3]))
  }

  @Test("opaque parts are opaque, and a picture without holes is one opaque part", arguments: 0..<20)
  func opaquePartsAreOpaqueAndAreFoundInCards(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let (width, height) = (random.int(1...20), random.int(1...20))
    let holes = (0..<random.int(0...3)).map { _ in
      PixelRect(
        x: random.int(-3...19), y: random.int(-3...19), width: random.int(1...9), height: random.int(1...9))
    }
    let picture = bitmap(width, height) { x, y in
      holes.contains { $0.contains(PixelRect(x: x, y: y, width: 1, height: 1)) } ? 0xfeee_eeee : 0xffee_eeee
    }
    let parts = LayerImage(picture).opaqueParts
    for part in [parts.0, parts.1] {
      #expect(picture.buffer.bounds.contains(part))
      for y in part.y..<max(part.maxY, part.y) {
        for x in part.x..<part.maxX { #expect(picture.buffer.row32(y)[x] >> 24 == 255) }
      }
    }
    if holes.isEmpty { #expect(parts.0 == picture.buffer.bounds) }
  }
}
