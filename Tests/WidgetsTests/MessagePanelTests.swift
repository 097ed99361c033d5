// SPDX-License-Identifier: Apache-2.0

import Raster
import Scoreboard
import Settings
import TestSupport
import Testing

@testable import Layers
@testable import Widgets

@Suite struct MessagePanelTests {
  static let hostile: [String] = [
    "\u{0}\u{7}\u{1b}[31m", "A", "Dinner in 10 minutes", "One\nTwo\r\nThree",
    String(repeating: "words of some length ", count: 500), String(repeating: "W", count: 10_000),
    "a" + String(repeating: "\u{301}", count: 10_000), String(repeating: "\n", count: 10_000) + "end",
    String(repeating: "x\n", count: 5_000), "ערב טוב לכולם", "مساء الخير", "👩‍👩‍👧‍👦🏳️‍🌈🎉",
    String(repeating: "次は新宿です。", count: 40), "\u{a0}no\u{a0}break\u{a0}at\u{a0}all\u{a0}in\u{a0}here",
    "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen now",
  ]
  static let unseen = ["", " ", "\n\n", "\u{0}\u{1b}", "\u{200b}\u{202e}"]
  static let sizes: [(Int, Int)] = [
    (1, 1), (16, 16), (64, 400), (320, 240), (480, 320), (800, 480), (480, 800), (1024, 200),
  ]

  private static func model(_ message: String?) -> StageModel {
    var model = Fixture.model()
    model.message = message
    return model
  }

  private static func stage(
    _ message: String?, _ size: PixelSize = PixelSize(width: 200, height: 120), motion: Motion = .full
  ) -> Stage {
    var configuration = Fixture.configuration([
      WidgetSettings(name: "time", weight: 1, content: FlipClockSettings())
    ])
    configuration.motion = motion
    return Fixture.stage(configuration, size, model(message))
  }

  @Test("any text stays on its panel", arguments: sizes)
  func anyTextStaysOnItsPanel(width: Int, height: Int) {
    let page = Size(width: Double(width), height: Double(height))
    let artist = MessageArtist(theme: Fixture.theme, page: page)
    let band = (0.2 * min(page.width, page.height)).rounded()
    for high in [band, page.height] {
      let area = Rect(x: 0, y: page.height - high, width: page.width, height: high)
      for text in Self.unseen { #expect(artist.panel(text, in: area) == nil) }
      for text in Self.hostile {
        guard let panel = artist.panel(text, in: area) else {
          #expect(width < 100, "nothing of \(text.prefix(20)) on \(width)x\(height)")
          continue
        }
        let (bitmap, frame) = panel.letters
        #expect(panel.frame == area && frame.isWhole)
        #expect(frame.isInside(Rect(x: 0, y: 0, width: area.width, height: area.height)))
        #expect(bitmap.width == Int(frame.width) && bitmap.height == Int(frame.height))
      }
    }
  }

  @Test(
    "A page becomes smaller for a message, which covers nothing; after it, the page is as before",
    arguments: GameRules.Preset.allCases)
  func besideScores(_ preset: GameRules.Preset) throws {
    for (width, height) in [
      (1920, 1080), (1280, 720), (480, 320), (320, 240), (600, 800), (1080, 1920), (1280, 400), (3840, 1080),
    ] {
      let size = PixelSize(width: width, height: height)
      for isOver in [false, true] {
        var scoreboard = Fixture.scoreboard(preset)
        if isOver { try scoreboard.apply(.endMatch) }
        var model = StageModel(instant: Fixture.instant(9, 41), scoreboard: scoreboard)
        let configuration = PageFitTests.configuration(preset)
        let stage = Fixture.stage(configuration, size, model)
        let shown = Bitmap(width: width, height: height, format: .xrgb8888)
        _ = stage.scene.render(into: shown.buffer)
        for (index, text) in ["x", "TIME OUT", "The match continues in ten minutes; drinks are at the bar"]
          .enumerated()
        {
          model.message = text
          stage.update(model, at: Double(index) + 1, animated: index > 0)
          let box = try #require(stage.message.box, "\(preset) \(size)")
          #expect(box.frame.maxY == size.page.height && box.frame.width == size.page.width)
          #expect(stage.page.layer.frame.maxY == box.frame.y && stage.page.layer.frame.y == 0)
          let cap = try #require(Self.letters(of: box)).height
          let least = text.count > 10 ? 0.026 : 0.04
          #expect(cap >= least * Double(min(width, height)), "\(preset) \(size) \(text): \(cap)")
          stage.scene.advance(to: Double(index) + 1.9)
          _ = stage.scene.render(into: shown.buffer)
          let fresh = Fixture.stage(configuration, size, model)
          #expect(shown.difference(from: fresh.scene.picture(at: 0)) == nil, "\(preset) \(size) \(text)")
        }
        model.message = nil
        stage.update(model, at: 5, animated: true)
        stage.scene.advance(to: 6)
        _ = stage.scene.render(into: shown.buffer)
        let fresh = Fixture.stage(configuration, size, model)
        #expect(shown.difference(from: fresh.scene.picture(at: 0)) == nil, "\(preset) \(size)")
      }
    }
  }

  /// The extent of the letters on a panel.
  private static func letters(of box: Layer) -> Rect? {
    guard let letters = box.sublayers.first, let bitmap = letters.contents?.bitmap else { return nil }
    let (rows, columns) = (0..<bitmap.height, 0..<bitmap.width)
    let ink = rows.filter { y in columns.contains { bitmap.buffer.row32(y)[$0] >> 24 > 127 } }
    let across = columns.filter { x in rows.contains { bitmap.buffer.row32($0)[x] >> 24 > 127 } }
    guard let top = ink.first, let bottom = ink.last, let left = across.first, let right = across.last else {
      return nil
    }
    return Rect(
      x: letters.frame.x + Double(left), y: letters.frame.y + Double(top), width: Double(right - left + 1),
      height: Double(bottom - top + 1))
  }

  @Test("A message that may cover everything covers the page, in letters as large as fit")
  func fullMessages() throws {
    for (width, height) in [(1920, 1080), (800, 480), (480, 320), (1080, 1920), (3840, 1080)] {
      let size = PixelSize(width: width, height: height)
      for (text, share) in [("GOAL!", 0.3), ("TIME OUT", 0.25), ("THE MATCH CONTINUES IN TEN MINUTES", 0.12)]
      {
        let model = StageModel(
          instant: Fixture.instant(9, 41), scoreboard: Fixture.scoreboard(.basketball), message: text,
          isMessageFull: true)
        let stage = Fixture.stage(PageFitTests.configuration(.basketball), size, model)
        let box = try #require(stage.message.box)
        #expect(box.frame == size.page)
        let letters = try #require(Self.letters(of: box))
        #expect(letters.isInside(size.page))
        let isFilling = letters.width > 0.75 * size.page.width || letters.height > 0.45 * size.page.height
        #expect(isFilling, "\(size) \(text): \(letters)")
        let lines = Double(stage.message.lines.count)
        #expect(letters.height / lines > share * size.page.height * 0.5 || width < height)
        #expect(stage.message.lines.joined(separator: " ") == text)
      }
    }
  }

  @Test("letters are as large as the space allows, and text that does not fit ends with an ellipsis")
  func letterSizes() {
    func layout(_ text: String, _ width: Double, _ height: Double) -> MessageLayout {
      MessageLayout(
        text, in: Size(width: width, height: height), largest: 40, least: 10, face: Fixture.theme.nameFace)
    }
    #expect(layout("HELLO", 1_000, 400).capHeight == 40)
    #expect(layout("HELLO", 1_000, 400).lines == ["HELLO"])
    #expect(layout("ONE\nTWO\n\n THREE ", 1_000, 400).lines == ["ONE", "TWO", "THREE"])
    for count in [3, 10, 40, 200, 3_000] {
      let text = String(repeating: "WORD ", count: count)
      let layout = layout(text, 400, 200)
      #expect(layout.width <= 400 && layout.height <= 200)
      #expect(layout.capHeight >= 10)
      #expect((layout.lines.last?.hasSuffix("…") ?? false) == (count > 100))
      if count <= 40 { #expect(layout.lines.joined(separator: " ") + " " == text) }
    }
    let broken = layout(String(repeating: "M", count: 60), 300, 200)
    #expect(broken.lines.joined() == String(repeating: "M", count: 60))
    let counts = broken.lines.map(\.count)
    #expect((counts.max() ?? 0) - (counts.min() ?? 0) <= (counts.count), "\(counts)")
  }

  @Test("a message fades in and out and leaves the page unchanged; with motion none it changes at once")
  func appearsAndDisappears() {
    let stage = Self.stage(nil)
    let plain = stage.scene.picture(at: 0)
    stage.update(Self.model("HELLO"), at: 1, animated: true)
    #expect(stage.scene.picture(at: 1).difference(from: plain) == nil)
    #expect(stage.scene.activity == .moving)
    let half = stage.scene.picture(at: 1.1)
    let there = stage.scene.picture(at: 2)
    #expect(half.difference(from: plain) != nil && half.difference(from: there) != nil)
    #expect(stage.scene.activity == .resting)
    #expect(there.difference(from: Self.stage("HELLO").scene.picture(at: 0)) == nil)
    stage.update(Self.model(nil), at: 3, animated: true)
    #expect(stage.scene.picture(at: 3.1).difference(from: there) != nil)
    #expect(stage.scene.picture(at: 4).difference(from: plain) == nil)
    #expect(stage.message.layer.sublayers.isEmpty)

    let still = Self.stage(nil, motion: .none)
    still.update(Self.model("HELLO"), at: 1, animated: true)
    #expect(still.scene.activity == .resting)
    #expect(still.scene.picture(at: 1).difference(from: there) == nil)
    still.update(Self.model(nil), at: 1, animated: true)
    #expect(still.scene.picture(at: 1).difference(from: plain) == nil)
  }

  @Test("texts may replace each other at any moment, and the last one stays")
  func replacedTexts() {
    let stage = Self.stage(nil)
    let shown = Bitmap(width: 200, height: 120, format: .xrgb8888)
    var random = SplitMix(seed: 7)
    var time = 1.0
    var message: String?
    for step in 0..<60 {
      message = [nil, "HELLO", "GOODBYE ALL", "A LONGER TEXT ON SEVERAL LINES"][Int(random.next() % 4)]
      stage.update(Self.model(message), at: time, animated: true)
      for _ in 0..<Int(random.next() % 4) {
        time += Double(random.next() % 100) / 1_000
        stage.scene.advance(to: time)
        _ = stage.scene.render(into: shown.buffer)
      }
      #expect(stage.message.layer.sublayers.count <= 3)
      guard step % 10 == 9 else { continue }
      time += 2
      stage.scene.advance(to: time)
      _ = stage.scene.render(into: shown.buffer)
      #expect(stage.scene.activity == .resting)
      #expect(shown.difference(from: Self.stage(message).scene.picture(at: 0)) == nil)
    }
  }

  @Test("the damage of another text is limited to the panel")
  func damage() throws {
    let stage = Self.stage("HELLO", PixelSize(width: 800, height: 480))
    let shown = Bitmap(width: 800, height: 480, format: .xrgb8888)
    _ = stage.scene.render(into: shown.buffer)
    let reach = try #require(stage.message.box).frame
    stage.update(Self.model("GOODBYE ALL"), at: 1, animated: true)
    for step in 1...20 {
      if step == 10 { stage.update(Self.model("HELLO"), at: 1.5, animated: true) }
      stage.scene.advance(to: 1 + Double(step) * 0.05)
      for area in stage.scene.render(into: shown.buffer) {
        let drawn = Rect(
          x: Double(area.x), y: Double(area.y), width: Double(area.width), height: Double(area.height))
        #expect(drawn.isInside(reach))
      }
    }
  }

  @Test("a message stays over a change of pages and does not move with the page")
  func staysOverAChangeOfPages() throws {
    var configuration = Fixture.configuration([
      WidgetSettings(name: "time", weight: 1, content: FlipClockSettings()),
      WidgetSettings(name: "date", weight: 1, content: DateSettings()),
    ])
    configuration.pages = ["one", "two"].map { name in
      var layout = LayoutSettings()
      layout.rows = [[name == "one" ? "time" : "date"]]
      return PageSettings(name: name, layout: layout)
    }
    let size = PixelSize(width: 200, height: 120)
    for kind in PageTransitionSettings.Kind.allCases {
      configuration.pageTransition.kind = kind
      let stage = Fixture.stage(configuration, size, Self.model("HI"))
      let before = stage.scene.picture(at: 0)
      let box = try #require(stage.message.box)
      #expect(stage.show(page: "two", Self.model("HI")) { 1 })
      for time in [1.2, 1.5, 1.9] {
        let picture = stage.scene.picture(at: time)
        let (x, y) = (Int(box.position.x), Int(box.frame.y + box.frame.height / 2))
        for row in y - 4..<y + 4 {
          for column in x - 20..<x + 20 {
            let same = picture.buffer.row32(row)[column] == before.buffer.row32(row)[column]
            if !same { Issue.record("\(kind) at \(time): (\(column), \(row))") }
          }
        }
      }
      stage.update(Self.model(nil), at: 5, animated: true)
      let fresh = Fixture.stage(configuration, size, Self.model(nil))
      fresh.show(page: "two", Self.model(nil), animated: false) { 1 }
      #expect(stage.scene.picture(at: 6).difference(from: fresh.scene.picture(at: 6)) == nil)
    }
  }

  @Test(
    "messages below a clock and a score",
    arguments: [(320, 240), (480, 320), (800, 480), (480, 800), (1920, 1080)])
  func messagesBelowAClockAndAScore(width: Int, height: Int) throws {
    let configuration = Fixture.configuration([
      WidgetSettings(name: "time", weight: 1, content: FlipClockSettings()),
      WidgetSettings(name: "score", weight: 1, content: ScoreSettings()),
    ])
    let long = "THE SECOND HALF BEGINS AT 20:15. PLEASE TAKE YOUR SEATS."
    let text = width == 1920 ? "DINNER IN 10 MINUTES" : long
    let stage = Fixture.stage(configuration, PixelSize(width: width, height: height), Self.model(text))
    let picture = stage.scene.picture(at: 0)
    // A part of the large panel is enough.
    let crop = width == 1920 ? PixelRect(x: 520, y: 740, width: 500, height: 300) : nil
    try Golden.expect(picture, crop: crop, is: "message-\(width)x\(height)")
  }
}
