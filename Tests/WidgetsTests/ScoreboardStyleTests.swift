// SPDX-License-Identifier: Apache-2.0

import Raster
import Scoreboard
import Settings
import TestSupport
import Testing

@testable import Layers
@testable import Widgets

/// The page of a config that has only a `[game]` table.
@Suite struct ScoreboardStyleTests {
  private static let sizes = [(1920, 1080), (1280, 720), (480, 320), (1080, 1920)].map {
    PixelSize(width: $0.0, height: $0.1)
  }

  private func geometry(_ preset: GameRules.Preset, _ size: PixelSize, digits: Int) throws -> (
    MatchGeometry, Rect
  ) {
    let plans = LayoutCheck.plans(PageFitTests.gamePage, rules: GameRules(preset), size: size)
    let place = try #require(plans.first?.places.first { $0.name == "score" })
    let widget = try #require(place.widget as? ScoreWidget)
    return (widget.matchGeometry(in: place.rect.size, digits: digits), place.rect)
  }

  @Test("the score is the largest part, no row is missing, and the letters are legible", arguments: sizes)
  func scoreIsTheLargestPart(_ size: PixelSize) throws {
    for preset in GameRules.Preset.allCases {
      let rows = MatchRow.rows(Fixture.scoreboardSettings, GameRules(preset))
      for digits in 2...3 {
        let (geometry, rect) = try geometry(preset, size, digits: digits)
        #expect(geometry.parts.rows == rows.count, "\(preset) \(size)")
        #expect(geometry.parts.hasNames)
        #expect(
          2 * geometry.group > 0.5 * Double(size.width), "\(preset) \(size): cards of \(geometry.metrics)")
        // On upright pages the width limits the letters.
        let part = geometry.isUpright ? 0.024 : 0.035
        #expect(geometry.cap >= part * Double(size.height), "\(preset) \(size): letters of \(geometry.cap)")
        let page = size.page
        for team in 0...1 {
          #expect(geometry.name(team, in: rect).box.isInside(page), "\(preset) \(size)")
          let cards = geometry.cards(team, in: rect)
          #expect(cards.x >= rect.x && cards.x + geometry.group <= rect.maxX)
        }
        if !rows.isEmpty {
          let last = geometry.row(rows.count - 1, in: rect)
          #expect(last.right.maxY <= rect.maxY + 0.5 && last.left.x >= rect.x && last.right.maxX <= rect.maxX)
        }
      }
    }
  }

  @Test(
    "a long name is shown in full if possible, else as one of its words",
    arguments: [(640, 360), (480, 320), (360, 640)])
  func namesHaveHalfOfThePage(width: Int, height: Int) throws {
    let size = PixelSize(width: width, height: height)
    var scoreboard = Fixture.scoreboard(.volleyball)
    try scoreboard.apply(.setTeam(team: "home", name: "FC INTERNAZIONALE MILANO", shortName: nil, color: nil))
    let model = StageModel(instant: Fixture.instant(9, 41), scoreboard: scoreboard)
    let plan = try #require(
      LayoutCheck.plans(PageFitTests.gamePage, rules: scoreboard.rules, size: size).first)
    let page = Page(plan, model: model)
    let score = try #require(plan.places.compactMap { $0.widget as? ScoreWidget }.first)
    let isUpright = size.height > size.width
    #expect(
      score.columns.map(\.title.label.text) == [isUpright ? "MILANO" : "FC INTERNAZIONALE MILANO", "GUEST"])
    #expect(page.name == Configuration.onlyPage)
  }

  @Test(
    "after a match the picture equals that of a new page", arguments: GameRules.Preset.allCases)
  func followedMatchEqualsANewPage(_ preset: GameRules.Preset) throws {
    let size = PixelSize(width: 320, height: 240)
    var scoreboard = Fixture.scoreboard(preset)
    func model() -> StageModel { StageModel(instant: Fixture.instant(9, 41), scoreboard: scoreboard) }
    let stage = Fixture.stage(PageFitTests.configuration(preset), size, model())
    var time = 0.0
    for step in 0..<4 {
      for (index, counter) in scoreboard.rules.counters.enumerated() {
        try? scoreboard.apply(
          .setCounter(team: "guest", counter: counter.id, to: min(step + index, counter.limit)))
      }
      try? scoreboard.apply(
        .addScore(team: step % 2 == 0 ? "home" : "guest", by: scoreboard.rules.increments[0]))
      if step == 2 { try? scoreboard.apply(.addPeriod(by: 1)) }
      time += 0.3
      stage.scene.advance(to: time)
      stage.update(model(), at: time, animated: true)
    }
    let followed = stage.scene.picture(at: time + 9)
    let fresh = Fixture.stage(PageFitTests.configuration(preset), size, model()).scene.picture(at: 0)
    #expect(followed.difference(from: fresh) == nil, "\(preset)")
  }

  @Test("penalties that are not shown are counted", arguments: 0...4)
  func penalties(count: Int) throws {
    var scoreboard = Fixture.scoreboard(.iceHockey)
    for number in 0..<count {
      try scoreboard.apply(.addPenalty(team: "home", length: nil, number: 10 + number))
    }
    let home = try #require(scoreboard.team("home"))
    let model = StageModel(instant: Fixture.instant(9, 41), scoreboard: scoreboard)
    for (width, shown) in [(2000.0, min(count, 2)), (1.0, min(count, 1))] {
      let cell = MatchCell(
        .penalties(name: "PENALTIES"), in: Rect(x: 0, y: 0, width: width, height: 40), cap: 20,
        theme: Fixture.theme)
      cell.show(home, model)
      #expect(cell.text.split(separator: "#").count == shown, "\(cell.text)")
      let hidden = count - shown
      #expect(cell.text.hasSuffix(hidden > 0 ? " +\(hidden)" : "") && cell.text.contains("+") == (hidden > 0))
    }
  }

  @Test("a scoreboard equals its golden", arguments: [(480, 320), (320, 480)])
  func scoreboardGoldens(width: Int, height: Int) throws {
    let scoreboard = try Fixture.played(.volleyball)
    let stage = Fixture.stage(
      PageFitTests.configuration(.volleyball), PixelSize(width: width, height: height),
      StageModel(instant: Fixture.instant(9, 41), scoreboard: scoreboard))
    try Golden.expect(stage.scene.picture(at: 0), is: "scoreboard-\(width)x\(height)")
  }
}

extension Fixture {
  static var scoreboardSettings: ScoreSettings {
    var settings = ScoreSettings()
    settings.style = .scoreboard
    return settings
  }
}

extension PageFitTests {
  static func configuration(_ preset: GameRules.Preset) -> Configuration {
    var configuration = gamePage
    configuration.game.rules = GameRules(preset)
    return configuration
  }
}
