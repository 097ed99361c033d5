// SPDX-License-Identifier: Apache-2.0

import Raster
import TestSupport
import Testing

@testable import Typography

@Suite struct MissingGlyphTests {
  private static let bebasDirectory = "/usr/share/fonts/opentype/bebas-neue"

  @Test(
    "a character that no font has comes from the built-in outlines, or is a box", .needsBebasNeue)
  func boxes() throws {
    let directory = try TemporaryDirectory()
    let warnings = Warnings()
    let library = FontLibrary(
      configuration: directory.configuration(directories: [Self.bebasDirectory]), warn: warnings.append)
    let face = library.face("Bebas Neue", weight: .bold)
    #expect(!face.isBuiltIn)
    let box = BuiltInOutlines.missing
    for (text, code) in [("中", "U+4E2D"), ("\u{e000}", "U+E000"), ("😀", "U+1F600"), ("ش", "U+0634")] {
      for _ in 0..<2 { #expect(face.measure(text, capHeight: 1, tracking: 0).width == box.advance) }
      #expect(warnings.lines.filter { $0.contains(code) && $0.contains("box") }.count == 1, "\(code)")
    }
    #expect(warnings.lines.count == 4)
    #expect(library.firstBox(in: "Mai 1월", font: "Bebas Neue", weight: .medium) == "월")
    #expect(library.firstBox(in: "März é 12", font: "Bebas Neue", weight: .medium) == nil)
  }

  @Test(
    "controls, joiners, selectors and lone marks draw nothing and have no width",
    arguments: ["built-in", "Bebas Neue"])
  func invisible(_ name: String) {
    let warnings = Warnings()
    let face = FontLibrary(warn: warnings.append).face(name, weight: .bold)
    for text in [
      "", "\n", "\r\n", "\0", "\u{7f}", "\u{200b}", "\u{200d}", "\u{fe0f}", "\u{202e}", "\u{ad}", "\u{2028}",
    ] {
      let measure = face.measure(text, capHeight: 100, tracking: 1)
      #expect(measure == TextMeasure(width: 0, ink: .zero), "\(text.unicodeScalars.map(\.value))")
    }
    #expect(warnings.lines.isEmpty, "\(warnings.lines)")
    #expect(face.measure("\u{20dd}\u{1ab0}", capHeight: 100, tracking: 0).width < 200)
  }

  @Test("spaces of every width are blank", arguments: ["built-in", "Bebas Neue", "Inter"])
  func spaces(_ name: String) {
    let face = face(name)
    for scalar
      in " \t\u{a0}\u{2002}\u{2003}\u{2004}\u{2005}\u{2006}\u{2007}\u{2008}\u{2009}\u{200a}\u{202f}\u{205f}\u{3000}"
      .unicodeScalars
    {
      let measure = face.measure(String(scalar), capHeight: 10, tracking: 0)
      #expect(measure.width > 0 && measure.width < 40 && measure.ink == .zero, "\(scalar.value)")
    }
    #expect(
      face.measure("\u{2007}", capHeight: 10, tracking: 0).width
        == face.measure("0", capHeight: 10, tracking: 0).width)
  }

  @Test(
    "a letter with a combining mark equals the precomposed letter",
    arguments: ["built-in", "Bebas Neue", "Inter"])
  func combining(_ name: String) {
    let face = face(name)
    for (decomposed, composed) in [
      ("e\u{301}", "é"), ("A\u{308}", "Ä"), ("N\u{303}", "Ñ"), ("c\u{327}", "ç"),
    ] {
      #expect(
        face.measure(decomposed, capHeight: 30, tracking: 0.1)
          == face.measure(composed, capHeight: 30, tracking: 0.1))
      #expect(face.measure(decomposed, capHeight: 30, tracking: 0).ink.width > 0)
    }
  }

  @Test("any text can be drawn and measured", arguments: ["built-in", "Bebas Neue", "DejaVu Sans"])
  func hostileText(_ name: String) {
    let warnings = Warnings()
    let face = FontLibrary(warn: warnings.append).face(name, weight: .bold)
    let mask = Bitmap(width: 300, height: 40, format: .a8)
    var generator = SplitMix(seed: 17)
    let anything = String(
      String.UnicodeScalarView(
        (0..<3000).compactMap { _ in Unicode.Scalar(UInt32.random(in: 0..<0x11_0000, using: &generator)) }))
    let texts = [
      String(repeating: "8", count: 10_000), "e" + String(repeating: "\u{301}", count: 10_000),
      String(repeating: "👩‍👩‍👧‍👦", count: 500), "שלום مرحبا हिन्दी ไทย", anything,
      String(decoding: [0xff, 0xfe, 0x41, 0xc3, 0x28, 0xed, 0xa0, 0x80] as [UInt8], as: UTF8.self),
    ]
    for text in texts {
      face.draw(text, into: mask.buffer, x: 0, baseline: 30, capHeight: 20, tracking: 0, stretch: 0.01)
      #expect(face.measure(text, capHeight: 20, tracking: 0.1).width.isFinite)
    }
    #expect(warnings.lines.count <= WarnOnce.limit + 1)
    #expect(warnings.lines.allSatisfy { !$0.contains("\n") && $0.utf8.count < 600 })
    #expect(face.lines.count <= FontFace.cachedLines)
  }

  @Test("warnings are emitted once and in bounded number")
  func warnings() {
    let warnings = Warnings()
    var once = WarnOnce(warn: warnings.append)
    for round in 0..<1000 { once.warn("message \(round)", key: "\(round / 2)") }
    #expect(warnings.lines.count == WarnOnce.limit + 1)
    #expect(warnings.lines.prefix(2) == ["message 0", "message 2"])
    #expect(warnings.lines.last == "fonts: no more warnings are shown")
    #expect(WarnOnce.quoted("a\n\u{202e}\u{1b}[31mb") == "“a\u{fffd}\u{fffd}\u{fffd}[31mb”")
    #expect(WarnOnce.quoted(String(repeating: "x", count: 500)).count == 83)
  }
}
