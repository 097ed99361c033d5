// SPDX-License-Identifier: Apache-2.0

import Raster
import Testing

@testable import Typography

@Suite struct DrawingTests {
  static let faces = ["built-in", "Bebas Neue", "Inter", "DejaVu Sans", "DejaVu Serif"]

  @Test("H has the requested cap height to within 0.05 px", arguments: faces, [7.3, 20, 64.5, 333])
  func capHeight(_ name: String, _ capHeight: Double) {
    let mask = Bitmap(width: Int(capHeight * 6) + 8, height: Int(capHeight) + 12, format: .a8)
    face(name).draw(
      "H", into: mask.buffer, x: 3.4, baseline: capHeight + 5.3, capHeight: capHeight, tracking: 0, stretch: 4
    )
    // The letter is stretched so that its stem is wider than a pixel at every size. A column inside the stem
    // is then covered from the baseline to the cap height.
    let stem = mask.coverage.columns.max() ?? 0
    #expect(abs(stem - capHeight) < 0.05, "\(stem)")
  }

  @Test("a subpixel shift moves the coverage by the same amount", arguments: faces)
  func subpixelShift(_ name: String) {
    let face = face(name)
    // The centroid treats each pixel's coverage as if it were at the pixel's centre, which moves the centroid
    // of a shape w pixels wide by up to 1/(8w) pixels. The shapes are therefore large; small ones are
    // compared with large ones below.
    for capHeight in [60.0, 111] {
      let centers = [0, 0.25, 0.5, 0.71, 1.33].map { shift in
        let mask = Bitmap(width: 420, height: 130, format: .a8)
        face.draw(
          "25:R", into: mask.buffer, x: 4 + shift, baseline: 118 - shift, capHeight: capHeight, tracking: 0,
          stretch: 1)
        return (shift, mask.centroid)
      }
      for (shift, center) in centers {
        #expect(abs(center.x - centers[0].1.x - shift) < 0.02)
        #expect(abs(center.y - centers[0].1.y + shift) < 0.02)
      }
    }
  }

  @Test(
    "small text at any subpixel position equals the average of text sixteen times larger", arguments: faces)
  func smallIsAveragedLarge(_ name: String) {
    let face = face(name)
    let factor = 16
    for (shift, capHeight) in [(0.0, 9.0), (0.31, 11), (0.5, 13.37), (0.83, 24)] {
      let small = Bitmap(width: 90, height: 40, format: .a8)
      let large = Bitmap(width: 90 * factor, height: 40 * factor, format: .a8)
      for (mask, scale) in [(small, 1.0), (large, Double(factor))] {
        face.draw(
          "2S:R", into: mask.buffer, x: (3 + shift) * scale, baseline: (32 - shift) * scale,
          capHeight: capHeight * scale, tracking: 0, stretch: 1)
      }
      var worst = 0.0
      for y in 0..<small.height {
        for x in 0..<small.width {
          var sum = 0
          for row in y * factor..<(y + 1) * factor {
            let pixels = large.buffer.row8(row)
            for column in x * factor..<(x + 1) * factor { sum += Int(pixels[column]) }
          }
          worst = max(worst, abs(Double(sum) / Double(factor * factor) - Double(small.buffer.row8(y)[x])))
        }
      }
      // Rounding the position and the shape to 1/64 px changes a pixel on an edge by up to 2 of 255 each.
      // Chords in place of curves add as much again.
      #expect(worst < 9, "\(shift) \(capHeight)")
    }
  }

  @Test("the measured ink is the drawn ink", arguments: faces, ["H", "AVAST 12:07", "Qgjpy", "ÄÉ,;", " . "])
  func measureAgrees(_ name: String, _ text: String) throws {
    let face = face(name)
    for (capHeight, tracking) in [(13.7, 0.0), (40, 0.18), (40, -0.05)] {
      let mask = Bitmap(width: 900, height: 160, format: .a8)
      face.draw(
        text, into: mask.buffer, x: 30.25, baseline: 90.5, capHeight: capHeight, tracking: tracking,
        stretch: 1)
      let ink = face.measure(text, capHeight: capHeight, tracking: tracking).ink
      let drawn = try #require(mask.inked)
      // FreeType leaves a pixel empty if a glyph covers almost nothing of it, hence one pixel of tolerance.
      for (edge, low, exact) in [
        ("left", Double(drawn.x.lowerBound), ink.x + 30.25),
        ("top", Double(drawn.y.lowerBound), ink.y + 90.5),
      ] {
        #expect(low > exact - 1.02 && low < exact + 1.02, "\(edge) \(low) \(exact)")
      }
      for (edge, high, exact) in [
        ("right", Double(drawn.x.upperBound + 1), ink.maxX + 30.25),
        ("bottom", Double(drawn.y.upperBound + 1), ink.maxY + 90.5),
      ] {
        #expect(high > exact - 1.02 && high < exact + 1.02, "\(edge) \(high) \(exact)")
      }
    }
  }

  @Test("tracking is added between characters, not after the last one", arguments: faces)
  func tracking(_ name: String) {
    let face = face(name)
    func width(_ text: String, _ tracking: Double) -> Double {
      face.measure(text, capHeight: 10, tracking: tracking).width
    }
    #expect(width("0", 0.5) == width("0", 0))
    #expect(abs(width("000", 0.5) - width("000", 0) - 2 * 0.5 * 10 * face.emPerCap) < 1e-9)
    #expect(width("", 0.5) == 0)
    // A zero width space is not a character.
    #expect(width("0\u{200b}0", 0.5) == width("00", 0.5))
  }

  @Test("stretch scales about the pen's start")
  func stretch() throws {
    let mask = Bitmap(width: 300, height: 60, format: .a8)
    let face = face("built-in")
    face.draw("HH", into: mask.buffer, x: 20, baseline: 50, capHeight: 40, tracking: 0, stretch: 0.5)
    let ink = face.measure("HH", capHeight: 40, tracking: 0).ink
    let drawn = try #require(mask.inked)
    #expect(drawn.x.lowerBound == Int(20 + ink.x / 2))
    #expect(drawn.x.upperBound == Int(20 + ink.maxX / 2))
    #expect(drawn.y == 10...49)
  }

  @Test("coverage is added and saturates")
  func saturation() {
    let mask = Bitmap(width: 40, height: 40, format: .a8)
    let face = face("built-in")
    var sums: [Double] = []
    for _ in 0..<3 {
      face.draw("0", into: mask.buffer, x: 5.3, baseline: 35.3, capHeight: 28.4, tracking: 0, stretch: 1)
      sums.append(mask.coverage.rows.reduce(0, +))
    }
    #expect(sums[0] > 0 && sums[0] < sums[1] && sums[1] < sums[2])
    // A pixel's coverage saturates at full, so the sum stays below the area of the ink bounds.
    #expect(sums[2] < 29 * 17)
  }

  @Test("the same text at the same position gives the same bytes")
  func deterministic() {
    func draw() -> [Double] {
      let mask = Bitmap(width: 200, height: 60, format: .a8)
      face("built-in").draw(
        "09:41", into: mask.buffer, x: 3.3, baseline: 50.1, capHeight: 40, tracking: 0.1, stretch: 0.97)
      return mask.coverage.columns
    }
    #expect(draw() == draw())
  }

  @Test(
    "The parts of a line are drawn where the whole line has them",
    arguments: ["Wave (7)", "e\u{301}A שלום B"])
  func parts(text: String) {
    let face = face("Inter", .medium)
    func draw(_ isDrawn: @escaping (Int) -> Bool) -> Bitmap {
      let mask = Bitmap(width: 260, height: 60, format: .a8)
      face.draw(
        text, into: mask.buffer, x: 5, baseline: 45, capHeight: 24, tracking: 0.1, stretch: 1,
        isDrawn: isDrawn)
      return mask
    }
    let (whole, even, odd) = (draw { _ in true }, draw { $0 % 2 == 0 }, draw { $0 % 2 == 1 })
    for y in 0..<whole.height {
      for x in 0..<whole.width {
        let sum = Int(even.buffer.row8(y)[x]) + Int(odd.buffer.row8(y)[x])
        #expect(Int(whole.buffer.row8(y)[x]) == min(sum, 255))
      }
    }
  }
}
