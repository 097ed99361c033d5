// SPDX-License-Identifier: Apache-2.0

import Glibc
import Raster
import Scoreboard
import Settings
import TestSupport
import Testing

@testable import Layers
@testable import Widgets

/// Every widget of a page fits on every display, or is reported as left out.
@Suite struct PageFitTests {
  /// Configurations by name, with the rules of the game. The tests lay out the pages of each in many sizes.
  static let pages: [(name: String, configuration: Configuration, rules: GameRules)] = {
    var digits = ScoreSettings()
    digits.digits = 3
    var seconds = FlipClockSettings()
    seconds.seconds = true
    let time = WidgetSettings(name: "time", weight: 3, content: FlipClockSettings())
    let date = WidgetSettings(name: "date", weight: 1, content: DateSettings())
    let score = WidgetSettings(name: "score", weight: 2, content: ScoreSettings())
    let free = GameRules()
    var all: [(name: String, configuration: Configuration, rules: GameRules)] = [
      ("default", Fixture.configuration([time, date, score]), free),
      (
        "three digits",
        Fixture.configuration([time, date, WidgetSettings(name: "score", weight: 2, content: digits)]),
        free
      ),
      (
        "seconds",
        Fixture.configuration([
          WidgetSettings(name: "time", weight: 3, content: seconds), date, score,
        ]),
        free
      ),
      ("no date", Fixture.configuration([time, score]), free),
      (
        "side by side", Fixture.configuration([time, date, score], rows: [["score"], ["time", "date"]]), free
      ),
    ]
    for preset in GameRules.Preset.allCases {
      all.append((preset.rawValue, Fixture.configuration([time, date, score]), GameRules(preset)))
      all.append(("\(preset.rawValue), its page", gamePage, GameRules(preset)))
    }
    for file in shippedFiles {
      let result = SettingsLoader.load(.explicit(file), mode: .running)
      if let configuration = result.configuration { all.append((file, configuration, free)) }
    }
    return all
  }()

  /// The page of a config that has only a `[game]` table.
  static var gamePage: Configuration {
    Fixture.configuration(Configuration.gameWidgets([], showsTime: true))
  }

  private static var shippedFiles: [String] {
    let root = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
    return ["flipclock", "examples/clock", "examples/match", "examples/scoreboard", "examples/world"].map {
      "\(root)/config/\($0).toml"
    }
  }

  /// Describes the problems of a configuration's pages on a display.
  private static func problems(_ configuration: Configuration, _ rules: GameRules, _ size: PixelSize)
    -> [String]
  {
    LayoutCheck.plans(configuration, rules: rules, size: size).flatMap { problems($0, size) }
  }

  private static func problems(_ plan: PagePlan, _ size: PixelSize) -> [String] {
    var wrong: [String] = []
    let shown = plan.places.filter(\.hasRoom)
    if Set(plan.leftOut.map(\.name)) != Set(plan.places.filter { !$0.hasRoom }.map(\.name)) {
      wrong.append("the widgets left out are not reported")
    }
    for (index, place) in shown.enumerated() {
      if !place.rect.isInside(size.page) || !place.rect.isWhole {
        wrong.append("\(place.name) is at \(place.rect)")
      }
      for other in shown.dropFirst(index + 1) where place.rect.overlaps(other.rect) {
        wrong.append("\(place.name) is over \(other.name)")
      }
      guard let score = place.widget as? ScoreWidget else { continue }
      for digits in (score.settings.digits ?? 2)...3
      where !score.size(in: place.rect.size, digits: digits).fits(in: place.rect.size) {
        wrong.append("\(place.name) has no room for \(digits) digits")
      }
    }
    return wrong
  }

  private static func missing(_ configuration: Configuration, _ rules: GameRules, _ size: PixelSize)
    -> [String]
  {
    LayoutCheck.plans(configuration, rules: rules, size: size).flatMap { plan in
      let missing = plan.leftOut.map { "no room for \($0.name)" } + problems(plan, size)
      return missing.map { "\(size.width)x\(size.height) \(plan.name): \($0)" }
    }
  }

  @Test("every widget of the default page fits at all sizes around 1280x720")
  func defaultPageAround1280x720() {
    let page = Self.pages[0]
    var wrong: [String] = []
    // Tries every width and every height, and with `make test-long` all combinations.
    let step = TestEffort.isLong ? 1 : 16
    for width in 1200...1360 {
      for height in stride(from: 640 + width * 7 % step, through: 800, by: step) {
        wrong += Self.missing(page.configuration, page.rules, PixelSize(width: width, height: height))
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(5))")
  }

  /// A random size; small ones are as likely as large ones.
  static func size(_ random: inout SplitMix) -> PixelSize {
    let width = 320 * exp2(random.unit() * log2(7680.0 / 320))
    let height = 240 * exp2(random.unit() * log2(4320.0 / 240))
    let size = PixelSize(width: Int(width), height: Int(height))
    return random.int(0...3) == 0 ? PixelSize(width: size.height, height: size.width) : size
  }

  @Test("all widgets of every shipped page fit on displays of any size", arguments: pages.indices)
  func shippedPagesOnAnyDisplay(_ index: Int) {
    let page = Self.pages[index]
    var random = SplitMix(seed: UInt64(index))
    var wrong: [String] = []
    for _ in 0..<(index == 0 || TestEffort.isLong ? 2000 : 40) {
      wrong += Self.missing(page.configuration, page.rules, Self.size(&random))
    }
    #expect(wrong.isEmpty, "\(page.name), \(wrong.count): \(wrong.prefix(5))")
  }

  @Test("all widgets of every shipped page fit on common displays")
  func shippedPagesOnCommonDisplays() {
    #expect(CommonDisplays.sizes.count == 60)
    for page in Self.pages {
      let wrong = CommonDisplays.sizes.flatMap { Self.missing(page.configuration, page.rules, $0) }
      #expect(wrong.isEmpty, "\(page.name), \(wrong.count): \(wrong.prefix(5))")
    }
  }

  @Test("a widget that fits is drawn: its layers have pictures inside the page")
  func fittingWidgetsAreDrawn() {
    var random = SplitMix(seed: 3)
    for page in Self.pages {
      let size = PixelSize(width: random.int(320...400), height: random.int(240...330))
      var board = Scoreboard(teams: [])
      board.adopt([.init(id: "home", name: "HOME"), .init(id: "guest", name: "GUEST")], rules: page.rules)
      let model = StageModel(instant: Fixture.instant(9, 41), scoreboard: board)
      let stage = Fixture.stage(page.configuration, size, model)
      for plan in LayoutCheck.plans(page.configuration, rules: page.rules, size: size) {
        let page = Page(plan, in: size.page, model: model)
        stage.scene.root.addSublayer(page.layer)
        for place in plan.places {
          #expect(!Self.pictures(place.widget.layer).isEmpty, "\(plan.name) \(place.name) at \(size)")
          if let score = place.widget as? ScoreWidget {
            #expect(
              score.columns.map(\.board.cards.count)
                == score.columns.map { _ in score.columns[0].board.cards.count })
            #expect(score.columns.count == score.settings.teams.count)
          }
        }
      }
    }
  }

  private static func pictures(_ layer: Layer) -> [Layer] {
    guard !layer.isHidden, layer.opacity > 0 else { return [] }
    let isPicture = layer.contents != nil && layer.bounds.width >= 1 && layer.bounds.height >= 1
    return (isPicture ? [layer] : []) + layer.sublayers.flatMap(pictures)
  }

  // MARK: Random pages

  private static func widget(_ name: String, _ random: inout SplitMix) -> WidgetSettings {
    let weight = [0.01, 0.5, 1, 1, 2, 3, 100][random.int(0...6)]
    let kinds = WidgetSettings.kinds
    var content: any WidgetContent = kinds[random.int(0...kinds.count - 1)].init()
    switch content {
    case var clock as FlipClockSettings:
      clock.seconds = random.int(0...1) == 0
      clock.cards = random.int(0...1) == 0 ? .pair : .digit
      clock.hours = random.int(0...1) == 0 ? .twelve : .twentyFour
      content = clock
    case var board as BoardSettings:
      (board.columns, board.rows) = (random.int(1...12), random.int(1...2))
      content = board
    case var hands as AnalogClockSettings:
      hands.secondsBar = random.int(0...1) == 0
      content = hands
    case var timer as TimerSettings:
      timer.source = random.int(0...1) == 0 ? .gameClock : .shotClock
      content = timer
    case var world as WorldClockSettings:
      world.cities = Array(world.cities.prefix(random.int(1...3)))
      content = world
    case var score as ScoreSettings:
      score.digits = random.int(2...3)
      score.showNames = random.int(0...3) > 0
      content = score
    default: break
    }
    return WidgetSettings(name: name, weight: weight, content: content)
  }

  private static func page(_ rows: Int, _ columns: Int, _ random: inout SplitMix) -> Configuration {
    var names: [[String]] = []
    var widgets: [WidgetSettings] = []
    for row in 0..<random.int(1...rows) {
      names.append([])
      for column in 0..<random.int(1...columns) {
        let name = "w\(row)-\(column)"
        widgets.append(widget(name, &random))
        names[row].append(name)
      }
    }
    return Fixture.configuration(widgets, rows: names)
  }

  @Test("random rows of random widgets: all fit, whatever their weights")
  func randomRows() {
    var random = SplitMix(seed: 11)
    let presets = GameRules.Preset.allCases
    var wrong: [String] = []
    for _ in 0..<(TestEffort.isLong ? 20_000 : 300) {
      let configuration = Self.page(3, 2, &random)
      let rules = GameRules(presets[random.int(0...presets.count - 1)])
      let size = Self.size(&random)
      wrong += Self.missing(configuration, rules, size).map {
        "\($0) of \(configuration.layout.rows), \(configuration.widgets.map { "\($0.typeName) \($0.weight)" })"
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(5))")
  }

  @Test("What a score leaves out is reported for configured modes, each stage, and both styles")
  func details() {
    var configuration = Self.gamePage
    let rules = GameRules(.volleyball)
    #expect(LayoutCheck.details(configuration, rules: rules) == [])
    for (width, height, isFull) in [(1920, 1080, true), (320, 240, false)] {
      let size = PixelSize(width: width, height: height)
      configuration.display.mode = .size(size, refreshMillihertz: nil)
      let found = LayoutCheck.details(configuration, rules: rules)
      let model = StageModel(instant: Fixture.instant(9, 41), scoreboard: Fixture.scoreboard(.volleyball))
      let stage = Fixture.stage(configuration, size, model)
      #expect(stage.leftOutDetails.isEmpty == isFull && found.count == (isFull ? 0 : 1))
      for left in stage.leftOutDetails {
        #expect(found[0].message == "at 320x240 \(left.description)")
        #expect(left.description.hasPrefix("the widget 'score' of the page 'main' leaves out: "))
      }
    }
    let plain = WidgetSettings(name: "score", weight: 1, content: ScoreSettings())
    let small = PixelSize(width: 320, height: 60)
    let plans = LayoutCheck.plans(Fixture.configuration([plain]), rules: rules, size: small)
    let score = plans[0].places[0].widget
    #expect(
      score.leftOutDetails(in: Size(width: 300, height: 48))
        == ["period", "timeouts", "substitutions", "points of past periods"])
    #expect(score.leftOutDetails(in: Size(width: 1800, height: 1000)) == [])
  }

  @Test("a page with far too many widgets leaves some out, reports them, and shows the rest")
  func tooManyWidgets() {
    var random = SplitMix(seed: 5)
    let size = PixelSize(width: 320, height: 240)
    for _ in 0..<3 {
      let widgets = (0..<30).map { Self.widget("w\($0)", &random) }
      let configuration = Fixture.configuration(widgets)
      let leftOut = LayoutCheck.leftOut(configuration, rules: GameRules(.basketball), sizes: [size])
      #expect((1...26).contains(leftOut.count), "\(leftOut.count)")
      #expect(leftOut.allSatisfy { $0.reason.contains("320x240") })
      #expect(Self.problems(configuration, GameRules(.basketball), size) == [])
      let stage = Fixture.stage(configuration, size, Fixture.model())
      #expect(Set(stage.leftOut.map(\.name)).isSubset(of: Set(widgets.map(\.name))))
      #expect(!stage.leftOut.isEmpty)
    }
  }
}
