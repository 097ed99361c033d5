// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Raster

@Suite struct DrawTests {
  static func drawn(
    _ source: PixelBuffer, _ map: Homography, width: Int, height: Int, format: PixelFormat = .argb8888,
    opacity: Double = 1, shade: Shade = .none, rect: PixelRect? = nil
  ) -> Bitmap {
    let screen = Bitmap(width: width, height: height, format: format)
    if format == .xrgb8888 { screen.buffer.clear(screen.buffer.bounds, clip: screen.buffer.bounds) }
    var scratch = RowScratch()
    screen.buffer.draw(
      source, rect ?? source.bounds, through: map, opacity: opacity, shade: shade, clip: screen.buffer.bounds,
      scratch: &scratch)
    return screen
  }

  static func noise(_ width: Int, _ height: Int, _ format: PixelFormat, seed: UInt64) -> Bitmap {
    let bitmap = Bitmap(width: width, height: height, format: format)
    var random = SplitMix(seed: seed)
    bitmap.buffer.randomize(&random)
    return bitmap
  }

  /// The maximum difference of any channel of any pixel.
  static func difference(_ a: PixelBuffer, _ b: PixelBuffer) -> Int {
    var most = 0
    for y in 0..<a.height {
      for x in 0..<a.width where a.pixel(x, y) != b.pixel(x, y) {
        for (p, q) in zip(Reference.channels(a.pixel(x, y)), Reference.channels(b.pixel(x, y))) {
          most = max(most, abs(p - q))
        }
      }
    }
    return most
  }

  @Test(
    "a map by whole pixels equals blend", arguments: [PixelFormat.argb8888, .xrgb8888],
    [(0, 0), (5, 3), (-4, -2), (25, 0)])
  func aMapByWholePixelsEqualsBlend(format: PixelFormat, offset: (Int, Int)) {
    let source = DrawTests.noise(20, 15, format, seed: 1)
    let rect = PixelRect(x: 2, y: 3, width: 17, height: 30)
    for (opacity, shade) in [(1.0, Shade.none), (0.4, .none), (1.0, Shade(top: 0.1, bottom: 0.9))] {
      let expected = Bitmap(width: 30, height: 24, format: .argb8888)
      expected.buffer.blend(
        source.buffer, rect, to: offset.0, offset.1, opacity: opacity, shade: shade,
        clip: expected.buffer.bounds)
      let map = Homography.translation(x: Double(offset.0), y: Double(offset.1))
      let got = DrawTests.drawn(
        source.buffer, map, width: 30, height: 24, opacity: opacity, shade: shade, rect: rect)
      #expect(got.buffer.equals(expected.buffer))
    }
  }

  @Test("a flap slightly off rest differs slightly from the resting picture")
  func aFlapSlightlyOffRestDiffersSlightlyFromTheRestingPicture() {
    let source = CardPicture.make(width: 90, height: 70)
    let rest = DrawTests.drawn(source.buffer, .translation(x: 20, y: 20), width: 130, height: 180)
    for angle in [1e-7, 1e-6, 1e-5, 1e-4] {
      let map = CardPicture.flap(angle, width: 90, height: 70, x: 20, y: 20)
      let got = DrawTests.drawn(source.buffer, map, width: 130, height: 180)
      #expect(DrawTests.difference(rest.buffer, got.buffer) <= 3)
    }
  }

  @Test("a mirrored flap at rest shows the picture upside down")
  func aMirroredFlapAtRestShowsThePictureUpsideDown() {
    let source = CardPicture.make(width: 45, height: 36)
    let got = DrawTests.drawn(
      source.buffer, CardPicture.flap(.pi, width: 45, height: 36, x: 3, y: 2), width: 60, height: 80)
    var same = true
    for y in 0..<36 {
      for x in 0..<45 { same = same && got.buffer.pixel(x + 3, 38 + 35 - y) == source.buffer.pixel(x, y) }
    }
    #expect(same)
    let flipped = DrawTests.drawn(
      source.buffer, Homography(a: -1, b: 0, c: 50, d: 0, e: 1, f: 0, g: 0, h: 0, i: 1), width: 60, height: 40
    )
    for y in 0..<36 {
      for x in 0..<45 { same = same && flipped.buffer.pixel(49 - x, y) == source.buffer.pixel(x, y) }
    }
    #expect(same)
  }

  @Test("coverage changes continuously with the angle")
  func coverageChangesContinuouslyWithTheAngle() {
    let source = Bitmap(width: 80, height: 60, format: .argb8888)
    source.buffer.fill(source.buffer.bounds, with: .white, clip: source.buffer.bounds)
    var before: Bitmap?
    var worst = 0
    // Each step moves the top edge by about a twentieth of a pixel.
    for step in 0..<1200 {
      let angle = 1.2 + Double(step) * 0.0006
      let map = CardPicture.flap(angle, width: 80, height: 60, x: 20, y: 10)
      let now = DrawTests.drawn(source.buffer, map, width: 120, height: 140)
      if let before { worst = max(worst, DrawTests.difference(before.buffer, now.buffer)) }
      before = now
    }
    #expect(worst <= 26)
  }

  @Test("the result does not depend on the clip, and nothing outside the clip is touched", arguments: 0..<6)
  func theResultDoesNotDependOnTheClipAndNothingOutsideTheClipIsTouched(kind: Int) {
    var random = SplitMix(seed: UInt64(kind))
    let source = DrawTests.noise(40, 33, .argb8888, seed: 2)
    let maps = [
      CardPicture.flap(0.9, width: 40, height: 33, x: 9, y: 8),
      CardPicture.flap(1.5, width: 40, height: 33, x: 9, y: 8),
      CardPicture.flap(2.6, width: 40, height: 33, x: 9.3, y: 8.2),
      Homography.scale(x: 0.43, y: 1.7).concatenating(.translation(x: 3.3, y: 1.1)),
      Transform3D.translation(x: -20, y: -16).concatenating(.rotation(0.8, x: 0, y: 1, z: 0))
        .concatenating(.perspective(distance: 120)).concatenating(.translation(x: 30, y: 30)).homography,
      Transform3D.translation(x: -20, y: -16).concatenating(.rotation(0.8, x: 1, y: 1, z: 0.5))
        .concatenating(.perspective(distance: 120)).concatenating(.translation(x: 30, y: 30)).homography,
    ]
    let whole = DrawTests.drawn(
      source.buffer, maps[kind], width: 64, height: 80, opacity: 0.9, shade: Shade(0.2))
    var scratch = RowScratch()
    var same = true
    for _ in 0..<40 {
      let guarded = GuardedBuffer(64, 80, .argb8888)
      let clip = BlitTests.rect(&random)
      guarded.buffer.draw(
        source.buffer, source.buffer.bounds, through: maps[kind], opacity: 0.9, shade: Shade(0.2), clip: clip,
        scratch: &scratch)
      for y in 0..<80 {
        for x in 0..<64 {
          let value = BlitTests.contains(clip, x, y) ? whole.buffer.pixel(x, y) : 0
          same = same && guarded.buffer.pixel(x, y) == value
        }
      }
      same = same && guarded.isIntact
    }
    #expect(same)
    let empty = Bitmap(width: 64, height: 80, format: .argb8888)
    #expect(whole.buffer.equals(empty.buffer) == false)
  }

  @Test("drawing through any map stays inside the image's bounds, the clip and the buffer", arguments: 0..<8)
  func drawingThroughAnyMapStaysInsideTheImagesBoundsTheClipAndTheBuffer(seed: UInt64) {
    var random = SplitMix(seed: seed + 900)
    var scratch = RowScratch()
    let wild = [
      0, 1, -1, 0.5, 1e-7, 1e-4, 40, -40, 1e6, -1e9, 1e30, -1e300, .infinity, .nan, .leastNonzeroMagnitude,
    ]
    func element(_ usual: Double) -> Double {
      switch random.int(0...9) {
      case 0: wild[random.int(0...(wild.count - 1))]
      case 1...4: usual + (random.unit() - 0.5) * 3
      default: usual
      }
    }
    var intact = true
    var drawn = 0
    for _ in 0..<400 {
      let map = Homography(
        a: element(1), b: element(0), c: element(0) * 10, d: element(0), e: element(1), f: element(0) * 10,
        g: element(0) / 50, h: element(0) / 50, i: element(1))
      let source = GuardedBuffer(
        random.int(0...30), random.int(0...30), random.int(0...1) == 0 ? .argb8888 : .xrgb8888)
      source.buffer.randomize(&random)
      let rect = random.int(0...1) == 0 ? source.buffer.bounds : BlitTests.rect(&random)
      let clip =
        random.int(0...1) == 0 ? PixelRect(x: 0, y: 0, width: 24, height: 20) : BlitTests.rect(&random)
      let screen = GuardedBuffer(24, 20, .argb8888)
      screen.buffer.draw(
        source.buffer, rect, through: map, opacity: random.unit() * 1.2, shade: Shade(random.unit() * 0.5),
        clip: clip, scratch: &scratch)
      let part = rect.saturated
      let bounds =
        map.bounds(of: Rect(x: 0, y: 0, width: Double(part.width), height: Double(part.height)))?.saturated
        ?? .empty
      for y in 0..<20 {
        for x in 0..<24 where screen.buffer.pixel(x, y) != 0 {
          drawn += 1
          intact = intact && BlitTests.contains(clip, x, y)
          if rect == source.buffer.bounds { intact = intact && BlitTests.contains(bounds, x, y) }
        }
      }
      intact = intact && screen.isIntact && source.isIntact
    }
    #expect(intact)
    #expect(drawn > 1000)
  }

  @Test("a rotation about y equals the transpose of one about x")
  func aRotationAboutYEqualsTheTransposeOfOneAboutX() {
    var scratch = RowScratch()
    // Opaque, for which whole rows are written directly to the screen, and half transparent.
    for format in [PixelFormat.argb8888, .xrgb8888] {
      let source = DrawTests.noise(31, 42, format, seed: 6)
      let turned = Bitmap(width: 42, height: 31, format: format)
      let ground = DrawTests.noise(90, 90, .argb8888, seed: 7)
      let turnedGround = Bitmap(width: 90, height: 90, format: .argb8888)
      for y in 0..<90 { for x in 0..<90 { turnedGround.buffer.setPixel(y, x, ground.buffer.pixel(x, y)) } }
      for y in 0..<42 { for x in 0..<31 { turned.buffer.setPixel(y, x, source.buffer.pixel(x, y)) } }
      for angle in [0.2, 0.9, 1.4, 1.56, 2.2, -0.7] {
        let about = { (x: Double, y: Double) in
          Transform3D.translation(x: -11, y: -11).concatenating(.rotation(angle, x: x, y: y, z: 0))
            .concatenating(.perspective(distance: 140)).concatenating(.translation(x: 35.4, y: 35.4))
            .homography
        }
        let columns = Bitmap(width: 90, height: 90, format: .argb8888)
        columns.buffer.assign(ground.buffer)
        let rows = Bitmap(width: 90, height: 90, format: .argb8888)
        rows.buffer.assign(turnedGround.buffer)
        let clip = rows.buffer.bounds
        for (screen, picture, map) in [(columns, source, about(0, -1)), (rows, turned, about(1, 0))] {
          screen.buffer.draw(
            picture.buffer, picture.buffer.bounds, through: map, opacity: 1, shade: .none, clip: clip,
            scratch: &scratch)
        }
        var same = true
        for y in 0..<90 {
          for x in 0..<90 { same = same && columns.buffer.pixel(x, y) == rows.buffer.pixel(y, x) }
        }
        #expect(same)
        #expect(columns.buffer.equals(ground.buffer) == false)
        #expect(about(0, -1).kind == .columns && about(1, 0).kind == .rows)
      }
    }
  }

  @Test("the general path nearly equals the row path")
  func theGeneralPathNearlyEqualsTheRowPath() {
    let source = CardPicture.make(width: 60, height: 50)
    for angle in [0.3, 0.8, 1.2, 2.5] {
      let map = CardPicture.flap(angle, width: 60, height: 50, x: 20, y: 10)
      // A map that is bent too little to be visible, but enough to be of the general kind.
      var bent = map
      bent.d += 2e-7
      bent.g += 2e-9
      #expect(map.kind == .rows && bent.kind == .general)
      let rows = DrawTests.drawn(
        source.buffer, map, width: 100, height: 140, shade: Shade(top: 0.2, bottom: 0.6))
      let general = DrawTests.drawn(
        source.buffer, bent, width: 100, height: 140, shade: Shade(top: 0.2, bottom: 0.6))
      var sum = 0.0
      for y in 0..<140 {
        for x in 0..<100 {
          let (p, q) = (
            Reference.channels(rows.buffer.pixel(x, y)), Reference.channels(general.buffer.pixel(x, y))
          )
          for i in 0..<4 { sum += Double((p[i] - q[i]) * (p[i] - q[i])) }
        }
      }
      #expect(sum / (140 * 100 * 4) < 25)
    }
  }

  @Test("a rotation in the plane has soft edges and the right area")
  func aRotationInThePlaneHasSoftEdgesAndTheRightArea() throws {
    let source = Bitmap(width: 40, height: 30, format: .xrgb8888)
    source.buffer.fill(source.buffer.bounds, with: .white, clip: source.buffer.bounds)
    for angle in [0.1, 0.5, 0.78, 2.0, 4.0] {
      let map = Transform3D.translation(x: -20, y: -15).concatenating(.rotation(angle, x: 0, y: 0, z: 1))
        .concatenating(.translation(x: 32.3, y: 31.8)).homography
      #expect(map.kind == .general)
      let got = DrawTests.drawn(source.buffer, map, width: 64, height: 64)
      var sum = 0.0
      var partial = 0
      for y in 0..<64 {
        for x in 0..<64 {
          let alpha = got.buffer.pixel(x, y) >> 24
          sum += Double(alpha) / 255
          if alpha > 0 && alpha < 255 { partial += 1 }
        }
      }
      #expect(abs(sum - 1200) < 3)
      #expect(partial > 60)
    }
  }

  @Test(
    "an opaque picture stays opaque inside and keeps its area at any scale",
    arguments: [0.25, 0.5, 1, 1.5, 3.3, 8])
  func anOpaquePictureStaysOpaqueInsideAndKeepsItsAreaAtAnyScale(scale: Double) {
    let source = Bitmap(width: 30, height: 20, format: .xrgb8888)
    source.buffer.fill(source.buffer.bounds, with: Color(rgb: 0x8090a0), clip: source.buffer.bounds)
    let map = Homography.scale(x: scale, y: scale).concatenating(.translation(x: 1.3, y: 2.6))
    let got = DrawTests.drawn(source.buffer, map, width: 260, height: 180)
    var sum = 0.0
    var inside = true
    for y in 0..<180 {
      for x in 0..<260 {
        let pixel = got.buffer.pixel(x, y)
        sum += Double(pixel >> 24) / 255
        if Double(x) >= 1.3, Double(x + 1) <= 1.3 + 30 * scale, Double(y) >= 2.6,
          Double(y + 1) <= 2.6 + 20 * scale
        {
          inside = inside && pixel == 0xff80_90a0
        }
      }
    }
    #expect(inside)
    #expect(abs(sum - 600 * scale * scale) < 0.5 + 0.2 * scale)
  }

  @Test("opacity and shade affect rows as they do blend")
  func opacityAndShadeAffectRowsAsTheyDoBlend() {
    let source = Bitmap(width: 20, height: 11, format: .xrgb8888)
    source.buffer.fill(source.buffer.bounds, with: .white, clip: source.buffer.bounds)
    let map = Homography.translation(x: 0.5, y: 0)
    let got = DrawTests.drawn(
      source.buffer, map, width: 30, height: 11, opacity: 0.6, shade: Shade(top: 0, bottom: 1))
    let blended = Bitmap(width: 30, height: 11, format: .argb8888)
    blended.buffer.blend(
      source.buffer, source.buffer.bounds, to: 0, 0, opacity: 0.6, shade: Shade(top: 0, bottom: 1),
      clip: blended.buffer.bounds)
    for y in 0..<11 {
      let (p, q) = (
        Reference.channels(got.buffer.pixel(9, y)), Reference.channels(blended.buffer.pixel(9, y))
      )
      #expect(zip(p, q).allSatisfy { abs($0 - $1) <= 1 })
    }
    #expect(got.buffer.pixel(9, 10) & 0xff_ffff == 0)
  }

  @Test("an image behind the eye, or with another format, draws nothing")
  func anImageBehindTheEyeOrWithAnotherFormatDrawsNothing() {
    let source = DrawTests.noise(10, 10, .argb8888, seed: 3)
    let behind = Homography(a: 1, b: 0, c: 0, d: 0, e: 1, f: 0, g: 0, h: -0.2, i: 1)
    let mask = DrawTests.noise(10, 10, .a8, seed: 3)
    let stretch = Homography.scale(x: 1.5, y: 1)
    // The bitmaps are in variables, because a view does not keep its bitmap alive.
    let empty = Bitmap(width: 16, height: 16, format: .argb8888)
    let first = DrawTests.drawn(source.buffer, behind, width: 16, height: 16)
    let second = DrawTests.drawn(mask.buffer, stretch, width: 16, height: 16)
    let third = DrawTests.drawn(source.buffer, stretch, width: 16, height: 16)
    #expect(first.buffer.equals(empty.buffer))
    #expect(second.buffer.equals(empty.buffer))
    #expect(third.buffer.equals(empty.buffer) == false)
    withExtendedLifetime((source, mask, empty, first, second, third)) {}
  }
}
