// SPDX-License-Identifier: Apache-2.0

import Raster
import Testing
import Typography

@testable import Layers
@testable import Widgets

@Suite struct LabelTests {
  private let style = Label.Style(
    face: Fixture.theme.labelFace, color: Color(rgb: 0xf1eee6), capHeight: 20, tracking: 0.18)

  @Test("a text that fits in smaller letters is never cut")
  func smallerTextIsNotCut() {
    let style = Label.Style(
      face: Fixture.theme.nameFace, color: Fixture.theme.onGround, capHeight: 56, tracking: 0.05)
    let whole = Label.width(of: "MILANO", style: style)
    let cut = (600...1000).filter { !Label.fits("MILANO", style: style, width: whole * Double($0) / 1000) }
    #expect(cut == [])
  }

  @Test("a line that fits is drawn at its size, with its alignment", arguments: [0, 0.5, 1])
  func fittingLine(alignment: Double) throws {
    let label = Label()
    let box = Rect(x: 100, y: 50, width: 400, height: 60)
    let letters = label.show("FRIDAY", style: style, in: box, alignment: alignment)
    let width = Label.width(of: "FRIDAY", style: style)
    #expect(letters.height == 20)
    #expect(letters.width == width)
    #expect(abs(letters.x - (100 + (400 - width) * alignment)) < 1e-9)
    let ink = try #require(label.layer.solidFrame)
    #expect(ink.isInside(box))
    #expect(abs(ink.height - 20) <= 2)
    #expect(abs(ink.y - letters.y) <= 1.5)
    #expect(label.layer.frame.isWhole)
    #expect(label.text == "FRIDAY")
  }

  @Test(
    "a line that is too wide gets less tracking, then smaller letters down to 55 %, then an ellipsis",
    arguments: [
      (0.99, false), (0.8, false), (0.5, false), (0.4, true), (0.3, true), (0.1, true), (0.01, true),
    ])
  func linesTooWide(share: Double, isCut: Bool) {
    let label = Label()
    let text = "FRIDAY 20 NOVEMBER"
    let room = Label.width(of: text, style: style) * share
    let letters = label.show(text, style: style, in: Rect(x: 10, y: 10, width: room, height: 40))
    #expect(letters.width <= room + 1e-6)
    #expect(letters.height >= 0.55 * 20 - 1e-9)
    #expect((letters.height <= 0.55 * 20 + 1e-9) == isCut)
    #expect(label.text == text)
    if share > 0.2 { #expect(letters.width > room * 0.75) }
  }

  @Test(
    "the picture of a label stays small for any text and any box",
    arguments: [
      "", "\u{0}", String(repeating: "é", count: 10_000), String(repeating: "\u{200b}", count: 5_000), "👩‍👩‍👧‍👦",
    ])
  func hostileText(text: String) {
    let label = Label()
    for box in [
      Rect(x: 0, y: 0, width: 100, height: 30), Rect(x: 5, y: 5, width: 0, height: 0),
      Rect(x: -10, y: -10, width: -5, height: 3),
    ] {
      label.show(text, style: style, in: box)
      let bitmap = label.layer.contents?.bitmap
      #expect((bitmap?.width ?? 0) <= 200 && (bitmap?.height ?? 0) <= 100)
    }
  }
}
