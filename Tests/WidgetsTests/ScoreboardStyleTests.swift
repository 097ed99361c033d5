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
  @Test(
    "a long name is shown in full if possible, else as one of its words",
    arguments: [
      (640, 360, "FC INTERNAZIONALE DI MILANO", "MILANO"),
      (360, 640, "FC INTERNAZIONALE MILANO", "FC INTERNAZIONALE MILANO"),
    ])
  func longNames(width: Int, height: Int, name: String, words: String) throws {
    let size = PixelSize(width: width, height: height)
    var scoreboard = Fixture.scoreboard(.volleyball)
    try scoreboard.apply(.setTeam(team: "home", name: name, shortName: nil, color: nil))
    let model = StageModel(instant: Fixture.instant(9, 41), scoreboard: scoreboard)
    let plan = try #require(
      LayoutCheck.plans(PageFitTests.gamePage, rules: scoreboard.rules, size: size).first)
    let page = Page(plan, in: size.page, model: model)
    let score = try #require(plan.places.compactMap { $0.widget as? ScoreWidget }.first)
    #expect(
      score.columns.map(\.title.label.text) == [words, "GUEST"])
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

  @Test("Penalties that are not shown are counted", arguments: 0...5)
  func penalties(count: Int) throws {
    var scoreboard = Fixture.scoreboard(.iceHockey)
    for number in 0..<count {
      try scoreboard.apply(.addPenalty(team: "home", length: nil, number: 80 + number))
    }
    let score = try MatchLayoutTests.widget(scoreboard, PixelSize(width: 640, height: 360))
    let lines = score.parts.compactMap { ($0 as? MatchText)?.text.shown.first?.text }
    let text = lines.first { $0.contains("#") } ?? ""
    #expect(text.split(separator: "#").count == min(count, 3), "\(text)")
    #expect(text.hasSuffix(count > 3 ? " +\(count - 3)" : "") && text.contains("+") == (count > 3))
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

extension PageFitTests {
  static func configuration(_ preset: GameRules.Preset) -> Configuration {
    var configuration = gamePage
    configuration.game.rules = GameRules(preset)
    return configuration
  }
}
