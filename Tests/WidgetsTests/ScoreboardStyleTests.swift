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
      (640, 360, "FC INTERNAZIONALE DI MILANO", "FC INTERNAZIONALE DI MILANO"),
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
      if step == 2 { try? scoreboard.apply(.addPeriod(by: 1, anyway: true)) }
      time += 0.3
      stage.scene.advance(to: time)
      stage.update(model(), at: time, animated: true)
    }
    let followed = stage.scene.picture(at: time + 9)
    let fresh = Fixture.stage(PageFitTests.configuration(preset), size, model()).scene.picture(at: 0)
    #expect(followed.difference(from: fresh) == nil, "\(preset)")
  }

  @Test(
    "A set that a tie-break decided has the loser's points beside its games, wherever the past sets are",
    arguments: [3, 5])
  func tieBreaks(sets: Int) throws {
    var rules = GameRules(.tennis)
    (rules.periods, rules.periodsToWin) = (sets, sets / 2 + 1)
    for lost in [0, 5, 14, 23] {
      func play(_ isTieBreak: Bool) throws -> Scoreboard {
        var scoreboard = Scoreboard(teams: [])
        scoreboard.adopt([.init(id: "home", name: "HOME"), .init(id: "guest", name: "GUEST")], rules: rules)
        for set in 1..<sets {
          let (winner, loser) = set % 2 == 1 ? ("home", "guest") : ("guest", "home")
          try scoreboard.apply(.setPeriodScore(team: winner, period: set, to: 6))
          try scoreboard.apply(.setPeriodScore(team: loser, period: set, to: isTieBreak ? 6 : 4))
          guard isTieBreak else {
            try scoreboard.apply(.setPeriod(to: set + 1, anyway: true))
            continue
          }
          for point in 0..<max(lost, 7) + 2 where scoreboard.period == set {
            if point < lost { try scoreboard.apply(.addScore(team: loser, by: 1)) }
            if scoreboard.period == set { try scoreboard.apply(.addScore(team: winner, by: 1)) }
          }
        }
        #expect(scoreboard.period == sets)
        return scoreboard
      }
      for (width, height) in [(1920, 1080), (1280, 720), (480, 320), (1080, 1920), (3840, 1080)] {
        func past(_ scoreboard: Scoreboard) throws -> [[TextLines.Line]] {
          let score = try MatchLayoutTests.widget(scoreboard, PixelSize(width: width, height: height))
          let places = score.layout?.places.filter { if case .periodPoints = $0.part { true } else { false } }
          let texts = score.parts.compactMap { ($0 as? MatchText)?.text.asked }
          return (places ?? []).map { place in
            texts.first {
              $0.contains {
                $0.box.y == place.rect.y && $0.box.x >= place.rect.x && $0.box.maxX <= place.rect.maxX + 1
              }
            } ?? []
          }
        }
        let (plain, lines) = (try past(try play(false)), try past(try play(true)))
        #expect(plain.count == lines.count)
        for (team, line) in lines.enumerated() {
          let place = "\(width)x\(height) \(lost) \(line.map(\.text))"
          let big = line.map(\.cap).max() ?? 0
          let (games, points) = (line.filter { $0.cap == big }, line.filter { $0.cap < big })
          #expect(games.count == plain[team].count, "\(place)")
          // The team loses every second set.
          #expect(
            points.allSatisfy { $0.text == String(lost) } && abs(2 * points.count - games.count) < 2,
            "\(place)")
          #expect(
            points.allSatisfy { $0.cap >= 6 && $0.cap > 0.5 * big && $0.isWhole(Fixture.theme) }, "\(place)")
          for (index, one) in line.enumerated() {
            #expect(one.isWhole(Fixture.theme), "\(place)")
            for other in line.dropFirst(index + 1) { #expect(!one.box.overlaps(other.box), "\(place)") }
          }
        }
        #expect(lines.joined().contains { $0.text == String(lost) } || lines.isEmpty)
      }
    }
  }

  @Test(
    "A match that ends within a game or a tie-break keeps its points, beside the games of all sets",
    arguments: [0, 10])
  func brokenOff(matchTieBreak: Int) throws {
    var rules = GameRules(.tennis)
    rules.games?.matchTieBreak = matchTieBreak
    for (games, points) in [(3, [3, 1]), (6, [5, 2]), (2, [0, 3])] {
      var scoreboard = Scoreboard(teams: [])
      scoreboard.adopt([.init(id: "home", name: "HOME"), .init(id: "guest", name: "GUEST")], rules: rules)
      for (set, team) in [(1, "home"), (2, "guest")] {
        try scoreboard.apply(.setPeriodScore(team: team, period: set, to: 6))
        try scoreboard.apply(.setPeriod(to: set + 1))
      }
      for team in ["home", "guest"] where matchTieBreak == 0 {
        try scoreboard.apply(.setPeriodScore(team: team, period: 3, to: games))
      }
      for (team, points) in zip(["home", "guest"], points) {
        if points > 0 { try scoreboard.apply(.addScore(team: team, by: points)) }
      }
      let shown = scoreboard.teams.map(scoreboard.pointsText)
      #expect(shown.contains { $0 != "0" } && scoreboard.period == 3)
      try scoreboard.apply(.endMatch)
      #expect(scoreboard.pastPeriods(of: scoreboard.teams, at: 0).last?.brokenOff == shown)
      for (width, height) in [(1920, 1080), (1280, 720), (800, 480), (480, 320), (1080, 1920), (3840, 1080)] {
        let score = try MatchLayoutTests.widget(scoreboard, PixelSize(width: width, height: height))
        let texts = score.parts.compactMap { ($0 as? MatchText)?.text.asked }
        for (team, points) in shown.enumerated() {
          let parts: [MatchPart] = [.periodPoints(team), .line(.periodPoints, team)]
          let place = try #require(score.layout?.places.first { parts.contains($0.part) }).rect
          let lines = try #require(
            texts.first { $0.contains { $0.box.y == place.y && $0.box.isInside(place.grown(1)) } },
            "\(width)x\(height)")
          let big = lines.map(\.cap).max() ?? 0
          #expect(lines.count { $0.cap == big } == 3, "\(width)x\(height): \(lines.map(\.text))")
          #expect(lines.last?.text == points && lines.allSatisfy { $0.isWhole(Fixture.theme) })
        }
        // The sets won are not those of a tie-break.
        let words = texts.joined().map(\.text)
        #expect(words.contains("SETS") && !words.contains("TIE-BREAK") && !words.contains("POINTS"))
      }
    }
  }

  @Test(
    "After a match whose points add up, its periods have the space of what only matters during play",
    arguments: GameRules.Preset.allCases)
  func afterPlay(preset: GameRules.Preset) throws {
    var scoreboard = Fixture.scoreboard(preset)
    let rules = scoreboard.rules
    guard rules.scoring == .total, rules.periods > 1 else { return }
    for period in 1...rules.periods {
      try scoreboard.apply(.setPeriod(to: period))
      try scoreboard.apply(.addScore(team: "home", by: period))
    }
    if !rules.penalties.isEmpty { try scoreboard.apply(.addPenalty(team: "home", length: nil, number: 9)) }
    if rules.breaks.timeOut > 0 { try scoreboard.apply(.startBreak(.timeOut(team: "guest"), length: nil)) }
    try scoreboard.apply(.endMatch)
    for size in CommonDisplays.sizes {
      let layout = try #require(try MatchLayoutTests.widget(scoreboard, size).layout)
      let parts = layout.places.map(\.part)
      for part in parts {
        switch part {
        case .penalties: Issue.record("\(size): penalties")
        case .line(.counter(let counter), _), .duel(let counter):
          #expect(!counter.startsTimeOut && counter.reset == .game, "\(size): \(counter.id)")
        default: break
        }
      }
      #expect(!layout.leftOut.contains("penalties") && !layout.leftOut.contains("timeouts"))
    }
  }

  @Test(
    "At the end the past periods have the last one, and the frame is around what decides",
    arguments: GameRules.Preset.allCases)
  func ends(preset: GameRules.Preset) throws {
    var scoreboard = Fixture.scoreboard(preset)
    let rules = scoreboard.rules
    guard rules.periods > 1, rules.better == .higher else { return }
    // Home leads. Guest has more points, or games, in the last period, which is broken off.
    let points = [(rules.scoring == .sets ? 4 : 9, 1), (2, 5)]
    for (index, (home, guest)) in points.enumerated() {
      for (team, points) in [("home", home), ("guest", guest)] {
        try scoreboard.apply(.setPeriodScore(team: team, period: index + 1, to: points))
      }
      if index == 0 { try scoreboard.apply(.addPeriod(by: 1, anyway: true)) }
    }
    try scoreboard.apply(.endMatch)
    #expect(scoreboard.winner?.id == "home")
    for size in CommonDisplays.sizes {
      let score = try MatchLayoutTests.widget(scoreboard, size)
      let layout = try #require(score.layout)
      let texts = score.parts.compactMap { ($0 as? MatchText)?.text.asked }
      for place in layout.places {
        switch place.part {
        case .periodTable, .line(.periodPoints, _), .periodPoints:
          let last = ["2", "5"]
          let lines = texts.joined().filter {
            $0.box.y >= place.rect.y - 1 && $0.box.maxY <= place.rect.maxY + 1 && $0.box.x >= place.rect.x - 1
              && $0.box.maxX <= place.rect.maxX + 1
          }
          #expect(lines.contains { last.contains($0.text) }, "\(size) \(place.part) \(lines.map(\.text))")
        default: break
        }
      }
      if rules.games != nil {
        // The sets won take the place of the points.
        #expect(
          zip(score.columns, [CardSymbol("1"), CardSymbol("0")]).allSatisfy {
            $0.board.cards.count == 1 && $0.board.cards.last?.wouldFlip(to: $1) == false
          }, "\(size)")
        #expect(!texts.joined().contains { $0.text == "POINTS" }, "\(size)")
      }
      let frame = try #require(score.parts.last as? WinnerFrame).layer
      #expect(frame.contents != nil, "\(size)")
      let framed = layout.places.filter { $0.rect.isInside(frame.frame) }.map(\.part)
      switch layout.contents.kind {
      case .total: #expect(framed == [.score(0)], "\(size) \(framed)")
      case .rows:
        #expect(framed.contains(.score(0)) && !framed.contains { $0.team == 1 }, "\(size) \(framed)")
      case .sets:
        let won: [MatchPart] = [.periodsWon(0), .line(.periodsWon, 0), .name(0)]
        #expect(framed.contains { won.contains($0) } && !framed.contains(.score(0)), "\(size) \(framed)")
      }
    }
  }

  @Test(
    "Counters have their words, and no initials, on upright and on small displays",
    arguments: GameRules.Preset.allCases)
  func words(preset: GameRules.Preset) throws {
    for (width, height) in [
      (1080, 1920), (720, 1280), (600, 1024), (320, 480), (240, 320), (480, 320), (320, 240),
    ] {
      let score = try MatchLayoutTests.widget(
        Fixture.scoreboard(preset), PixelSize(width: width, height: height))
      for line in score.parts.compactMap({ $0 as? CounterLine.Part }).map(\.line) {
        #expect(line.name?.text == line.counter.name, "\(preset) \(width)x\(height)")
      }
    }
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
