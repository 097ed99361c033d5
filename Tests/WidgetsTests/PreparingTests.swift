// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Raster
import Settings
import Testing

@testable import Layers
@testable import Widgets

@Suite struct PreparingTests {
  private func clock(at instant: Instant, _ change: (inout FlipClockSettings) -> Void = { _ in })
    -> FlipClockWidget
  {
    var settings = FlipClockSettings()
    change(&settings)
    let widget = FlipClockWidget(
      settings, weight: 1, zone: .utc, context: Fixture.context(PixelSize(width: 640, height: 360)))
    let size = widget.fittingSize(in: Size(width: 640, height: 360))
    widget.layOut(
      in: Rect(x: 0, y: 0, width: size.width, height: size.height), model: Fixture.model(instant))
    return widget
  }

  @Test("A clock that changes once a minute keeps only the cards that are shown or come next")
  func minutes() {
    let widget = clock(at: Fixture.instant(9, 58))
    #expect(widget.images?.symbols == ["0", "9", "5", "8"])
    // The first call draws the shadow of the flaps, but no digit; the second one draws nothing.
    #expect(widget.prepare(after: Fixture.model(Fixture.instant(9, 58))))
    #expect(!widget.prepare(after: Fixture.model(Fixture.instant(9, 58))))
    #expect(widget.images?.symbols == ["0", "9", "5", "8"])
    widget.update(Fixture.model(Fixture.instant(9, 59)), at: 1, animated: true)
    #expect(widget.prepare(after: Fixture.model(Fixture.instant(9, 59))))
    #expect(widget.images?.symbols == ["0", "9", "5", "1"])
    widget.update(Fixture.model(Fixture.instant(10, 0)), at: 2, animated: true)
    #expect(widget.images?.symbols == ["0", "9", "5", "1"])
    #expect(!widget.prepare(after: Fixture.model(Fixture.instant(10, 0))))
    #expect(widget.images?.symbols == ["0", "1"])
  }

  private func widget<Made: Widget>(
    _ make: (WidgetContext) -> Made, _ model: StageModel,
    zones: @escaping (String) -> TimeZone = { _ in .utc }
  ) -> Made {
    let widget = make(Fixture.context(PixelSize(width: 640, height: 360), zones: zones))
    let size = widget.fittingSize(in: Size(width: 640, height: 360))
    widget.layOut(in: Rect(x: 0, y: 0, width: size.width, height: size.height), model: model)
    return widget
  }

  @Test("A world clock keeps the cards that any of its cities shows or shows next")
  func cities() throws {
    var settings = WorldClockSettings()
    settings.cities = [
      WorldClockSettings.City(name: "LONDON", zone: "UTC"),
      WorldClockSettings.City(name: "DELHI", zone: "Asia/Kolkata"),
    ]
    let delhi = try TimeZone(posix: "IST-5:30")
    func clock(_ model: StageModel) -> WorldClockWidget {
      widget({ WorldClockWidget(settings, weight: 1, context: $0) }, model) { $0 == "UTC" ? .utc : delhi }
    }
    let model = Fixture.model(Fixture.instant(11, 11))
    // The cities show 11:11 and 16:41, then 11:12 and 16:42.
    let clock = clock(model)
    #expect(clock.images?.symbols == ["1", "6", "4"])
    #expect(clock.prepare(after: model))
    #expect(clock.images?.symbols == ["1", "2", "6", "4"])
    #expect(!clock.prepare(after: model))
    clock.update(Fixture.model(Fixture.instant(11, 12)), at: 1, animated: true)
    #expect(clock.prepare(after: Fixture.model(Fixture.instant(11, 12))))
    #expect(clock.images?.symbols == ["1", "2", "3", "6", "4"])
    settings.motion.symbols = .through
    let through = widget({ WorldClockWidget(settings, weight: 1, context: $0) }, model)
    while through.prepare(after: model) {}
    #expect(through.images?.symbols.isSuperset(of: (0...9).map { CardSymbol(String($0)) }) == true)
  }

  @Test("A score keeps the cards that are shown and those of one more point")
  func scores() {
    func score(_ home: Int, _ guest: Int, _ change: (inout ScoreSettings) -> Void = { _ in }) -> ScoreWidget {
      var settings = ScoreSettings()
      change(&settings)
      return widget(
        { ScoreWidget(settings, weight: 1, context: $0) }, Fixture.model(home: home, guest: guest))
    }
    func model(_ home: Int, _ guest: Int) -> StageModel { Fixture.model(home: home, guest: guest) }
    let scoreboard = score(7, 19)
    #expect(scoreboard.images?.symbols == ["", "7", "1", "9"])
    #expect(scoreboard.prepare(after: model(7, 19)))
    #expect(scoreboard.images?.symbols == ["", "7", "8", "1", "9", "2", "0"])
    #expect(!scoreboard.prepare(after: model(7, 19)))
    scoreboard.update(model(13, 19), at: 1, animated: true)
    #expect(scoreboard.prepare(after: model(13, 19)))
    #expect(scoreboard.images?.symbols == ["", "1", "3", "4", "9", "2", "0"])
    // After 99 comes a score with one more digit, which needs cards of another size, so its cards are not
    // prepared.
    let full = score(99, 0)
    #expect(full.prepare(after: model(99, 0)))
    #expect(full.images?.symbols == ["", "9", "0", "1"])
    let through = score(7, 19) { $0.motion.symbols = .through }
    while through.prepare(after: model(7, 19)) {}
    #expect(through.images?.symbols.isSuperset(of: (0...9).map { CardSymbol(String($0)) }) == true)
  }

  @Test(
    "A clock with seconds, or one that passes through all symbols, draws the digits one by one at rest")
  func all() {
    for widget in [
      clock(at: Fixture.instant(9, 58)) { $0.seconds = true },
      clock(at: Fixture.instant(9, 58)) { $0.motion.symbols = .through },
    ] {
      #expect(widget.images?.symbols.isSubset(of: ["0", "9", "5", "8"]) == true)
      var turns = 0
      while widget.prepare(after: Fixture.model(Fixture.instant(9, 58))) { turns += 1 }
      // One of these calls draws the shadow of the flaps.
      #expect(turns == 7)
      #expect(widget.images?.symbols.isSuperset(of: (0...9).map { CardSymbol(String($0)) }) == true)
    }
  }
}
