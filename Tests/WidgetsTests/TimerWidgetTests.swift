// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Raster
import Scoreboard
import Settings
import Testing

@testable import Layers
@testable import Widgets

@Suite struct TimerWidgetTests {
  private static let second: Int64 = 1_000_000_000
  private static let size = PixelSize(width: 200, height: 120)

  private static func rules(_ direction: GameRules.Timer.Direction) -> GameRules {
    var rules = GameRules()
    rules.game = GameRules.Timer(
      direction, length: direction == .down ? 600 * second : 0, warning: direction == .down ? 60 * second : 0)
    rules.shot = GameRules.Timer(.down, length: 24 * second, warning: 5 * second)
    return rules
  }

  private static func board(
    _ direction: GameRules.Timer.Direction = .down, _ actions: [(Scoreboard.Action, Int64)] = []
  ) throws -> Scoreboard {
    var board = Scoreboard(teams: [], rules: rules(direction))
    board.adopt([.init(id: "home", name: "HOME")], rules: rules(direction))
    for (action, time) in actions { try board.apply(action, at: time) }
    return board
  }

  private static func model(_ board: Scoreboard, at clock: Int64) -> StageModel {
    StageModel(
      instant: Instant(seconds: 1_795_132_800 + clock / second, nanoseconds: Int32(clock % second)),
      scoreboard: board.settled(at: clock), clock: clock)
  }

  private static func stage(_ model: StageModel, _ source: TimerSettings.Source = .gameClock) -> Stage {
    var settings = TimerSettings()
    settings.source = source
    return Fixture.stage(
      Fixture.configuration([WidgetSettings(name: "clock", weight: 1, kind: .timer(settings))]), size, model)
  }

  @Test("what counts down shows a second until it is over, what counts up those that are")
  func whatCountsDownShowsASecondUntilItIsOver() throws {
    let started: [(Scoreboard.Action, Int64)] = [(.startTimer(.game), 0)]
    let down = try Self.board(.down, started)
    let up = try Self.board(.up, started)
    for (clock, expectedDown, expectedUp) in [
      (Int64(0), "10:00", "0:00"), (1, "10:00", "0:00"), (Self.second / 2, "10:00", "0:00"),
      (Self.second, "9:59", "0:01"), (Self.second + 900_000_000, "9:59", "0:01"),
      (61 * Self.second, "8:59", "1:01"), (599 * Self.second + 5_000_000, "0:01", "9:59"),
      (600 * Self.second, "0:00", "10:00"), (700 * Self.second, "0:00", "11:40"),
    ] {
      #expect(Self.stage(Self.model(down, at: clock)).texts[0].text == expectedDown)
      #expect(Self.stage(Self.model(up, at: clock)).texts[0].text == expectedUp)
    }
  }

  @Test("it wakes at each second's turn and at no other time, and not at all while the clock stands")
  func itWakesAtEachSecondsTurn() throws {
    for direction in [GameRules.Timer.Direction.down, .up] {
      let standing = Self.model(try Self.board(direction), at: 5 * Self.second)
      #expect(Self.stage(standing).nextChange(after: standing.instant) == nil)
      let start = 3 * Self.second + 250_000_000
      let board = try Self.board(direction, [(.startTimer(.game), start)])
      let stage = Self.stage(Self.model(board, at: start))
      var clock = start
      var shown = stage.texts[0].text
      for _ in 0..<20 {
        let now = Self.model(board, at: clock)
        let next = try #require(stage.nextChange(after: now.instant))
        let wait =
          (next.seconds - now.instant.seconds) * Self.second
          + Int64(next.nanoseconds - now.instant.nanoseconds)
        #expect(wait == Self.second)
        stage.update(Self.model(board, at: clock + wait - 3_000_000), at: 0, animated: false)
        #expect(stage.texts[0].text == shown)
        clock += wait
        stage.update(Self.model(board, at: clock), at: 0, animated: false)
        #expect(stage.texts[0].text != shown)
        shown = stage.texts[0].text
      }
    }
  }

  @Test("minutes take a card more when they need one, and hold what they had")
  func minutesTakeACardMore() throws {
    let board = try Self.board(
      .up, [(.setTimer(.game, to: 5_999 * Self.second), 0), (.startTimer(.game), 0)])
    let stage = Self.stage(Self.model(board, at: 0))
    #expect(stage.texts[0].text == "99:59")
    stage.update(Self.model(board, at: Self.second), at: 1, animated: true)
    #expect(stage.texts[0].text == "100:00")
    let fresh = Self.stage(Self.model(board, at: Self.second))
    #expect(stage.scene.picture(at: 9).difference(from: fresh.scene.picture(at: 9)) == nil)
  }

  @Test("the shot clock shows seconds, and a game without one empty cards")
  func theShotClockShowsSeconds() throws {
    let board = try Self.board(.down, [(.startTimer(.game), 0), (.startTimer(.shot), 0)])
    #expect(Self.stage(Self.model(board, at: 0), .shotClock).texts[0].text == "24")
    #expect(Self.stage(Self.model(board, at: 15 * Self.second), .shotClock).texts[0].text == "9")
    let none = Scoreboard(teams: [])
    #expect(Self.stage(Self.model(none, at: 0), .shotClock).texts[0].text == "")
  }

  @Test("the colon is red from the warning on; flips and full redraws give the same pictures")
  func theColonIsRedFromTheWarningOn() throws {
    let board = try Self.board(.down, [(.setTimer(.game, to: 62 * Self.second), 0), (.startTimer(.game), 0)])
    let stage = Self.stage(Self.model(board, at: 0))
    let shown = stage.scene.picture(at: 0)
    for tick in 1...4 {
      let clock = Int64(tick) * Self.second
      stage.scene.advance(to: Double(tick))
      stage.update(Self.model(board, at: clock), at: Double(tick), animated: true)
      for step in 0..<8 {
        stage.scene.advance(to: Double(tick) + Double(step) * 0.08)
        _ = stage.scene.render(into: shown.buffer)
      }
      let fresh = Self.stage(Self.model(board, at: clock)).scene.picture(at: 0)
      stage.scene.advance(to: Double(tick) + 0.95)
      _ = stage.scene.render(into: shown.buffer)
      #expect(shown.difference(from: fresh) == nil)
      let reds = (0..<Self.size.height).reduce(0) { sum, y in
        sum + (0..<Self.size.width).filter { shown.buffer.row32(y)[$0] & 0xff_ffff == 0xe5484d }.count
      }
      #expect((reds > 0) == (tick >= 2))
    }
  }
}
