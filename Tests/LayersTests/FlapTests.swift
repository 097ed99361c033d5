// SPDX-License-Identifier: Apache-2.0

import Glibc
import Raster
import Testing

@testable import Layers

/// A flap like those of the cards: it rotates about its lower edge, with the card's perspective.
private struct Flap {
  let scene: Scene
  let layer = Layer()

  /// The card is at (x, y), `width` by twice `height`; the eye is `distance` away.
  init(x: Double, y: Double, width: Double, height: Double, distance: Double, screen: PixelSize) {
    scene = Scene(size: screen)
    let space = Layer()
    space.frame = Rect(x: x, y: y, width: width, height: 2 * height)
    space.sublayerTransform = .perspective(distance: distance)
    layer.anchorPoint = Point(x: 0.5, y: 1)
    layer.bounds = Rect(x: 0, y: 0, width: width, height: height)
    layer.position = Point(x: width / 2, y: height)
    space.addSublayer(layer)
    scene.root.addSublayer(space)
  }
}

@Suite struct FlapTests {
  /// The position of the free edge of a 100 × 100 flap that is rotated towards an eye at a distance of 500:
  /// its y below the hinge, and half its width. Calculated by hand: z = 100·sin, w = 1 − z/500, y =
  /// −100·cos/w, half = 50/w.
  @Test(
    "the free edge of a flap follows the perspective",
    arguments: [
      (0, -100, 50), (30, -96.22504486, 55.55555556), (45, -82.35775, 58.23572),
      (60, -60.47447, 60.47447), (90, 0, 62.5), (120, 60.47447, 60.47447), (135, 82.35775, 58.23572),
      (150, 96.22504486, 55.55555556), (180, 100, 50),
    ])
  func theFreeEdgeOfAFlapFollowsThePerspective(degrees: Double, y: Double, half: Double) throws {
    let flap = Flap(
      x: 50, y: 30, width: 100, height: 100, distance: 500, screen: PixelSize(width: 200, height: 260))
    // Exactly edge-on, the map has no inverse; at a slightly larger angle it has one.
    flap.layer.rotationX = -(degrees == 90 ? 90.0000001 : degrees) * .pi / 180
    flap.layer.contents = LayerImage(bitmap(100, 100) { _, _ in 0xffff_ffff })
    let screen = Bitmap(width: 200, height: 260, format: .xrgb8888)
    _ = flap.scene.render(into: screen.buffer)
    let placement = flap.layer.presentation.placement
    let space = try #require(flap.layer.superlayer)
    let outer = try #require(space.presentation.sublayerPlacement)
    let map = placement.concatenating(outer).homography.concatenating(space.presentation.placement.homography)
    let left = try #require(map(Point(x: 0, y: 0)))
    let right = try #require(map(Point(x: 100, y: 0)))
    let hinge = try #require(map(Point(x: 0, y: 100)))
    for (value, expected) in [
      (left.x, 100 - half), (right.x, 100 + half), (left.y, 130 + y), (right.y, 130 + y), (hinge.x, 50),
      (hinge.y, 130),
    ] {
      #expect(abs(value - expected) < 1e-4)
    }
    // The compositor drew the flap at that position.
    if degrees == 90 {
      #expect(flap.layer.trace.item == nil)
    } else {
      let drawn = try #require(flap.layer.trace.item)
      #expect(drawn.map(Point(x: 0, y: 0)).map { abs($0.x - left.x) + abs($0.y - left.y) < 1e-9 } == true)
      #expect(drawn.bounds.y == Int((130 + min(y, 0) + 0.001).rounded(.down)))
      #expect(drawn.bounds.maxY == Int((130 + max(y, 0) - 0.001).rounded(.up)))
    }
  }

  @Test("at rest and fully turned, a flap equals its picture pixel for pixel")
  func atRestAndFullyTurnedAFlapEqualsItsPicturePixelForPixel() {
    let picture = bitmap(30, 20) { x, y in 0xff00_0000 | UInt32(x * 8 << 16 | y * 12 << 8 | x ^ y) }
    let flap = Flap(
      x: 5, y: 3, width: 30, height: 20, distance: 100, screen: PixelSize(width: 40, height: 46))
    flap.layer.contents = LayerImage(picture)
    let screen = Bitmap(width: 40, height: 46, format: .xrgb8888)
    func expected(y: Int) -> Bitmap {
      bitmap(40, 46, .xrgb8888) { x, row in
        let (px, py) = (x - 5, row - y)
        return (0..<30).contains(px) && (0..<20).contains(py) ? picture.buffer.row32(py)[px] : 0xff00_0000
      }
    }
    _ = flap.scene.render(into: screen.buffer)
    #expect(screen.difference(from: expected(y: 3)) == nil)
    // The back is drawn upside down, so that it is upright after the turn.
    flap.layer.contentsRect = Rect(x: 0, y: 1, width: 1, height: -1)
    for turn in [-Double.pi, .pi] {
      flap.layer.rotationX = turn
      _ = flap.scene.render(into: screen.buffer)
      #expect(screen.difference(from: expected(y: 23)) == nil)
    }
  }

  @Test("an edge-on flap draws nothing")
  func anEdgeOnFlapDrawsNothing() {
    let flap = Flap(
      x: 5, y: 3, width: 30, height: 20, distance: 100, screen: PixelSize(width: 40, height: 46))
    flap.layer.contents = LayerImage(bitmap(30, 20) { _, _ in 0xffff_ffff })
    let screen = Bitmap(width: 40, height: 46, format: .xrgb8888)
    flap.layer.rotationX = -.pi / 2
    _ = flap.scene.render(into: screen.buffer)
    let black = bitmap(40, 46, .xrgb8888) { _, _ in 0xff00_0000 }
    #expect(screen.difference(from: black) == nil)
  }

  @Test(
    "a flap has a PSNR of at least 40 dB against a reference in doubles, at twenty angles",
    arguments: [(90, 72), (140, 112), (220, 176)])
  func aFlapIsNearAReferenceInDoublesAtTwentyAngles(width: Int, height: Int) throws {
    let picture = Self.picture(width, height)
    let size = PixelSize(width: width + width / 2, height: height * 3)
    let (x, y) = (Double(width / 4), Double(height / 2))
    let flap = Flap(
      x: x, y: y, width: Double(width), height: Double(height), distance: 5.4 * Double(height), screen: size)
    let ground = Layer()
    ground.frame = Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
    ground.backgroundColor = Color(rgb: 0x506070)
    flap.scene.root.insertSublayer(ground, at: 0)
    flap.layer.contents = LayerImage(picture)
    let screen = Bitmap(width: size.width, height: size.height, format: .xrgb8888)
    for step in 0..<20 {
      let angle = Double.pi * (Double(step) + 0.35) / 20
      flap.layer.rotationX = -angle
      _ = flap.scene.render(into: screen.buffer)
      let reference = FlapReference(
        picture: picture.buffer, ground: SIMD3(0x70, 0x60, 0x50),
        hinge: Point(x: x + Double(width) / 2, y: y + Double(height)),
        angle: angle, distance: 5.4 * Double(height))
      let bounds = try #require(flap.layer.trace.item?.bounds)
      let stride = bounds.area < 800 ? 1 : bounds.area / 120 | 1
      let psnr = reference.psnr(screen.buffer, over: bounds, stride: stride)
      #expect(psnr >= 40, "at \(Int(angle * 180 / .pi))°: \(psnr) dB")
    }
  }

  /// Half a card: round corners, a gradient, and a ring and a bar with edges one pixel soft.
  private static func picture(_ width: Int, _ height: Int) -> Bitmap {
    let (w, h) = (Double(width), Double(height))
    return bitmap(width, height) { x, y in
      let (px, py) = (Double(x) + 0.5, Double(y) + 0.5)
      let ring = abs(hypot((px - w / 2) / 0.8, py - h) - 0.5 * h) - 0.1 * h
      let bar = max(abs(px - w / 2) - 0.3 * w, abs(py - 0.95 * h) - 0.04 * h)
      let ink = min(max(0.5 - min(ring, bar), 0), 1)
      let radius = 0.08 * w
      let corner = hypot(max(abs(px - w / 2) - (w / 2 - radius), 0), max(radius - py, 0)) - radius
      let value = 52 - 11 * py / h + (241 - 52) * ink
      return Color(
        red: UInt8(value), green: UInt8(value * 0.98), blue: UInt8(value * 0.95),
        alpha: UInt8(min(max(0.5 - corner, 0), 1) * 255)
      ).premultiplied
    }
  }
}

/// Renders the flap in double precision, with 16 × 16 samples per pixel. Each pixel of the picture is a
/// square of one colour. A pixel of the screen shows the mean of the area of the picture that it covers,
/// multiplied by the part of the pixel that the flap covers. The area is at least one square wide, so the
/// result is bilinear where the flap is enlarged.
private struct FlapReference {
  let picture: PixelBuffer
  /// Blue, green, red.
  let ground: SIMD3<Double>
  let hinge: Point
  let angle: Double
  let distance: Double
  static let samples = 16

  /// The point of the picture that is seen at (x, y) on the screen, computed by intersecting the ray with the
  /// flap. The eye is at (0, 0, distance) above the hinge. The flap's points are (u, −v·cos, v·sin), where v
  /// is the distance from the hinge.
  private func source(_ x: Double, _ y: Double) -> (u: Double, v: Double) {
    let (sx, sy) = (x - hinge.x, y - hinge.y)
    // sy·(distance − v·sin) = −v·cos·distance
    let v = -sy * distance / (distance * cos(angle) - sy * sin(angle))
    let u = sx * (distance - v * sin(angle)) / distance
    return (u + Double(picture.width) / 2, Double(picture.height) - v)
  }

  private func load(_ u: Double, _ v: Double) -> SIMD4<Double> {
    let pixel = picture.row32(min(max(Int(v), 0), picture.height - 1))[min(max(Int(u), 0), picture.width - 1)]
    return SIMD4(
      Double(pixel & 255), Double(pixel >> 8 & 255), Double(pixel >> 16 & 255), Double(pixel >> 24))
  }

  private func pixel(_ x: Int, _ y: Int) -> SIMD4<Double> {
    let n = Self.samples
    let (cx, cy) = (Double(x) + 0.5, Double(y) + 0.5)
    let (width, height) = (Double(picture.width), Double(picture.height))
    let centre = source(cx, cy)
    // The number of squares that a pixel covers along each axis.
    let across = abs(source(cx + 0.5, cy).u - source(cx - 0.5, cy).u)
    let down = abs(source(cx, cy + 0.5).v - source(cx, cy - 0.5).v)
    let widen = (max(1, 1 / across), max(1, 1 / down))
    var sum = SIMD4<Double>.zero
    var (taken, inside) = (0.0, 0.0)
    for j in 0..<n {
      for i in 0..<n {
        let p = source(cx + (Double(i) + 0.5) / Double(n) - 0.5, cy + (Double(j) + 0.5) / Double(n) - 0.5)
        if p.u >= 0, p.u <= width, p.v >= 0, p.v <= height { inside += 1 }
        let u = centre.u + (p.u - centre.u) * widen.0
        let v = centre.v + (p.v - centre.v) * widen.1
        guard u >= 0, u <= width, v >= 0, v <= height else { continue }
        sum += load(u, v)
        taken += 1
      }
    }
    return taken == 0 ? .zero : sum / taken * (inside / Double(n * n))
  }

  /// The PSNR in dB (255 against the root mean square difference) over every `stride`th pixel.
  func psnr(_ drawn: PixelBuffer, over area: PixelRect, stride: Int) -> Double {
    var (sum, count) = (0.0, 0.0)
    for index in Swift.stride(from: 0, to: area.area, by: stride) {
      let (x, y) = (area.x + index % area.width, area.y + index / area.width)
      let p = pixel(x, y)
      let expected = SIMD3(p[0], p[1], p[2]) + ground * (1 - p[3] / 255)
      let got = drawn.row32(y)[x]
      let d = expected - SIMD3(Double(got & 255), Double(got >> 8 & 255), Double(got >> 16 & 255))
      sum += (d * d).sum()
      count += 3
    }
    return sum == 0 ? 99 : 10 * log10(255 * 255 * count / sum)
  }
}
