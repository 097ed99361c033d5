// SPDX-License-Identifier: Apache-2.0

import Commands
import Raster
import Settings
import TestSupport
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
    let symbols = BoardLayout(BoardText(text), settings).symbols
    return (0..<rows).map { row in
      symbols[(row * columns)..<((row + 1) * columns)].map { $0.text.isEmpty ? " " : $0.text }.joined()
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

  @Test("The cards start in the order of the text's wave", arguments: CardWave.Order.allCases)
  func waves(order: CardWave.Order) throws {
    let wave = try #require(CardWave(order, size: 2, milliseconds: 100))
    let (columns, rows) = (5, 4)
    let starts = wave.starts(columns: columns, rows: rows, step: 9, seed: 7)
    let ranks = starts.map { Int(($0 * 10).rounded()) }
    func start(_ row: Int, _ column: Int) -> Int { ranks[row * columns + column] }
    switch order {
    case .columns: #expect((0..<5).map { start(3, $0) } == [0, 0, 1, 1, 2])
    case .columnsReversed: #expect((0..<5).map { start(3, $0) } == [2, 1, 1, 0, 0])
    case .edgesToCenter: #expect((0..<5).map { start(3, $0) } == [0, 0, 1, 0, 0])
    case .rows: #expect((0..<4).map { start($0, 4) } == [0, 0, 1, 1])
    case .diagonal: #expect(start(0, 0) == 0 && start(3, 0) == start(0, 3) && start(3, 4) == 3)
    case .random:
      #expect(ranks.sorted() == (0..<20).map { $0 / 2 } && ranks != ranks.sorted())
      #expect(starts == wave.starts(columns: columns, rows: rows, step: 9, seed: 7))
      #expect(starts != wave.starts(columns: columns, rows: rows, step: 9, seed: 8))
    }
    // The time of the config, and the longest wave.
    let own = try #require(CardWave(order)).starts(columns: 5, rows: 4, step: 0.25, seed: 7)
    #expect(Set(own.map { $0 / 0.25 }).isSubset(of: Set((0..<20).map(Double.init))) && own.contains(0))
    let slow = try #require(CardWave(order, milliseconds: 10_000)).starts(
      columns: 64, rows: 24, step: 1, seed: 1)
    #expect((slow.max() ?? 99) <= 60)
    #expect(CardWave(order, size: 0) == nil && CardWave(order, milliseconds: 10_001) == nil)
  }

  private func model(_ boards: [String: BoardText]) -> StageModel {
    var model = Fixture.model()
    model.boards = boards
    return model
  }

  @Test("a board fits its box on whole pixels, and flips to a new text")
  func changes() throws {
    var settings = BoardSettings()
    settings.columns = 5
    settings.rows = 2
    settings.text = "AB"
    let page = PixelSize(width: 320, height: 200)
    var context = Fixture.context(page)
    context.name = "hall"
    let widget = BoardWidget(settings, weight: 1, context: context)
    let size = widget.fittingSize(in: Size(width: 300, height: 180))
    #expect(size.width <= 300 && size.height <= 180 && size.width > 200)
    widget.layOut(in: Rect(x: 10, y: 10, width: size.width, height: size.height), model: Fixture.model())
    context.scene.root.addSublayer(widget.layer)
    let before = context.scene.picture(at: 0)
    widget.update(model(["hall": BoardText("AD")]), at: 1, animated: true)
    #expect(context.scene.picture(at: 1).difference(from: before) == nil)
    context.scene.advance(to: 1.1)
    #expect(context.scene.activity == .moving)
    let after = context.scene.picture(at: 3)
    #expect(context.scene.activity == .resting)
    #expect(after.difference(from: before) != nil)
    widget.update(model(["other": BoardText("X")]), at: 3, animated: false)
    #expect(context.scene.picture(at: 3).difference(from: before) == nil)
    #expect(widget.shown == BoardText("AB"))
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
    #expect(new.shown == BoardText("C"))
  }

  @Test("a board with the size of its text is built again for another size, and flips from what it showed")
  func automaticSize() {
    var settings = BoardSettings()
    (settings.columns, settings.rows, settings.text) = (nil, nil, "AB")
    let page = PixelSize(width: 320, height: 200)
    func make(_ model: StageModel) -> (BoardWidget, WidgetContext) {
      var context = Fixture.context(page)
      context.name = "hall"
      let widget = BoardWidget(settings, weight: 1, context: context)
      #expect(widget.fittingSize(in: context.page) == context.page)
      widget.layOut(in: Rect(x: 0, y: 0, width: 320, height: 200), model: model)
      context.scene.root.addSublayer(widget.layer)
      return (widget, context)
    }
    let (widget, context) = make(Fixture.model())
    for (index, text) in ["{red}ABCDE{/}\nF", "", "A", "AB"].enumerated() {
      let (start, other) = (Double(index) * 10, model(["hall": BoardText(text)]))
      widget.update(other, at: start, animated: true)
      context.scene.advance(to: start + 0.03)
      if !text.isEmpty { #expect(context.scene.activity == .moving) }
      let (_, fresh) = make(other)
      let picture = context.scene.picture(at: start + 9)
      #expect(picture.difference(from: fresh.scene.picture(at: 0)) == nil, "\(text)")
    }
  }

  /// The picture of a widget of type `text`, in a page of its own.
  private func line(_ text: BoardText, _ change: (inout TextSettings) -> Void = { _ in }) -> Bitmap {
    var settings = TextSettings()
    change(&settings)
    var context = Fixture.context(PixelSize(width: 300, height: 40))
    context.name = "hall"
    let widget = settings.makeWidget(weight: 1, context: context)
    widget.layOut(in: Rect(x: 0, y: 0, width: 300, height: 40), model: Fixture.model())
    widget.update(model(["hall": text]), at: 0, animated: false)
    context.scene.root.addSublayer(widget.layer)
    return context.scene.picture(at: 0)
  }

  @Test("A line of text has letters in the colours of its markup, in the same places")
  func colouredLine() {
    func columns(_ text: String) -> [(any: Bool, red: Bool)] {
      let picture = line(BoardText(text)) { $0.color = 0xffffff }
      return (0..<picture.width).map { x in
        let pixels = (0..<picture.height).map { picture.buffer.row32($0)[x] & 0xff_ffff }
        return (pixels.contains { $0 != 0 }, pixels.contains { $0 >> 16 > $0 & 0xff })
      }
    }
    let (plain, half) = (columns("HOME GUEST"), columns("HOME {red}GUEST{/}"))
    #expect(plain.map(\.any) == half.map(\.any))
    #expect(plain.allSatisfy { !$0.red })
    #expect(half[..<140].allSatisfy { !$0.red })
    #expect(half[150...].allSatisfy { $0.red == $0.any })
    let exact = line(BoardText("{#ffffff}HOME{/} GUEST")) { $0.color = 0xffffff }
    #expect(exact.difference(from: line(BoardText("HOME GUEST")) { $0.color = 0xffffff }) == nil)
    #expect(line(BoardText("{red}A", isPlain: true)).difference(from: line(BoardText("{red}A"))) != nil)
    var settings = TextSettings()
    settings.text = "{red}HOME{/}"
    #expect(settings.text(of: Fixture.model(), in: .english, zones: { _ in .utc }) == "HOME")
  }

  private func layers(_ layer: Layer) -> Int { layer.sublayers.reduce(1) { $0 + layers($1) } }

  /// Texts of any length, script and form, at any time during the flight of earlier ones.
  @Test(
    "After any sequence of texts, the picture is that of a new board with the last one",
    arguments: 0..<UInt64(TestEffort.rounds(12, long: 300)))
  func anyTexts(seed: UInt64) {
    var generator = SplitMix(seed: seed)
    var settings = BoardSettings()
    settings.columns = generator.int(0...3) == 0 ? nil : generator.int(1...9)
    settings.rows = generator.int(0...3) == 0 ? nil : generator.int(1...3)
    settings.overflow = BoardSettings.Overflow.allCases[generator.int(0...1)]
    settings.tabs = [[], [], [2], [1, 4]][generator.int(0...3)]
    let transitions: [DigitTransition] = [.flip, .flip, .slide, .fade]
    settings.motion.transition = transitions[generator.int(0...3)]
    settings.align = BoardSettings.Alignment.allCases[generator.int(0...2)]
    settings.stale = StaleText.allCases[generator.int(0...2)]
    settings.motion.order = CardMotionSettings.Order.allCases.randomElement(using: &generator) ?? .together
    settings.motion.symbols = generator.int(0...1) == 0 ? .through : .direct
    settings.text = "START"
    let page = PixelSize(width: generator.int(60...200), height: generator.int(40...120))
    func make(_ model: StageModel) -> (BoardWidget, WidgetContext) {
      var context = Fixture.context(page)
      context.name = "hall"
      let widget = BoardWidget(settings, weight: 1, context: context)
      let size = widget.fittingSize(in: context.page)
      widget.layOut(
        in: Rect(x: 0, y: 0, width: size.width.rounded(.down), height: size.height.rounded(.down)),
        model: model)
      context.scene.root.addSublayer(widget.layer)
      return (widget, context)
    }
    let letters =
      "AÄßIiıŒ ñ  09?中あЖאבGحج क्षि👩‍👩‍👧e\u{301}\n\n\t\t🟥⬛⬜\u{fe0f}█{}".map { String($0) }
      + ["{red}", "{violet}", "{#0080ff}", "{/}", "{/", "{RED}"]
    var model = Fixture.model()
    let (widget, context) = make(model)
    var time = 0.0
    for _ in 0..<generator.int(1...30) {
      let text = (0..<generator.int(0...40)).map { _ in letters[generator.int(0...(letters.count - 1))] }
        .joined()
      model.boards["hall"] =
        generator.int(0...5) == 0
        ? nil
        : BoardText(text, isStale: generator.int(0...3) == 0, isPlain: generator.int(0...3) == 0)
      widget.update(model, at: time, animated: generator.int(0...6) != 0)
      time += [0, 0.02, 0.1, 0.5, 3][generator.int(0...4)] * generator.unit()
      _ = context.scene.picture(at: time)
    }
    let count = layers(context.scene.root)
    let picture = context.scene.picture(at: time + 60)
    #expect(context.scene.activity == .resting)
    let (_, fresh) = make(model)
    #expect(picture.difference(from: fresh.scene.picture(at: 0)) == nil, "seed \(seed)")
    #expect(count <= layers(fresh.scene.root), "layers pile up")
  }
}
