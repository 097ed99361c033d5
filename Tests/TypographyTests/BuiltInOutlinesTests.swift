// SPDX-License-Identifier: Apache-2.0

import Raster
import Testing

@testable import Typography

@Suite struct BuiltInOutlinesTests {
  static let composed = "ÄÖÜËÏÁÉÍÓÚÀÈÌÒÙÂÊÎÔÛÃÑÕÅÇŠŽČŘŐŰĄĘĞİŞāł"
  static let everyday = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcxyz:.,-−+/'’!?&()%°·ØÆŒß"

  @Test("every drawing's path data parse and leave ink")
  func everyDrawing() {
    for (scalar, drawing) in BuiltInOutlines.drawings where scalar != " " {
      #expect(drawing.outline() != nil, "\(scalar)")
      #expect(BuiltInOutlines.glyph(for: scalar)?.ink != nil, "\(scalar)")
    }
    for (scalar, mark) in BuiltInOutlines.marks {
      var builder = OutlineBuilder()
      let isGood = builder.draw(mark.path)
      #expect(isGood, "\(scalar)")
    }
    #expect(BuiltInOutlines.glyph(for: " ")?.advance == 0.26)
  }

  @Test("all characters of clocks, scores, dates and Western names have a drawing")
  func everydayCharacters() {
    for scalar in (Self.everyday + Self.composed).unicodeScalars {
      #expect(BuiltInOutlines.glyph(for: scalar)?.ink != nil, "\(scalar)")
    }
    #expect(BuiltInOutlines.glyph(for: "中") == nil)
  }

  @Test("digits are tabular and equally high, apart from the overshoot")
  func tabularDigits() throws {
    for scalar in "0123456789".unicodeScalars {
      let glyph = try #require(BuiltInOutlines.glyph(for: scalar))
      let ink = try #require(glyph.ink)
      #expect(glyph.advance == 0.6, "\(scalar)")
      #expect(ink.x >= 0 && ink.maxX <= 0.6, "\(scalar)")
      #expect(ink.height >= 1 && ink.height <= 1.024 + 1e-9, "\(scalar)")
    }
  }

  @Test(
    "counters are empty and stems are filled",
    arguments: [
      // A character, a point in cap heights (from the left of the advance and up from the baseline), and
      // whether the point has ink.
      ("0", 0.3, 0.5, false), ("0", 0.12, 0.5, true), ("6", 0.3, 0.3, false), ("9", 0.3, 0.7, false),
      ("8", 0.3, 0.28, false), ("8", 0.3, 0.75, false), ("8", 0.3, 0.52, true), ("4", 0.27, 0.42, false),
      ("4", 0.4, 0.5, true), ("1", 0.35, 0.5, true), ("A", 0.31, 0.4, false), ("B", 0.3, 0.72, false),
      ("B", 0.3, 0.3, false), ("D", 0.3, 0.5, false), ("P", 0.3, 0.7, false), ("R", 0.3, 0.7, false),
      ("O", 0.31, 0.5, false), ("Q", 0.31, 0.5, false), ("Æ", 0.33, 0.42, false), ("Ø", 0.31, 0.5, true),
      ("%", 0.197, 0.76, false), ("&", 0.33, 0.8, false), ("°", 0.21, 0.84, false), ("Å", 0.31, 1.165, false),
    ])
  func counters(_ text: String, _ x: Double, _ y: Double, _ isInk: Bool) {
    let mask = Bitmap(width: 1000, height: 1400, format: .a8)
    face("built-in").draw(
      text, into: mask.buffer, x: 0, baseline: 1300, capHeight: 1000, tracking: 0, stretch: 1)
    #expect(mask.buffer.row8(1300 - Int(y * 1000))[Int(x * 1000)] == (isInk ? 255 : 0))
  }

  @Test("9 is 6 rotated by 180°")
  func nineIsSixTurned() {
    let face = face("built-in")
    let six = Bitmap(width: 60, height: 100, format: .a8)
    let nine = Bitmap(width: 60, height: 100, format: .a8)
    face.draw("6", into: six.buffer, x: 0, baseline: 90, capHeight: 80, tracking: 0, stretch: 1)
    face.draw("9", into: nine.buffer, x: 0, baseline: 90, capHeight: 80, tracking: 0, stretch: 1)
    let (columns, rows) = six.coverage
    for (a, b) in zip(nine.coverage.rows[9...90], rows[9...90].reversed()) { #expect(abs(a - b) < 0.2) }
    for (a, b) in zip(nine.coverage.columns[2...45], columns[2...45].reversed()) { #expect(abs(a - b) < 0.2) }
  }

  @Test("lowercase letters are drawn as capitals, and ß as SS")
  func smallLetters() {
    let face = face("built-in")
    func measure(_ text: String) -> TextMeasure { face.measure(text, capHeight: 100, tracking: 0) }
    #expect(measure("guest é å") == measure("GUEST É Å"))
    #expect(measure("ß").width == measure("SS").width)
    #expect(abs(measure("ß").ink.width - measure("SS").ink.width) < 1e-6)
  }

  @Test("accents are above their capital")
  func accents() throws {
    for (letter, accented) in [("A", "Ä"), ("E", "É"), ("N", "Ñ"), ("O", "Ő")] {
      let face = face("built-in")
      let plain = face.measure(letter, capHeight: 1, tracking: 0)
      let marked = face.measure(accented, capHeight: 1, tracking: 0)
      #expect(marked.width == plain.width)
      #expect(marked.ink.y < plain.ink.y - 0.15 && marked.ink.maxY == plain.ink.maxY)
      #expect(-marked.ink.y <= 1.28)
    }
  }

  @Test(
    "malformed path data are rejected",
    arguments: [
      ("M0 0 L1 1 Z", true), ("", true), ("M0", false), ("M0 0 X1 1", false), ("1 2", false),
      ("M0 0 L1", false),
      ("M0 0 Lx 1", false), ("M0 0 C1 2 3 4 5", false), ("Z Z", true),
    ])
  func malformedPaths(_ path: String, _ isGood: Bool) {
    var builder = OutlineBuilder()
    let wasGood = builder.draw(path)
    #expect(wasGood == isGood)
  }
}
