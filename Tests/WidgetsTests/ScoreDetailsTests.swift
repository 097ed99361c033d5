// SPDX-License-Identifier: Apache-2.0

import Raster
import Scoreboard
import Settings
import TestSupport
import Testing

@testable import Layers
@testable import Widgets

@Suite struct ScoreDetailsTests {
  private static let page = PixelSize(width: 480, height: 320)

  private func stage(_ scoreboard: Scoreboard, _ size: PixelSize = page, _ settings: ScoreSettings = .init())
    -> Stage
  {
    Fixture.stage(
      Fixture.configuration([WidgetSettings(name: "score", weight: 1, content: settings)]), size,
      StageModel(instant: Fixture.instant(9, 0), scoreboard: scoreboard))
  }

  private func widget(
    _ scoreboard: Scoreboard, _ size: PixelSize = page, _ change: (inout ScoreSettings) -> Void = { _ in }
  ) -> ScoreWidget {
    var settings = ScoreSettings()
    change(&settings)
    let context = Fixture.context(size, rules: scoreboard.rules)
    let widget = ScoreWidget(settings, weight: 1, context: context)
    context.scene.root.addSublayer(widget.layer)
    let box = Size(width: Double(size.width) * 0.92, height: Double(size.height) * 0.86)
    let fit = widget.fittingSize(in: box)
    widget.layOut(
      in: Rect(
        x: ((Double(size.width) - fit.width) / 2).rounded(),
        y: ((Double(size.height) - fit.height) / 2).rounded(), width: fit.width.rounded(.down),
        height: fit.height.rounded(.down)),
      model: StageModel(instant: Fixture.instant(9, 0), scoreboard: scoreboard))
    return widget
  }

  private func texts(_ layer: Layer) -> Int { layer.sublayers.map(texts).reduce(1, +) }

  @Test("a free game looks the same whatever the settings for details are")
  func freeGame() {
    let scoreboard = Fixture.model(home: 20, guest: 17).scoreboard
    var without = ScoreSettings()
    without.showPeriod = false
    without.showSets = false
    without.showServe = false
    without.showCounters = false
    let size = PixelSize(width: 640, height: 360)
    let plain = stage(scoreboard, size, without).scene.picture(at: 1)
    #expect(stage(scoreboard, size).scene.picture(at: 1).difference(from: plain) == nil)
  }

  @Test("each setting hides what it names", arguments: 0..<4)
  func settingsHideDetails(key: Int) throws {
    var scoreboard = try Fixture.played(.basketball)
    try scoreboard.apply(.setServing(team: "home"))
    let all = widget(scoreboard)
    let some = widget(scoreboard) { settings in
      switch key {
      case 0: settings.showPeriod = false
      case 1: settings.showSets = false
      case 2: settings.showServe = false
      default: settings.showCounters = false
      }
    }
    #expect(texts(some.layer) < texts(all.layer))
  }

  @Test(
    "the period is shown by name and number, and periods after the last one as overtime",
    arguments: [
      (GameRules.Preset.volleyball, 3, "SET 3"), (.volleyball, 5, "SET 5"), (.basketball, 4, "QUARTER 4"),
      (.basketball, 5, "OVERTIME"), (.basketball, 6, "OVERTIME 2"), (.darts, 2, "LEG 2"),
    ])
  func periodText(preset: GameRules.Preset, period: Int, words: String) throws {
    var scoreboard = Fixture.scoreboard(preset)
    try scoreboard.apply(.setPeriod(to: period, anyway: true))
    #expect(widget(scoreboard).period?.label.text == words)
  }

  @Test("the serve mark is beside the serving team, and fades when it changes")
  func serveMark() throws {
    var scoreboard = Fixture.scoreboard(.volleyball)
    try scoreboard.apply(.setServing(team: "home"))
    let widget = widget(scoreboard)
    let scene = try #require(widget.layer.superlayer?.scene)
    func opacities() -> [Double] { widget.columns.map { $0.title.mark.presentation.opacity } }
    #expect(opacities() == [1, 0])
    try scoreboard.apply(.setServing(team: "guest"))
    widget.update(StageModel(instant: Fixture.instant(9, 0), scoreboard: scoreboard), at: 1, animated: true)
    scene.advance(to: scene.time + 0.1)
    #expect(opacities().allSatisfy { $0 > 0 && $0 < 1 })
    scene.advance(to: scene.time + 1)
    #expect(opacities() == [0, 1])
    #expect(scene.activity == .resting)
    try scoreboard.apply(.setServing(team: nil))
    widget.update(StageModel(instant: Fixture.instant(9, 0), scoreboard: scoreboard), at: 2, animated: false)
    #expect(opacities() == [0, 0])
  }

  @Test("swapped sides reverse the order of the teams")
  func swappedSides() throws {
    var scoreboard = Fixture.model(home: 1, guest: 2).scoreboard
    try scoreboard.apply(.swapSides)
    let model = StageModel(instant: Fixture.instant(9, 0), scoreboard: scoreboard)
    #expect(ScoreSettings().text(of: model, in: .english) { _ in .utc } == "2 : 1")
  }

  @Test(
    "a short name is the first word that is a name, else three initials, else the beginning of a name",
    arguments: [
      ("FC INTERNAZIONALE MILANO", "MILANO"), ("Borussia Mönchengladbach", "Borussia"),
      ("1. FC Nordrhein-Westfalenhausen", "FNW"), ("TSV UNTERHACHING", "UNTERHA."), ("Manchesterians", "MAN"),
      ("VAN DER BERG / GONZÁLEZ", "BERG"), ("", ""),
      // Scripts without capitals.
      ("نادي الشباب الرياضي", "الشباب"), ("東京レッドサンダースバスケットボール", "東京レッドサンダ"),
    ])
  func aShortNameIsMadeOfTheName(name: String, short: String) {
    #expect(Scoreboard.Team(id: "home", name: name).shownShortName(in: .english) == short)
  }

  @Test("if one name does not fit, all teams use their short names, if given")
  func shortNames() {
    let long = "Turn- und Sportverein Unterhaching-Oberammergau von 1899"
    let scoreboard = Scoreboard(teams: [
      .init(id: "home", name: long, shortName: "TSV"), .init(id: "guest", name: "LIONS", shortName: "LIO"),
    ])
    #expect(
      widget(scoreboard, PixelSize(width: 320, height: 240)).columns.map(\.title.label.text) == [
        "TSV", "LIO",
      ])
    let some = Scoreboard(teams: [
      .init(id: "home", name: long, shortName: "TSV"), .init(id: "guest", name: "LIONS"),
    ])
    #expect(
      widget(some, PixelSize(width: 320, height: 240)).columns.map(\.title.label.text) == ["TSV", "LIONS"])
    let none = Scoreboard(teams: [
      .init(id: "home", name: long), .init(id: "guest", name: "LIONS", shortName: "LIO"),
    ])
    #expect(
      widget(none, PixelSize(width: 320, height: 240)).columns.map(\.title.label.text) == [
        "Unterhaching-Oberammergau", "LIONS",
      ])
  }

  @Test("small boxes drop counters first, then sets, then the period; cards stay large")
  func smallBoxes() {
    let rules = GameRules(.basketball)
    let details = ScoreDetails(ScoreSettings(), rules)
    var seen: [ScoreDetails] = []
    for height in stride(from: 400.0, through: 20, by: -2) {
      let parts = ScoreGeometry.Parts(
        teams: 2, digits: 2, hasNames: true, details: details, reference: 320)
      let geometry = ScoreGeometry(parts, in: Size(width: 600, height: height))
      if seen.last != geometry.details { seen.append(geometry.details) }
      #expect(geometry.size.height <= height)
    }
    #expect(seen.first == details)
    #expect(seen.last == ScoreDetails.none)
    let order = details.fromFullest
    let places = seen.compactMap { order.firstIndex(of: $0) }
    #expect(places == places.sorted())
  }

  @Test(
    "all counters are labelled by full names, by initials or not at all",
    arguments: [
      (300.0, 10.0, "full"), (150, 10, "full"), (72, 10, "figures"), (40, 10, "initials"), (24, 10, "none"),
      (8, 10, "none"),
    ])
  func countersAreNamedAlike(width: Double, cap: Double, form: String) {
    let counters = GameRules(.basketball).counters
    let naming = CounterLine.naming(counters, width: width, cap: cap, theme: Fixture.theme)
    switch naming {
    case .full(let scale): #expect(form == "full" && scale >= 0.8 && scale <= 1)
    case .figures: #expect(form == "figures")
    case .initials: #expect(form == "initials")
    case .none: #expect(form == "none")
    }
    #expect(counters.map(\.initials) == ["F", "TO"])
  }

  @Test("a layout that does not fit says so, and names are dropped rather than the score")
  func layoutsThatDoNotFit() {
    for teams in 1...8 {
      for (width, height) in [(600.0, 300.0), (100, 60), (60, 100), (40, 20), (20, 12), (9, 9), (1, 1)] {
        let parts = ScoreGeometry.Parts(
          teams: teams, digits: 2, hasNames: true, details: ScoreDetails(ScoreSettings(), GameRules(.darts)),
          reference: min(width, height))
        let box = Size(width: width, height: height)
        let geometry = ScoreGeometry(parts, in: box)
        #expect(geometry.fits(box) || geometry.metrics.height == 8)
        #expect(geometry.fits(box) || geometry.nameHeight == 0)
        if geometry.fits(box) { #expect(geometry.columns * geometry.rows >= teams) }
      }
    }
  }

  @Test("a set with three digits moves the figures of the other team too")
  func setWithThreeDigits() throws {
    var scoreboard = try Fixture.played(.volleyball)
    let followed = stage(scoreboard)
    try scoreboard.apply(.setPeriodScore(team: "home", period: 1, to: 125))
    let model = StageModel(instant: Fixture.instant(9, 0), scoreboard: scoreboard)
    followed.update(model, at: 1, animated: true)
    #expect(followed.scene.picture(at: 9).difference(from: stage(scoreboard).scene.picture(at: 0)) == nil)
  }

  @Test("a match with every detail", arguments: [(480, 320), (320, 480)])
  func everyDetail(width: Int, height: Int) throws {
    let picture = stage(try Fixture.played(.basketball), PixelSize(width: width, height: height))
    try Golden.expect(picture.scene.picture(at: 0), is: "score-\(width)x\(height)-details")
  }
}

extension Fixture {
  /// A new game with these rules.
  static func scoreboard(_ preset: GameRules.Preset) -> Scoreboard {
    var scoreboard = Scoreboard(teams: [])
    scoreboard.adopt(
      [.init(id: "home", name: "HOME"), .init(id: "guest", name: "GUEST")], rules: GameRules(preset))
    return scoreboard
  }

  /// A game in its third period.
  static func played(_ preset: GameRules.Preset) throws -> Scoreboard {
    var scoreboard = scoreboard(preset)
    for (home, guest) in [(25, 23), (18, 25)] {
      // Sets the scores directly, because the rules of the game may not allow these results of a period.
      for (team, points) in [("home", home), ("guest", guest)] {
        try scoreboard.apply(.setScore(team: team, to: (scoreboard.team(team)?.score ?? 0) + points))
      }
      try scoreboard.apply(.addPeriod(by: 1, anyway: true))
    }
    for (team, points) in [("home", 12), ("guest", 9)] {
      try scoreboard.apply(.setScore(team: team, to: (scoreboard.team(team)?.score ?? 0) + points))
    }
    try scoreboard.apply(.setServing(team: "guest"))
    for (index, counter) in scoreboard.rules.counters.enumerated() {
      try scoreboard.apply(.setCounter(team: "home", counter: counter.id, to: min(index + 1, counter.limit)))
      try scoreboard.apply(.setCounter(team: "guest", counter: counter.id, to: counter.limit > 1 ? 2 : 0))
    }
    return scoreboard
  }
}
