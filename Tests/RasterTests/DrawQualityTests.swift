// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Raster

@Suite struct DrawQualityTests {
  @Test(
    "the flap has a PSNR of at least 46 dB against the supersampled reference at twenty angles",
    arguments: [(45, 36, 1), (180, 150, 13), (376, 303, 67)])
  func theFlapIsNearTheReferenceAtTwentyAngles(
    width: Int, height: Int, stride: Int
  ) throws {
    let picture = CardPicture.make(width: width, height: height)
    let screen = Bitmap(width: width + width / 2, height: height * 3, format: .xrgb8888)
    var scratch = RowScratch()
    let ground = Color(rgb: 0x506070)
    for step in 0..<20 {
      let angle = Double.pi * (Double(step) + 0.35) / 20
      let map = CardPicture.flap(
        angle, width: width, height: height, x: Double(width / 4), y: Double(height / 2))
      screen.buffer.fill(screen.buffer.bounds, with: ground, clip: screen.buffer.bounds)
      screen.buffer.draw(
        picture.buffer, picture.buffer.bounds, through: map, opacity: 1, shade: .none,
        clip: screen.buffer.bounds, scratch: &scratch)
      let area = try #require(map.bounds(of: Rect(x: 0, y: 0, width: Double(width), height: Double(height))))
      let reference = try #require(SupersampledReference(picture.buffer, map, height: area.height))
      let psnr = reference.psnr(screen.buffer, over: ground.premultiplied, area: area, stride: stride)
      #expect(psnr >= 46, "at \(angle) rad")
    }
  }

  @Test(
    "near edge-on, the flap has a PSNR of at least 48 dB at any subpixel position",
    arguments: [80.0, 86, 88, 89, 91, 93, 96])
  func theFlapIsNearTheReferenceNearlyEdgeOn(degrees: Double) throws {
    let (width, height) = (45, 36)
    let picture = CardPicture.make(width: width, height: height)
    let screen = Bitmap(width: 90, height: 108, format: .xrgb8888)
    var scratch = RowScratch()
    let ground = Color(rgb: 0x506070)
    for shift in [0.0, 0.25, 0.5, 0.75] {
      let map = CardPicture.flap(degrees * .pi / 180, width: width, height: height, x: 22, y: 18 + shift)
      screen.buffer.fill(screen.buffer.bounds, with: ground, clip: screen.buffer.bounds)
      screen.buffer.draw(
        picture.buffer, picture.buffer.bounds, through: map, opacity: 1, shade: .none,
        clip: screen.buffer.bounds, scratch: &scratch)
      let area = try #require(map.bounds(of: Rect(x: 0, y: 0, width: Double(width), height: Double(height))))
      // With only sixteen samples down a pixel, the PSNR of the reference itself would be 39 dB.
      let reference = try #require(SupersampledReference(picture.buffer, map, height: 1))
      #expect(reference.psnr(screen.buffer, over: ground.premultiplied, area: area, stride: 3) >= 48)
    }
  }

  static let others: [(Homography, Homography.Kind)] = [
    (Homography.scale(x: 0.37, y: 0.61).concatenating(.translation(x: 10.3, y: 7.7)), .axisAligned),
    (Homography.scale(x: 1.7, y: 0.5).concatenating(.translation(x: 10.3, y: 7.7)), .axisAligned),
    (Homography.scale(x: -0.8, y: -2.3).concatenating(.translation(x: 90.3, y: 150.7)), .axisAligned),
    (Homography(a: 1, b: 0.4, c: 3, d: 0, e: 0.9, f: 5, g: 0, h: 0, i: 1), .rows),
    (turn(0.7, x: 0, y: 1), .columns), (turn(1.3, x: 0, y: 1), .columns), (turn(2.4, x: 0, y: 1), .columns),
    (turn(0.9, x: 1, y: 0), .rows),
  ]

  static func turn(_ angle: Double, x: Double, y: Double) -> Homography {
    Transform3D.translation(x: -30, y: -30).concatenating(.rotation(angle, x: x, y: y, z: 0))
      .concatenating(.perspective(distance: 300)).concatenating(.translation(x: 70.2, y: 80.6)).homography
  }

  /// The PSNR against the reference of a picture drawn through `map` over a background.
  private func psnr(of map: Homography, height: Int, stride: Int) throws -> Double {
    let picture = CardPicture.make(width: 72, height: 58, format: .xrgb8888)
    let screen = Bitmap(width: 180, height: 170, format: .xrgb8888)
    let ground = Color(rgb: 0x506070)
    var scratch = RowScratch()
    screen.buffer.fill(screen.buffer.bounds, with: ground, clip: screen.buffer.bounds)
    screen.buffer.draw(
      picture.buffer, picture.buffer.bounds, through: map, opacity: 1, shade: .none,
      clip: screen.buffer.bounds, scratch: &scratch)
    let outline = Rect(x: 0, y: 0, width: 72, height: 58)
    let area = try #require(map.bounds(of: outline)).intersection(screen.buffer.bounds)
    let reference = try #require(SupersampledReference(picture.buffer, map, height: height))
    return reference.psnr(screen.buffer, over: ground.premultiplied, area: area, stride: stride)
  }

  @Test(
    "scales, shears and rotations of the whole picture have a PSNR of at least 44 dB",
    arguments: DrawQualityTests.others)
  func scalesShearsAndRotationsAreNearTheReference(map: Homography, kind: Homography.Kind) throws {
    let psnr = try psnr(of: map, height: 1, stride: 11)
    #expect(map.kind == kind)
    #expect(psnr >= 44)
  }

  static let slanted: [Homography] = [
    Transform3D.rotation(0.6, x: 0, y: 0, z: 1).concatenating(.translation(x: 70, y: 30)).homography,
    Transform3D.rotation(.pi / 4, x: 0, y: 0, z: 1).concatenating(.translation(x: 70, y: 30)).homography,
    Transform3D.rotation(0.5, x: 0.4, y: 1, z: 0.7).concatenating(.perspective(distance: 250))
      .concatenating(.translation(x: 50.3, y: 40.8)).homography,
    Transform3D.scale(x: 0.6, y: 0.45).concatenating(.rotation(-0.3, x: 0, y: 0, z: 1))
      .concatenating(.translation(x: 30.3, y: 60.8)).homography,
  ]

  @Test("rotations about arbitrary axes have a PSNR of at least 44 dB", arguments: slanted)
  func rotationsAboutArbitraryAxesAreNearTheReference(map: Homography) throws {
    let psnr = try psnr(of: map, height: 100, stride: 7)
    #expect(map.kind == .general)
    #expect(psnr >= 44)
  }

  @Test(
    "an image drawn through a mask of its own outline equals the image",
    arguments: DrawQualityTests.others.map(\.0) + slanted)
  func anImageDrawnThroughAMaskOfItsOwnOutlineEqualsTheImage(map: Homography) {
    let picture = CardPicture.make(width: 72, height: 58, format: .xrgb8888)
    let ground = Color(rgb: 0x506070)
    var scratch = RowScratch()
    var filler = PolygonFiller()
    let bounds = PixelRect(x: 0, y: 0, width: 180, height: 170)
    func screen(_ format: PixelFormat) -> Bitmap { Bitmap(width: 180, height: 170, format: format) }
    let (plain, own, masked) = (screen(.xrgb8888), screen(.argb8888), screen(.xrgb8888))
    for bitmap in [plain, masked] { bitmap.buffer.fill(bounds, with: ground, clip: bounds) }
    plain.buffer.draw(
      picture.buffer, picture.buffer.bounds, through: map, opacity: 1, shade: .none, clip: bounds,
      scratch: &scratch)
    own.buffer.draw(
      picture.buffer, picture.buffer.bounds, through: map, edges: .extended, opacity: 1, shade: .none,
      clip: bounds, scratch: &scratch)
    let points = [(0.0, 0.0), (72, 0), (72, 58), (0, 58)].compactMap { map(Point(x: $0.0, y: $0.1)) }
    filler.compose(own.buffer, through: points, into: masked.buffer, clip: bounds)
    var worst = 0
    for y in 0..<170 {
      for x in 0..<180 {
        for shift in [0, 8, 16] as [UInt32] {
          let (a, b) = (plain.buffer.row32(y)[x] >> shift & 255, masked.buffer.row32(y)[x] >> shift & 255)
          worst = max(worst, abs(Int(a) - Int(b)))
        }
      }
    }
    // Rows and columns with slanted ends are averages of strips, and therefore less exact.
    #expect(worst <= 5)
  }
}
