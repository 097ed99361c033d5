// SPDX-License-Identifier: Apache-2.0

import Raster
import Scoreboard
import Settings
import TestSupport
import Testing

@testable import Layers
@testable import Widgets

/// After any actions on a scoreboard, the widgets can show it inside their rectangles.
@Suite struct RandomScoreboardsTests {
  private static let second: Int64 = 1_000_000_000
  private static let states = TestEffort.rounds(10_000, long: 100_000)
  /// Actions between two checks of the pixels.
  private static let sample = 250
  /// Actions between two changes of the display's size.
  private static let stretch = 125

  /// Small sizes, because drawing takes most of the time; a few pages have one of `realSizes` instead.
  private static let sizes = [
    PixelSize(width: 160, height: 120), PixelSize(width: 200, height: 120),
    PixelSize(width: 100, height: 160),
    PixelSize(width: 256, height: 48), PixelSize(width: 131, height: 74), PixelSize(width: 64, height: 64),
  ]
  private static let realSizes = [
    PixelSize(width: 320, height: 240), PixelSize(width: 480, height: 320),
    PixelSize(width: 480, height: 800),
  ]

  private static let names = [
    "LIONS", "", " ", String(repeating: "W", count: 10_000), "a" + String(repeating: "\u{301}", count: 500),
    "\u{202e}SNOIL", "نمور الصحراء", "אריות ירושלים", "👩‍👩‍👧‍👦🏳️‍🌈🎉", "ﷺ", "a\nb\tc\u{0}\u{1b}[31m",
    "Turn- und Sportverein Unterhaching-Oberammergau von 1899", "次は新宿です", "\u{200b}\u{feff}",
  ]

  private struct Game {
    var random: SplitMix
    var scoreboard: Scoreboard
    var clock: Int64 = 0
    let ids: [String]
    private(set) var applied = 0

    init(seed: UInt64, preset: GameRules.Preset, teams: Int) {
      random = SplitMix(seed: seed)
      ids = (0..<teams).map { "team\($0)" }
      scoreboard = Scoreboard(teams: [])
      // Names from a config are not validated.
      var declared: [Scoreboard.Team] = []
      for id in ids {
        let short = random.int(0...2) == 0 ? names[random.int(0...names.count - 1)] : nil
        declared.append(.init(id: id, name: names[random.int(0...names.count - 1)], shortName: short))
      }
      scoreboard.adopt(declared, rules: GameRules(preset))
    }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[random.int(0...values.count - 1)] }

    private mutating func number() -> Int { pick([0, 1, -1, 2, 7, 25, 99, 501, 998, 999, -999, .max, .min]) }

    private mutating func time() -> Int64 {
      pick([0, 1, 59_999_999_999, 60 * second, 4_900_000_000, 3_599 * second, -second, GameTimer.limit, .max])
    }

    /// Performs one action, which may be refused, and lets some time pass.
    mutating func step() {
      let team = pick(ids)
      let timer = pick([GameTimer.ID.game, .game, .shot])
      let counters = scoreboard.rules.counters.map(\.id) + ["nothing"]
      let action: Scoreboard.Action =
        switch random.int(0...17) {
        case 0, 1: .setScore(team: team, to: number())
        case 2, 3, 4: .addScore(team: team, by: number())
        case 5: .setPeriodScore(team: team, period: number(), to: number())
        case 6: .addPeriod(by: number())
        case 7: .setPeriod(to: random.int(1...99))
        case 8:
          .setTeam(team: team, name: pick(names), shortName: pick(names), color: pick([nil, 0, 0xffffff]))
        case 9: .setServing(team: pick([nil, team]))
        case 10: .setCounter(team: team, counter: pick(counters), to: number())
        case 11: .addCounter(team: team, counter: pick(counters), by: number())
        case 12, 13: .startTimer(timer)
        case 14: .setTimer(timer, to: time())
        case 15: .addTimer(timer, by: time())
        case 16: .swapSides
        default: pick([.newGame, .reset, .pauseTimer(.game), .resetTimer(.shot)])
        }
      clock += pick([0, 1, second / 10, second, 7 * second, 700 * second])
      if (try? scoreboard.apply(action, at: clock)) != nil { applied += 1 }
    }

    var model: StageModel {
      StageModel(
        instant: Fixture.instant(9, 0, Int(clock / second % 3_600)),
        scoreboard: scoreboard.settled(at: clock),
        clock: clock)
    }
  }

  private static func configuration(_ ids: [String], _ random: inout SplitMix) -> Configuration {
    var score = ScoreSettings()
    score.teams = ids
    score.digits = random.int(2...3)
    score.leadingZero = random.int(0...1) == 0
    score.showNames = random.int(0...3) != 0
    score.showCounters = random.int(0...3) != 0
    var game = TimerSettings()
    game.showHours = random.int(0...1) == 0
    game.tenths = random.int(0...2) != 0
    var shot = TimerSettings()
    shot.source = .shotClock
    let widgets = [
      WidgetSettings(name: "game", weight: 1, content: game),
      WidgetSettings(name: "score", weight: 2, content: score),
      WidgetSettings(name: "shot", weight: 1, content: shot),
    ]
    let rows = [[["game"], ["score"]], [["score"]], [["game", "shot"], ["score"]], [["score", "game"]]]
    return Fixture.configuration(widgets, rows: rows[random.int(0...rows.count - 1)])
  }

  /// Describes coordinates that are not finite, or a layer with a picture that is not inside `allowed`; nil
  /// if there is none.
  private static func fault(_ layer: Layer, _ x: Double, _ y: Double, _ allowed: Rect) -> String? {
    for child in layer.sublayers {
      let frame = child.frame
      let numbers = [frame.x, frame.y, frame.width, frame.height, child.opacity]
      guard numbers.allSatisfy(\.isFinite) else { return "not a number: \(frame)" }
      if child.contents != nil, !child.isHidden, frame.width > 0, frame.height > 0 {
        let place = frame.offset(x: x, y: y)
        if !place.isInside(allowed) { return "\(place) is outside \(allowed)" }
      }
      if let fault = fault(child, x + frame.x, y + frame.y, allowed) { return fault }
    }
    return nil
  }

  private static func page(_ stage: Stage) -> Layer { stage.scene.root.sublayers[1] }

  @Test("any state of any game is shown inside the page", arguments: 0..<4)
  func anyState(part: Int) {
    var random = SplitMix(seed: UInt64(part) &+ 400)
    var shownStates = 0
    var applied = 0
    var faults: [String] = []
    while shownStates < Self.states / 4, faults.count < 5 {
      let presets = GameRules.Preset.allCases
      let preset = presets[random.int(0...presets.count - 1)]
      let sizes = random.int(0...60) == 0 ? Self.realSizes : Self.sizes
      let size = sizes[random.int(0...sizes.count - 1)]
      var game = Game(seed: random.next(), preset: preset, teams: [1, 2, 2, 2, 3, 5, 8][random.int(0...6)])
      let configuration = Self.configuration(game.ids, &random)
      let stage = Fixture.stage(configuration, size, game.model)
      let place = "\(preset) \(size) \(game.ids.count) teams, rows \(configuration.layout.rows)"
      let shown = Bitmap(width: size.width, height: size.height, format: .xrgb8888)
      // Shadows and overhanging letters end within this margin.
      let margin = 0.04 * Double(max(size.width, size.height)) + 8
      let allowed = Rect(
        x: -margin, y: -margin, width: Double(size.width) + 2 * margin,
        height: Double(size.height) + 2 * margin)
      for _ in 0..<Self.stretch {
        game.step()
        let model = game.model
        stage.update(model, at: stage.scene.time, animated: random.int(0...1) == 0)
        shownStates += 1
        if let fault = Self.fault(Self.page(stage), 0, 0, allowed) { faults.append("\(place): \(fault)") }
        if let next = stage.nextChange(after: model.instant), next <= model.instant {
          faults.append("\(place): wakes in the past")
        }
        if shownStates % Self.sample == 0 {
          stage.scene.advance(to: stage.scene.time + 0.2)
          _ = stage.scene.render(into: shown.buffer)
          stage.scene.advance(to: stage.scene.time + 20)
          _ = stage.scene.render(into: shown.buffer)
          let fresh = Fixture.stage(configuration, size, model)
          if let difference = shown.difference(from: fresh.scene.picture(at: 0)) {
            faults.append("\(place): \(difference)")
          }
        }
      }
      applied += game.applied
    }
    #expect(faults == [])
    #expect(shownStates >= Self.states / 4)
    #expect(applied > shownStates / 3)
  }

  @Test("a widget draws nothing but shadows and overhang outside its rectangle")
  func drawsInsideItsRectangle() {
    var random = SplitMix(seed: 99)
    for round in 0..<18 {
      let sizes = Self.sizes + Self.realSizes
      let size = sizes[round % sizes.count]
      var game = Game(
        seed: random.next(), preset: GameRules.Preset.allCases[round % GameRules.Preset.allCases.count],
        teams: [1, 2, 3, 8][round % 4])
      for _ in 0..<40 { game.step() }
      let context = Fixture.context(size, rules: game.scoreboard.rules)
      var score = ScoreSettings()
      score.teams = game.ids
      var timer = TimerSettings()
      timer.source = round % 2 == 0 ? .gameClock : .shotClock
      let widgets: [any Widget] = [
        ScoreWidget(score, weight: 1, context: context),
        TimerWidget(timer, weight: 1, zone: .utc, context: context),
      ]
      for widget in widgets {
        let box = Size(width: Double(size.width) * 0.6, height: Double(size.height) * 0.6)
        let fit = widget.fittingSize(in: box)
        guard fit.width <= box.width, fit.height <= box.height else { continue }
        let rect = Rect(
          x: ((Double(size.width) - fit.width) / 2).rounded(),
          y: ((Double(size.height) - fit.height) / 2).rounded(), width: fit.width.rounded(.down),
          height: fit.height.rounded(.down))
        widget.layOut(in: rect, model: game.model)
        context.scene.root.addSublayer(widget.layer)
        let picture = context.scene.picture(at: 0)
        widget.layer.removeFromSuperlayer()
        // A name may extend sideways by half of the gap to the next widget. Shadows are fainter than anything
        // that is meant to be visible, and the ground is black here.
        let side = 0.02 * Double(size.width) + 3
        let allowed = Rect(
          x: rect.x - side, y: rect.y - 3, width: rect.width + 2 * side, height: rect.height + 6)
        var outside = 0
        for y in 0..<size.height {
          let row = picture.buffer.row32(y)
          for x in 0..<size.width where row[x] & 0xff_ffff != 0 {
            let isInside =
              Double(x) >= allowed.x && Double(x) < allowed.maxX && Double(y) >= allowed.y
              && Double(y) < allowed.maxY
            if !isInside { outside += 1 }
          }
        }
        #expect(outside == 0, "\(type(of: widget)) \(size) \(game.ids.count) teams")
      }
    }
  }
}
