// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Raster
import Scoreboard
import Settings
import Testing

@testable import Layers
@testable import Widgets

@Suite struct StageTests {
  private static func clock(_ name: String = "time", _ change: (inout FlipClockSettings) -> Void = { _ in })
    -> WidgetSettings
  {
    var settings = FlipClockSettings()
    change(&settings)
    return WidgetSettings(name: name, weight: 3, content: settings)
  }

  private static let date = WidgetSettings(name: "date", weight: 1, content: DateSettings())
  private static let score = WidgetSettings(name: "score", weight: 2, content: ScoreSettings())
  private static func text(_ words: String) -> WidgetSettings {
    var settings = TextSettings()
    settings.text = words
    return WidgetSettings(name: "text", weight: 1, content: settings)
  }

  /// The solid parts of all layers except the ground.
  private static func parts(_ layer: Layer, x: Double = 0, y: Double = 0) -> [Rect] {
    layer.sublayers.flatMap { child -> [Rect] in
      let isGround = child.contents?.extent == .repeatSideways
      let own = isGround ? nil : child.solidFrame?.offset(x: x, y: y)
      return (own.map { [$0] } ?? []) + parts(child, x: x + child.frame.x, y: y + child.frame.y)
    }
  }

  @Test(
    "every widget is on the page, at any size and in both orientations",
    arguments: [
      (320, 240), (240, 320), (480, 320), (320, 480), (800, 480), (480, 800), (1024, 300),
    ])
  func everyWidgetIsOnThePage(width: Int, height: Int) {
    let size = PixelSize(width: width, height: height)
    let full = Self.clock {
      $0.seconds = true
      $0.hours = .twelve
    }
    let pages: [[[WidgetSettings]]] = [
      [[Self.clock()]], [[full], [Self.date], [Self.score]],
      [[Self.clock(), Self.score], [Self.text("WELCOME")]],
    ]
    for rows in pages {
      let configuration = Fixture.configuration(rows.flatMap { $0 }, rows: rows.map { $0.map(\.name) })
      let stage = Fixture.stage(configuration, size, Fixture.model(home: 7, guest: 21))
      let parts = Self.parts(stage.scene.root)
      #expect(parts.count > 10)
      for part in parts where !part.isInside(size.page) { Issue.record("\(rows.map(\.count)): \(part)") }
    }
  }

  @Test("the same model gives the same picture, whatever was shown before")
  func sameModelSamePicture() {
    let size = PixelSize(width: 240, height: 150)
    let configuration = Fixture.configuration([Self.clock(), Self.date, Self.score])
    let followed = Fixture.stage(configuration, size, Fixture.model(home: 3, guest: 9))
    let later = Fixture.model(Fixture.instant(10, 0), home: 4, guest: 10)
    followed.update(Fixture.model(Fixture.instant(9, 59, 59), home: 3, guest: 10), at: 0.5, animated: true)
    followed.scene.advance(to: 0.7)
    followed.update(later, at: 1, animated: true)
    let fresh = Fixture.stage(configuration, size, later)
    #expect(followed.scene.picture(at: 5).difference(from: fresh.scene.picture(at: 0)) == nil)
    #expect(followed.scene.activity == .resting)
  }

  /// Widgets, a time of day, and when they change next. Not in the @Test attribute, because Swift 6.0.3
  /// crashes on closures there.
  private static let changes: [([WidgetSettings], (Int, Int, Int), (Int, Int, Int))] = [
    ([clock()], (9, 59, 30), (10, 0, 0)), ([clock()], (9, 59, 0), (10, 0, 0)),
    ([clock { $0.seconds = true }], (9, 59, 59), (10, 0, 0)),
    ([clock { $0.colon = .blinking }], (9, 59, 0), (9, 59, 1)), ([date], (9, 59, 30), (24, 0, 0)),
    ([date, clock()], (9, 59, 30), (10, 0, 0)),
    ([clock(), clock("other") { $0.seconds = true }], (1, 2, 3), (1, 2, 4)),
  ]

  @Test("a page changes with time when its widgets do, strictly later", arguments: changes)
  func pageChangesWithItsWidgets(
    widgets: [WidgetSettings], now: (Int, Int, Int), next: (Int, Int, Int)
  ) {
    let stage = Fixture.stage(
      Fixture.configuration(widgets), PixelSize(width: 120, height: 80), Fixture.model())
    #expect(
      stage.nextChange(after: Fixture.instant(now.0, now.1, now.2)) == Fixture.instant(next.0, next.1, next.2)
    )
  }

  @Test("a page of scores and fixed text never changes with time")
  func pageWithoutClocksNeverChanges() {
    let stage = Fixture.stage(
      Fixture.configuration([Self.score, Self.text("HELLO")]), PixelSize(width: 120, height: 80),
      Fixture.model())
    #expect(stage.nextChange(after: Fixture.instant(9, 0)) == nil)
  }

  @Test("every widget reports its text, even if it is in no row")
  func texts() {
    let configuration = Fixture.configuration(
      [Self.clock(), Self.date, Self.score, Self.text("HELLO")], rows: [["time"], ["nothing"], []])
    let stage = Fixture.stage(
      configuration, PixelSize(width: 120, height: 80), Fixture.model(home: 1, guest: 2))
    #expect(stage.texts.map(\.text) == ["09:59", "FRIDAY 20 NOVEMBER", "1 : 2", "HELLO"])
    #expect(stage.texts.map(\.name) == ["time", "date", "score", "text"])
    #expect(stage.texts.map(\.type) == ["flip-clock", "date", "score", "text"])
    stage.update(Fixture.model(Fixture.instant(24, 0), home: 1, guest: 3), at: 1, animated: true)
    let next = ["00:00", "SATURDAY 21 NOVEMBER", "1 : 3", "HELLO"]
    #expect(stage.texts.map(\.text) == next)
    let model = Fixture.model(Fixture.instant(24, 0), home: 1, guest: 3)
    #expect(configuration.texts(of: model) { _ in .utc }.map(\.text) == next, "without a stage")
  }

  @Test("a blinking colon is bright on even seconds and dim on odd ones, and nothing else moves")
  func blinkingColon() {
    let size = PixelSize(width: 160, height: 80)
    let stage = Fixture.stage(
      Fixture.configuration([Self.clock { $0.colon = .blinking }]), size,
      Fixture.model(Fixture.instant(9, 0, 0)))
    let even = stage.scene.picture(at: 0)
    stage.update(Fixture.model(Fixture.instant(9, 0, 1)), at: 1, animated: true)
    #expect(stage.scene.activity == .resting)
    let shown = Bitmap(width: size.width, height: size.height, format: .xrgb8888)
    let damage = stage.scene.render(into: shown.buffer)
    #expect(damage.count == 2)
    stage.update(Fixture.model(Fixture.instant(9, 0, 2)), at: 2, animated: true)
    #expect(stage.scene.picture(at: 2).difference(from: even) == nil)
  }

  @Test("a board whose text the config changed continues from the old text, but not from another page's")
  func boardResumes() {
    func stage(_ words: String, name: String = "lobby") -> Stage {
      var board = BoardSettings()
      board.columns = 4
      board.rows = 1
      board.text = words
      return Fixture.stage(
        Fixture.configuration([WidgetSettings(name: name, weight: 1, content: board)]),
        PixelSize(width: 120, height: 60), Fixture.model())
    }
    let old = stage("AB")
    let new = stage("AC")
    let rest = new.scene.picture(at: 0)
    new.resume(from: old, at: 3)
    #expect(new.scene.picture(at: 3).difference(from: old.scene.picture(at: 3)) == nil)
    #expect(new.scene.activity != .resting)
    #expect(new.scene.picture(at: 20).difference(from: rest) == nil)
    let other = stage("AC", name: "hall")
    other.resume(from: old, at: 3)
    #expect(other.scene.activity == .resting)
  }

  @Test(
    "Where the parts of a page change their places, the page fades from what it showed before",
    arguments: GameRules.Preset.allCases)
  func rearrangements(_ preset: GameRules.Preset) throws {
    for motion in Motion.allCases {
      var configuration = PageFitTests.configuration(preset)
      configuration.motion = motion
      var model = StageModel(instant: Fixture.instant(9, 41), scoreboard: Fixture.scoreboard(preset))
      let stage = Fixture.stage(configuration, PixelSize(width: 640, height: 360), model)
      let breaks: [Scoreboard.Action] = [
        .startBreak(.interval, length: 60_000_000_000, anyway: true), .endBreak, .endMatch,
      ]
      for (index, action) in breaks.enumerated() {
        let time = Double(index * 3) + 2
        let shown = stage.scene.picture(at: time)
        try model.scoreboard.apply(action)
        let isRearranged = stage.page.isRearranged(by: model)
        #expect(isRearranged || index == 2)
        stage.update(model, at: time, animated: true)
        #expect(stage.isChangingPages == (isRearranged && motion == .full))
        if isRearranged, motion == .full {
          #expect(stage.scene.picture(at: time).difference(from: shown) == nil, "\(preset), \(action)")
        }
        let fresh = Fixture.stage(configuration, PixelSize(width: 640, height: 360), model)
        #expect(index == 2 || fresh.scene.picture(at: 0).difference(from: shown) != nil)
        #expect(stage.scene.picture(at: time + 2).difference(from: fresh.scene.picture(at: 0)) == nil)
        #expect(!stage.isChangingPages)
      }
    }
  }
}
