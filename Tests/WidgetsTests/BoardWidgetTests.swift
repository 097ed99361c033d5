// SPDX-License-Identifier: Apache-2.0

import Raster
import Settings
import Testing

@testable import Layers
@testable import Widgets

@Suite struct BoardWidgetTests {
  private func lines(
    _ text: String, columns: Int, rows: Int, _ align: BoardSettings.Alignment = .left,
    drum: BoardSettings.Drum = .auto
  ) -> [String] {
    var settings = BoardSettings()
    settings.drum = drum
    settings.columns = columns
    settings.rows = rows
    settings.align = align
    let symbols = BoardText(text, settings).symbols
    return (0..<rows).map { row in
      symbols[(row * columns)..<((row + 1) * columns)].map { $0.isEmpty ? " " : $0 }.joined()
    }
  }

  @Test("text is shown in capitals, aligned left, centred or right")
  func alignment() {
    #expect(lines("Hello\nyou", columns: 6, rows: 2) == ["HELLO ", "YOU   "])
    #expect(
      lines("Hello\nyou", columns: 7, rows: 4, .center) == ["       ", " HELLO ", "  YOU  ", "       "])
    #expect(lines("ab", columns: 4, rows: 1, .right) == ["  AB"])
  }

  @Test("lines break between words, long words at the board's edge; the rest is cut off")
  func breaking() {
    #expect(lines("one two three", columns: 7, rows: 3) == ["ONE TWO", "THREE  ", "       "])
    #expect(lines("abcdefgh ij", columns: 3, rows: 4) == ["ABC", "DEF", "GH ", "IJ "])
    #expect(lines("a\nb\nc", columns: 2, rows: 2) == ["A ", "B "])
    #expect(lines("  a  b", columns: 6, rows: 1) == ["  A  B"])
    #expect(lines("", columns: 2, rows: 1) == ["  "])
  }

  @Test("a character without a flap is shown as a blank card")
  func missing() {
    #expect(lines("a中b", columns: 3, rows: 1, drum: .flaps(" AB")) == ["A B"])
  }

  @Test("Each card has one character of any script, and right-to-left text begins at the right")
  func scripts() {
    #expect(lines("क्षिé", columns: 3, rows: 1) == ["क्षिÉ "])
    #expect(lines("שלום (7)", columns: 9, rows: 1, .right) == [" (7) םולש"])
  }

  @Test("a board fits its box on whole pixels, and flips to a new text")
  func changes() throws {
    var settings = BoardSettings()
    settings.columns = 5
    settings.rows = 2
    settings.text = "AB"
    let page = PixelSize(width: 320, height: 200)
    let context = Fixture.context(page)
    let widget = BoardWidget(settings, weight: 1, context: context)
    let size = widget.fittingSize(in: Size(width: 300, height: 180))
    #expect(size.width <= 300 && size.height <= 180 && size.width > 200)
    widget.layOut(in: Rect(x: 10, y: 10, width: size.width, height: size.height), model: Fixture.model())
    context.scene.root.addSublayer(widget.layer)
    let before = context.scene.picture(at: 0)
    widget.show("AD", at: 1, animated: true)
    #expect(context.scene.picture(at: 1).difference(from: before) == nil)
    context.scene.advance(to: 1.1)
    #expect(context.scene.activity == .moving)
    let after = context.scene.picture(at: 3)
    #expect(context.scene.activity == .resting)
    #expect(after.difference(from: before) != nil)
    widget.show("AB", at: 3, animated: false)
    #expect(context.scene.picture(at: 3).difference(from: before) == nil)
    #expect(widget.text == "AB")
  }

  @Test("a board on a rebuilt page continues from the old page's text")
  func resumes() {
    var settings = BoardSettings()
    settings.columns = 3
    settings.rows = 1
    settings.text = "A"
    let page = PixelSize(width: 160, height: 100)
    func make(_ text: String) -> (BoardWidget, WidgetContext) {
      let context = Fixture.context(page)
      settings.text = text
      let widget = BoardWidget(settings, weight: 1, context: context)
      widget.layOut(in: Rect(x: 0, y: 0, width: 160, height: 90), model: Fixture.model())
      context.scene.root.addSublayer(widget.layer)
      return (widget, context)
    }
    let (old, oldContext) = make("A")
    let (new, context) = make("C")
    let target = context.scene.picture(at: 0)
    new.resume(from: old, at: 0)
    #expect(context.scene.picture(at: 0).difference(from: oldContext.scene.picture(at: 0)) == nil)
    #expect(context.scene.picture(at: 5).difference(from: target) == nil)
    #expect(new.text == "C")
  }
}
