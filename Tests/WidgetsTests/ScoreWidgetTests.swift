// SPDX-License-Identifier: Apache-2.0

import Raster
import Scoreboard
import Settings
import Testing

@testable import Layers
@testable import Widgets

@Suite struct ScoreWidgetTests {
  private static let page = PixelSize(width: 240, height: 150)
  private let context = Fixture.context(page)

  private func widget(_ change: (inout ScoreSettings) -> Void = { _ in }) -> ScoreWidget {
    var settings = ScoreSettings()
    change(&settings)
    let widget = ScoreWidget(settings, weight: 1, context: context)
    context.scene.root.addSublayer(widget.layer)
    return widget
  }

  private func layOut(_ widget: ScoreWidget, _ model: StageModel) {
    let size = widget.fittingSize(in: Size(width: 220, height: 100))
    widget.layOut(
      in: Rect(x: 10, y: 20, width: size.width.rounded(.down), height: size.height.rounded(.down)),
      model: model)
  }

  private func symbols(_ widget: ScoreWidget) -> [[String]] {
    widget.columns.map { $0.board.cards.map(\.machine.target.text) }
  }

  @Test(
    "scores are on their cards, preceded by zeros or empty cards",
    arguments: [
      (7, 2, false, ["", "7"]), (7, 2, true, ["0", "7"]), (42, 2, false, ["4", "2"]),
      (0, 2, false, ["", "0"]),
      (7, 3, false, ["", "", "7"]), (7, 3, true, ["0", "0", "7"]), (999, 3, false, ["9", "9", "9"]),
      (999, 2, true, ["9", "9", "9"]),
    ])
  func scoresStandOnTheirCards(score: Int, digits: Int, zero: Bool, expected: [String]) {
    let widget = widget {
      $0.digits = digits
      $0.leadingZero = zero
    }
    let model = Fixture.model(home: score, guest: 5)
    layOut(widget, model)
    #expect(symbols(widget).first == expected)
    #expect(widget.settings.text(of: model, in: .english) { _ in .utc } == "\(score) : 5")
  }

  @Test("from 99 to 100 every team gets one card more, and back again one less")
  func from99To100() {
    let widget = widget()
    layOut(widget, Fixture.model(home: 99, guest: 3))
    #expect(symbols(widget) == [["9", "9"], ["", "3"]])
    widget.update(Fixture.model(home: 100, guest: 3), at: 1, animated: true)
    #expect(symbols(widget) == [["1", "0", "0"], ["", "", "3"]])
    for column in widget.columns {
      for card in column.board.cards { #expect(card.frame.isInside(Self.page.page) && card.frame.isWhole) }
    }
    context.scene.advance(to: 2)
    widget.update(Fixture.model(home: 101, guest: 3), at: 2, animated: true)
    context.scene.advance(to: 2.2)
    #expect(widget.columns[0].board.cards.map { $0.flap.presentation.isHidden } == [true, true, false])
    widget.update(Fixture.model(home: 99, guest: 3), at: 3, animated: true)
    #expect(symbols(widget) == [["9", "9"], ["", "3"]])
    context.scene.advance(to: 9)
    #expect(context.scene.activity == .resting)
  }

  @Test("the cards added for a third digit flip to it, and at rest equal those of a new widget")
  func addedCardsFlip() {
    let widget = widget()
    layOut(widget, Fixture.model(home: 99, guest: 3))
    widget.update(Fixture.model(home: 100, guest: 3), at: 1, animated: true)
    context.scene.advance(to: 1.2)
    #expect(widget.columns[0].board.cards.contains { !$0.flap.presentation.isHidden })
    #expect(!widget.columns[1].board.cards.contains { !$0.flap.presentation.isHidden })
    let shown = context.scene.picture(at: 9)
    layOut(widget, Fixture.model(home: 100, guest: 3))
    #expect(context.scene.picture(at: 9).difference(from: shown) == nil)
    // Without motion, the scores change at once.
    layOut(widget, Fixture.model(home: 99, guest: 3))
    widget.update(Fixture.model(home: 100, guest: 3), at: 10, animated: false)
    #expect(context.scene.picture(at: 10).difference(from: shown) == nil)
  }

  @Test("unknown teams are left out; a widget without teams is empty")
  func unknownTeams() {
    let some = widget { $0.teams = ["nobody", "guest"] }
    layOut(some, Fixture.model(home: 1, guest: 2))
    #expect(some.settings.text(of: Fixture.model(home: 1, guest: 2), in: .english) { _ in .utc } == "2")
    #expect(some.columns.count == 1)
    for teams in [["nobody"], []] {
      let none = widget { $0.teams = teams }
      layOut(none, Fixture.model())
      #expect(none.settings.text(of: Fixture.model(), in: .english) { _ in .utc } == "")
      #expect(none.columns.isEmpty)
      none.update(Fixture.model(home: 5), at: 1, animated: true)
      #expect(none.columns.isEmpty)
    }
  }

  @Test("a team added later is shown, and a new name too")
  func teamsAddedLater() {
    let widget = widget()
    layOut(
      widget,
      StageModel(
        instant: Fixture.instant(1, 2), scoreboard: Scoreboard(teams: [.init(id: "home", name: "A")])))
    #expect(widget.columns.count == 1)
    widget.update(Fixture.model(home: 1, guest: 2), at: 1, animated: true)
    #expect(symbols(widget) == [["", "1"], ["", "2"]])
    #expect(widget.columns.map(\.title.label.text) == ["HOME", "GUEST"])
    var scoreboard = Fixture.model(home: 1, guest: 2)
    scoreboard.scoreboard = Scoreboard(teams: [
      .init(id: "home", name: "LIONS", score: 1), .init(id: "guest", name: "GUEST", score: 2),
    ])
    widget.update(scoreboard, at: 2, animated: true)
    #expect(widget.columns.map(\.title.label.text) == ["LIONS", "GUEST"])
  }

  @Test(
    "any name stays beside its bar, over its cards and on the page",
    arguments: [
      "", " ", "A", "LIONS", String(repeating: "W", count: 10_000), String(repeating: "i", count: 10_000),
      "🦁🏳️‍🌈👩‍👩‍👧‍👦 e\u{301}", "אריות ירושלים", "\u{202e}SNOIL\u{202c}", "a\nb\tc\u{0}", "ﷺ", "Ünïcödé–ß",
    ])
  func anyName(name: String) {
    let widget = widget()
    var model = Fixture.model(home: 1, guest: 2)
    model.scoreboard = Scoreboard(teams: [
      .init(id: "home", name: name, score: 1), .init(id: "guest", name: name, score: 2),
    ])
    layOut(widget, model)
    let boxes = widget.columns.map { column -> Rect in
      let ink = column.title.label.layer.solidFrame
      #expect(ink.map { $0.isInside(Self.page.page) } ?? true)
      #expect(ink.map { $0.maxY <= (column.board.cards.first?.frame.y ?? 0) } ?? true)
      #expect(column.title.bar.frame.isInside(Self.page.page))
      #expect(ink.map { $0.x >= column.title.bar.frame.maxX } ?? true)
      return ink ?? .zero
    }
    #expect(boxes.count == 2)
    #expect(!boxes[0].overlaps(boxes[1]))
    let texts = widget.columns.map(\.title.label.text)
    #expect(texts.allSatisfy { $0 == name || name.count > 1000 && name.hasPrefix($0.dropLast()) })
  }
}

extension Layer {
  /// The smallest rectangle in the superlayer with all pixels of the layer's contents whose alpha is at least
  /// 128; nil if there are none.
  var solidFrame: Rect? {
    guard let image = presentation.contents, !presentation.isHidden, presentation.opacity > 0 else {
      return nil
    }
    let buffer = image.bitmap.buffer
    var (left, top, right, bottom) = (Int.max, Int.max, Int.min, Int.min)
    // The contents of a half are only a part of the picture.
    let part = presentation.contentsRect
    let first = Int((min(part.y, part.y + part.height) * Double(buffer.height)).rounded())
    let last = Int((max(part.y, part.y + part.height) * Double(buffer.height)).rounded())
    for y in first..<last {
      let row = buffer.row32(y)
      var x = 0
      while x < buffer.width, row[x] >> 24 < 128 { x += 1 }
      if x == buffer.width { continue }
      var end = buffer.width
      while row[end - 1] >> 24 < 128 { end -= 1 }
      (left, right) = (min(left, x), max(right, end))
      (top, bottom) = (min(top, y), y + 1)
    }
    guard left < right else { return nil }
    return Rect(
      x: frame.x + Double(left), y: frame.y + Double(top - first), width: Double(right - left),
      height: Double(bottom - top))
  }
}
