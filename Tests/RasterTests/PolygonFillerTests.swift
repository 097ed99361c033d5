// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import Raster

@Suite struct PolygonFillerTests {
  /// Fills a white polygon on black in a buffer of this size.
  private func filled(_ points: [Point], _ size: Int = 24, clip: PixelRect? = nil) -> Bitmap {
    let bitmap = Bitmap(width: size, height: size, format: .xrgb8888)
    bitmap.buffer.fill(bitmap.buffer.bounds, with: .black, clip: bitmap.buffer.bounds)
    var filler = PolygonFiller()
    filler.fill(points, with: .white, into: bitmap.buffer, clip: clip ?? bitmap.buffer.bounds)
    return bitmap
  }

  @Test("a rectangle has exact coverage in either orientation")
  func aRectangleHasExactCoverageInEitherOrientation() {
    let points = [
      Point(x: 2.25, y: 3.5), Point(x: 7.5, y: 3.5), Point(x: 7.5, y: 9.75), Point(x: 2.25, y: 9.75),
    ]
    for outline in [points, points.reversed()] {
      let bitmap = filled(outline)
      for y in 0..<24 {
        for x in 0..<24 {
          let width = max(min(Double(x + 1), 7.5) - max(Double(x), 2.25), 0)
          let height = max(min(Double(y + 1), 9.75) - max(Double(y), 3.5), 0)
          let value = Double(bitmap.buffer.row32(y)[x] & 0xff)
          #expect(abs(value - width * height * 255) <= 1, "(\(x), \(y))")
        }
      }
    }
  }

  @Test("random triangles agree with 16 × 16 samples per pixel", arguments: 0..<24)
  func randomTrianglesAreWhatSamplesSay(seed: UInt64) {
    var random = SplitMix(seed: seed)
    func coordinate() -> Double { Double(random.int(-160...400)) / 10 + 0.013 }
    let p = (0..<3).map { _ in Point(x: coordinate(), y: coordinate()) }
    let bitmap = filled(p)
    func side(_ a: Point, _ b: Point, _ x: Double, _ y: Double) -> Double {
      (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)
    }
    var worst = 0.0
    for y in 0..<24 {
      for x in 0..<24 {
        var inside = 0
        for sample in 0..<256 {
          let (sx, sy) = (
            Double(x) + (Double(sample % 16) + 0.5) / 16, Double(y) + (Double(sample / 16) + 0.5) / 16
          )
          let signs = [side(p[0], p[1], sx, sy), side(p[1], p[2], sx, sy), side(p[2], p[0], sx, sy)]
          if signs.allSatisfy({ $0 > 0 }) || signs.allSatisfy({ $0 < 0 }) { inside += 1 }
        }
        worst = max(worst, abs(Double(bitmap.buffer.row32(y)[x] & 0xff) / 255 - Double(inside) / 256))
      }
    }
    // The samples themselves are inexact: a row of them is 1/16 of the pixel.
    #expect(worst < 0.05)
  }

  @Test("nothing outside the clip is touched, and the inside does not depend on it")
  func nothingOutsideTheClipIsTouchedAndTheInsideDoesNotDependOnIt() {
    let points = [Point(x: -5, y: 4), Point(x: 30, y: -3), Point(x: 19, y: 40)]
    let whole = filled(points)
    let clip = PixelRect(x: 6, y: 5, width: 11, height: 9)
    let part = filled(points, clip: clip)
    for y in 0..<24 {
      for x in 0..<24 {
        let isInside = x >= 6 && x < 17 && y >= 5 && y < 14
        let (a, b) = (part.buffer.row32(y)[x] & 0xff, isInside ? whole.buffer.row32(y)[x] & 0xff : 0)
        #expect(abs(Int(a) - Int(b)) <= 1, "(\(x), \(y))")
      }
    }
  }

  @Test("outlines without area, or with NaN points, draw nothing")
  func outlinesWithoutAnAreaDrawNothing() {
    let black = filled([])
    for points in [
      [Point(x: 1, y: 1), Point(x: 9, y: 9)], [Point(x: 3, y: 3), Point(x: 9, y: 3), Point(x: 5, y: 3)],
      [Point(x: .nan, y: 1), Point(x: 9, y: 1), Point(x: 9, y: 9)],
      [Point(x: .infinity, y: 1), Point(x: 9, y: 1), Point(x: 9, y: 9)],
      [Point(x: 1e300, y: 1), Point(x: 9, y: 1), Point(x: 9, y: 9)],
    ] {
      let bitmap = filled(points)
      #expect((0..<24).allSatisfy { memcmp(bitmap.buffer.row(Int($0)), black.buffer.row(Int($0)), 96) == 0 })
    }
  }

  @Test(
    "a picture drawn through an outline is multiplied by its coverage, identically with any clip")
  func aPictureDrawnThroughAnOutlineIsMultipliedByItsCoverageIdenticallyWithAnyClip() {
    var random = SplitMix(seed: 3)
    let size = 37
    let source = Bitmap(width: size, height: size, format: .argb8888)
    for y in 0..<size {
      for x in 0..<size {
        let color = Color(
          red: UInt8(random.int(0...255)), green: UInt8(random.int(0...255)), blue: 9,
          alpha: UInt8(random.int(0...255)))
        source.buffer.row32(y)[x] = color.premultiplied
      }
    }
    let points = [
      Point(x: -4.3, y: 6.1), Point(x: 22.7, y: 1.4), Point(x: 41.2, y: 20.9), Point(x: 10.5, y: 36.5),
    ]
    let coverage = filled(points, size)
    var filler = PolygonFiller()
    let whole = Bitmap(width: size, height: size, format: .argb8888)
    filler.compose(source.buffer, through: points, into: whole.buffer, clip: whole.buffer.bounds)
    for y in 0..<size {
      for x in 0..<size {
        let share = coverage.buffer.row32(y)[x] & 0xff
        #expect(whole.buffer.row32(y)[x] == Kernels.scaledPixel(source.buffer.row32(y)[x], by: share))
      }
    }
    for _ in 0..<40 {
      let clip = PixelRect(
        x: random.int(-3...30), y: random.int(-3...30), width: random.int(1...40), height: random.int(1...40))
      let part = Bitmap(width: size, height: size, format: .argb8888)
      filler.compose(source.buffer, through: points, into: part.buffer, clip: clip)
      var wrong = 0
      for y in 0..<size {
        for x in 0..<size {
          let isInside = x >= clip.x && x < clip.maxX && y >= clip.y && y < clip.maxY
          if part.buffer.row32(y)[x] != (isInside ? whole.buffer.row32(y)[x] : 0) { wrong += 1 }
        }
      }
      #expect(wrong == 0)
    }
  }
}
