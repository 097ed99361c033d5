// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Languages
import Layers
import Raster
import Scoreboard
import Settings
import Testing

@testable import Widgets

@Suite struct WidgetLanguageTests {
  private let size = PixelSize(width: 640, height: 360)

  private func language(_ tag: String, native: Bool = false) throws -> Language {
    var language = try #require(Language(tag))
    language.usesNativeDigits = native
    return language
  }

  private func text(_ source: any WidgetSource, _ language: Language, hour: Int = 21) -> String {
    source.text(of: Fixture.model(Fixture.instant(hour, 5)), in: language, zones: { _ in .utc })
  }

  @Test("Dates have the order, the words, the capitals and the digits of the language")
  func dates() throws {
    var date = DateSettings()
    let capitals = [
      ("en", "FRIDAY 20 NOVEMBER"), ("en-US", "FRIDAY, NOVEMBER 20"), ("de", "FREITAG, 20. NOVEMBER"),
      ("tr", "20 KASIM CUMA"), ("el", "ΠΑΡΑΣΚΕΥΗ 20 ΝΟΕΜΒΡΙΟΥ"), ("ja", "11月20日金曜日"),
      ("uk", "ПʼЯТНИЦЯ, 20 ЛИСТОПАДА"), ("pt-BR", "SEXTA-FEIRA, 20 DE NOVEMBRO"),
    ]
    for (tag, expected) in capitals { #expect(text(date, try language(tag)) == expected) }
    date.uppercase = false
    #expect(text(date, try language("fr")) == "Vendredi 20 novembre")
    #expect(text(date, try language("hi", native: true)) == "शुक्रवार, २० नवंबर")
    date.format = .pattern(try DatePattern("LLLL yyyy"))
    #expect(text(date, try language("pl")).lowercased() == "listopad 2026")
  }

  @Test("Clocks have 12 hours in regions that use them, with AM and PM in the language")
  func hours() throws {
    var clock = FlipClockSettings()
    let auto = [
      ("en", "21:05"), ("en-GB", "21:05"), ("en-US", "09:05 PM"), ("de", "21:05"), ("hi-IN", "09:05 PM"),
      ("ko", "09:05 PM"), ("ar-EG", "09:05 م"), ("es-CO", "09:05 P.M."), ("fr-CA", "21:05"),
    ]
    for (tag, expected) in auto { #expect(text(clock, try language(tag)) == expected, "\(tag)") }
    clock.hours = .twelve
    #expect(text(clock, try language("ja")) == "09:05 午後")
    #expect(text(clock, try language("hu"), hour: 9) == "09:05 DE.")
    clock.hours = .twentyFour
    #expect(text(clock, try language("en-US")) == "21:05")
    var world = WorldClockSettings()
    world.cities = [.init(name: "A", zone: "local")]
    #expect(text(world, try language("en-US")) == "A 09:05 PM")
  }

  /// The frames of the widgets `a`, `b` and `c` of a row.
  private func row(_ tag: String) throws -> [Rect] {
    let names = ["a", "b", "c"]
    // The hours of the region would change the widths.
    var clock = FlipClockSettings()
    clock.hours = .twentyFour
    var configuration = Fixture.configuration(
      names.map { WidgetSettings(name: $0, weight: $0 == "a" ? 2 : 1, content: clock) }, rows: [names])
    configuration.language = try language(tag)
    return LayoutCheck.plans(configuration, rules: GameRules(), size: size)[0].places.map(\.rect)
  }

  @Test("A language from right to left mirrors the rows of a page, and no other does")
  func rows() throws {
    let plain = try row("en")
    #expect(try row("de") == plain)
    for tag in ["ar", "he", "fa", "ur"] {
      let mirrored = try row(tag).map { Rect(x: 640 - $0.maxX, y: $0.y, width: $0.width, height: $0.height) }
      #expect(mirrored == plain, "\(tag)")
    }
    #expect(plain[0].x < plain[1].x && plain[1].x < plain[2].x)
  }

  private func score(_ language: Language, style: ScoreSettings.Style, teams: Int = 2) -> ScoreWidget {
    var settings = ScoreSettings()
    settings.style = style
    settings.teams = (0..<teams).map { "t\($0)" }
    let context = Fixture.context(
      size, rules: GameRules(.basketball, words: language.words), language: language)
    let widget = ScoreWidget(settings, weight: 1, context: context)
    var model = Fixture.model()
    model.scoreboard = Scoreboard(
      teams: (0..<teams).map { .init(id: "t\($0)", name: "T\($0)", score: 10 + $0) })
    model.scoreboard.adopt(model.scoreboard.teams, rules: context.rules)
    let size = widget.fittingSize(in: Size(width: 640, height: 360))
    widget.layOut(in: Rect(x: 0, y: 0, width: size.width, height: size.height), model: model)
    return widget
  }

  @Test(
    "The first team is at the right in a language from right to left; its digits stay in their order",
    arguments: [
      ScoreSettings.Style.plain, .scoreboard,
    ])
  func sides(_ style: ScoreSettings.Style) throws {
    for (tag, isMirrored) in [("en", false), ("ar", true)] {
      let widget = score(try language(tag), style: style)
      func left(_ team: Int, _ card: Int) -> Double { widget.columns[team].board.cards[card].frame.x }
      #expect((left(0, 0) > left(1, 0)) == isMirrored)
      #expect(left(0, 0) < left(0, 1) && left(1, 0) < left(1, 1))
      #expect(widget.columns[0].board.cards.map(\.machine.target).suffix(2) == ["1", "0"])
    }
  }

  @Test("A team's figures are on the side of its score", arguments: ["en", "ar"])
  func sidesOfFigures(_ tag: String) throws {
    let language = try language(tag)
    // The points of past sets, and a counter of a game whose scores leave space between them.
    for (preset, action) in [
      (GameRules.Preset.volleyball, Scoreboard.Action.setPeriodScore(team: "home", period: 1, to: 27)),
      (.football, .setCounter(team: "home", counter: "yellow-cards", to: 27)),
    ] {
      var scoreboard = Fixture.scoreboard(preset)
      try scoreboard.apply(.setPeriod(to: 2, anyway: true))
      try scoreboard.apply(action)
      var settings = ScoreSettings()
      settings.style = .scoreboard
      let context = Fixture.context(size, rules: scoreboard.rules, language: language)
      let widget = ScoreWidget(settings, weight: 1, context: context)
      widget.layOut(
        in: Rect(x: 0, y: 0, width: 640, height: 360),
        model: StageModel(instant: Fixture.instant(9, 41), scoreboard: scoreboard))
      let lines = widget.parts.compactMap { $0 as? MatchText }.flatMap(\.text.shown)
      let figure = try #require(lines.first { $0.text == "27" }, "\(preset)")
      let isLeft = widget.columns[0].board.cards[0].frame.x < 320
      #expect(isLeft == (tag == "en") && (figure.box.midX < 320) == isLeft, "\(preset)")
    }
  }

  @Test("Each row of teams is mirrored separately")
  func rowsOfTeams() throws {
    let plain = score(try language("en"), style: .plain, teams: 5)
    let mirrored = score(try language("he"), style: .plain, teams: 5)
    for (a, b) in zip(plain.columns, mirrored.columns) {
      #expect(a.board.cards[0].frame.y == b.board.cards[0].frame.y)
    }
    // Within a row, the teams have exchanged their places.
    func places(_ widget: ScoreWidget) -> [Double: [Double]] {
      Dictionary(grouping: widget.columns.map { $0.board.cards[0].frame }, by: \.y).mapValues { $0.map(\.x) }
    }
    #expect(places(plain).mapValues { $0.reversed() } == places(mirrored))
    #expect(places(plain).values.contains { $0.count > 1 })
  }

  @Test(
    "The time of day on a scoreboard has a leading zero only in 24 hours",
    arguments: [
      ("en", "06:47"), ("de", "06:47"), ("en-US", "6:47 AM"), ("ko", "6:47 AM"), ("es-CO", "6:47 A.M."),
    ])
  func timeOfDay(_ tag: String, _ time: String) throws {
    var settings = ScoreSettings()
    (settings.style, settings.showTime) = (.scoreboard, true)
    let context = Fixture.context(size, rules: GameRules(.volleyball), language: try language(tag))
    let widget = ScoreWidget(settings, weight: 1, context: context)
    widget.layOut(
      in: Rect(x: 0, y: 0, width: 640, height: 360),
      model: StageModel(instant: Fixture.instant(6, 47), scoreboard: Fixture.scoreboard(.volleyball)))
    let texts = widget.parts.compactMap { $0 as? MatchText }.flatMap(\.text.shown).map(\.text)
    #expect(texts.contains(time), "\(texts)")
  }

  @Test("The time of day on a scoreboard is written as its settings say, in the same place and size")
  func writtenTime() throws {
    func line(_ change: (inout FlipClockSettings) -> Void) throws -> TextLines.Line {
      var settings = ScoreSettings()
      (settings.style, settings.showTime) = (.scoreboard, true)
      change(&settings.clock)
      let context = Fixture.context(size, rules: GameRules(.volleyball))
      let widget = ScoreWidget(settings, weight: 1, context: context)
      let model = StageModel(instant: Fixture.instant(18, 47), scoreboard: Fixture.scoreboard(.volleyball))
      widget.layOut(in: Rect(x: 0, y: 0, width: 640, height: 360), model: model)
      let texts = widget.parts.compactMap { $0 as? MatchText }.flatMap(\.text.shown)
      let next = widget.nextChange(after: model.instant)
      #expect(
        next == model.instant.advanced(nanoseconds: settings.clock.seconds ? 1_000_000_000 : 60_000_000_000))
      return try #require(texts.first { $0.text.contains("47") }, "\(texts.map(\.text))")
    }
    let plain = try line { _ in }
    for (text, change) in [
      ("6:47 PM", { $0.hours = .twelve }), ("18:47:00", { $0.seconds = true }),
      (
        "6:47",
        {
          $0.hours = .twelve; $0.amPM = false
        }
      ),
    ] as [(String, (inout FlipClockSettings) -> Void)] {
      let changed = try line(change)
      #expect(
        changed.text == text && changed.box.maxX == plain.box.maxX && changed.box.y == plain.box.y
          && changed.cap == plain.cap)
    }
  }

  @Test("The words of a scoreboard are those of the language")
  func words() throws {
    let german = score(try language("de"), style: .scoreboard)
    let words = german.parts.compactMap { $0 as? MatchText }.flatMap(\.text.shown).map(\.text)
    #expect(words.contains("VIERTEL"), "\(words)")
    let counters = german.parts.compactMap { ($0 as? CounterLine.Part)?.line.name?.text }
    #expect(counters == ["FOULS", "AUSZEITEN", "FOULS", "AUSZEITEN"])
  }

  @Test("Native digits are drawn on cards, and prepared; symbols stay Latin")
  func cards() throws {
    let metrics = CardMetrics(height: 60, aspect: CardMetrics.aspect)
    let arabic = try language("ar-EG", native: true)
    let native = CardImages(metrics: metrics, theme: Fixture.theme, digits: arabic)
    let latin = CardImages(metrics: metrics, theme: Fixture.theme)
    while native.prepareDigit() {}
    #expect(native.symbols == Set((0...9).map { CardSymbol(String($0)) }))
    // The built-in outlines have no Arabic digits, so the card is compared with that of the digit itself.
    for (digit, shape) in zip(0...9, arabic.digits(in: "0123456789")) {
      let drawn = native.card(CardSymbol(String(digit))).bitmap
      #expect(drawn.difference(from: latin.card(CardSymbol(String(shape))).bitmap) == nil)
    }
  }

  @Test("Widgets of every language are built, updated through a year and mirrored without a trap")
  func everyLanguage() throws {
    for tag in LanguageTable.names where !tag.contains("-") {
      let language = try language(tag, native: true)
      var configuration = Configuration.builtIn(in: language)
      configuration.theme = Fixture.themeSettings
      let stage = Fixture.stage(configuration, PixelSize(width: 160, height: 120), Fixture.model())
      var texts: Set<String> = []
      for day in stride(from: 0, to: 365, by: 61) {
        let model = Fixture.model(Instant(seconds: 1_795_132_800 + Int64(day) * 86_400))
        stage.update(model, at: Double(day), animated: false)
        texts.insert(stage.texts.map(\.text).joined())
      }
      #expect(texts.count == 6, "\(tag)")
    }
  }
}
