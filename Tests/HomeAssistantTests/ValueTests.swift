// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import JSON
import Scoreboard
import Testing

@testable import HomeAssistant

@Suite struct ValueTests {
  @Test("Values are those of the wall")
  func values() {
    var wall = makeWall(.basketball, [.setScore(team: "home", to: 25), .setPeriod(to: 2)])
    wall.display.message = "TIME OUT"
    wall.display.brightness = 40
    wall.display.blanked = true
    let values = wall.values(at: wall.matchInstant)
    #expect(values["home_score"] == "25" && values["guest_score"] == "0")
    #expect(values["period"] == "2" && values["period_name"] == "QUARTER 2")
    #expect(values["clock"] == "OFF" && values["clock_time"] == "10:00")
    #expect(values["message"] == #"{"text":"TIME OUT"}"# && values["message_preset"] == "TIME OUT")
    #expect(values["light"] == "OFF" && values["light_brightness"] == "40")
    #expect(values["page"] == "clock" && values["version"] == nil)
    wall.display.message = "other"
    #expect(wall.values(at: 0)["message_preset"] == "None")
    wall.display.message = nil
    #expect(wall.values(at: 0)["message"] == #"{"text":""}"#)
  }

  @Test("A break has values of its own, and the entities stay the same with it and without it")
  func breaks() {
    let wall = makeWall(.basketball)
    #expect(wall.values(at: 0)["break"] == "None" && wall.values(at: 0)["break_time"] == "None")
    let pause = makeWall(.basketball, [.startBreak(.timeOut(team: "home"), length: nil)])
    let start = pause.matchInstant
    #expect(pause.values(at: start)["break"] == "time-out" && pause.values(at: start)["break_time"] == "1:00")
    #expect(pause.clockValues(at: start + 30_000_000_000)["break_time"] == "0:30")
    #expect(pause.untilClockChanges(at: start).map { $0 <= 1_000_000_000 } == true)
    #expect(pause.entities == wall.entities)
    #expect(makeWall(.darts).values(at: 0)["break"] == nil)
  }

  @Test("A set point and a match point are values of their team, in games of sets whose points count up")
  func winningPoints() {
    let wall = makeWall(.volleyball, [.setScore(team: "home", to: 24)])
    #expect(wall.values(at: 0)["home_winning_point"] == "set")
    #expect(wall.values(at: 0)["guest_winning_point"] == "None")
    let last = makeWall(.tableTennis, [.setPeriod(to: 5, anyway: true), .setScore(team: "guest", to: 10)])
    #expect(last.values(at: 0)["guest_winning_point"] == "match")
    for preset: GameRules.Preset in [.basketball, .darts, .free] {
      #expect(makeWall(preset).values(at: 0)["home_winning_point"] == nil)
    }
  }

  @Test("The end of a match is a binary sensor, whether the rules or the clock have ended it")
  func matchOver() throws {
    let playing: [Scoreboard.Action] = [.setPeriod(to: 4), .addScore(team: "home", by: 2)]
    #expect(makeWall(.basketball, playing).values(at: 0)["match_over"] == "OFF")
    #expect(makeWall(.basketball, playing + [.setTimer(.game, to: 0)]).values(at: 0)["match_over"] == "ON")
    let sets = makeWall(
      .badminton, (1...2).flatMap { [.setPeriod(to: $0), .setScore(team: "home", to: 21)] })
    #expect(sets.values(at: 0)["match_over"] == "ON")
    let entity = try #require(sets.entities.first { $0.object == "match_over" })
    #expect(entity.component == .binarySensor && !entity.hasDetails)
  }

  @Test("A text that is too long for Home Assistant is cut")
  func longTexts() {
    var wall = makeWall()
    wall.match.undo = String(repeating: "ä", count: 300)
    #expect(wall.values(at: 0)["last_change"]?.count == 255)
    wall.match.undo = nil
    #expect(wall.values(at: 0)["last_change"] == "None")
  }

  @Test("Health is read from a status with any members")
  func health() throws {
    let status = try JSONReader.read(
      Array(
        """
        {"version":"0.2.0","cost":{"processorMicrosecondsPerMinute":417000,"residentBytes":20185088},
         "outputs":[{"connector":"HDMI-A-1","flipsMissed":2,"problem":"no picture"},{"flipsMissed":3}],
         "warnings":["a zone is missing"],"config":{"lastReload":{"ok":false}}}
        """.utf8))
    let health = Health(status)
    #expect(health.version == "0.2.0" && health.missedFlips == 5)
    #expect(
      health.problems == [
        "HDMI-A-1: no picture", "the config has errors and is not used",
        "a zone is missing",
      ])
    let values = makeWall(health: health).values(at: 0)
    #expect(values["processor"] == "0.69" && values["memory"] == "19.2" && values["missed_flips"] == "5")
    #expect(values["problem"] == "ON")
    let empty = makeWall(health: Health(.null)).values(at: 0)
    #expect(empty["processor"] == "0.00" && empty["problem"] == "OFF" && empty["version"] == "unknown")
    let huge = JSONValue.object([
      "outputs": .array([
        .object(["flipsMissed": .integer(.max)]), .object(["flipsMissed": .integer(.max)]),
      ])
    ])
    #expect(Health(huge).missedFlips == .max)
  }

  private static func timer(
    _ milliseconds: Int, _ direction: String, running: Bool
  ) throws -> MatchState.Timer {
    try JSONValue.object([
      "milliseconds": .integer(Int64(milliseconds)), "running": .bool(running),
      "direction": .string(direction),
      "warning": .bool(false), "ended": .bool(direction == "down" && milliseconds <= 0),
    ]).decoded(as: MatchState.Timer.self)
  }

  @Test(
    "A clock's time is that of the wall",
    arguments: [
      (600_000, "down", false, 0, "10:00"), (600_000, "down", true, 0, "10:00"),
      (600_000, "down", true, 1, "10:00"), (600_000, "down", true, 1_000, "9:59"),
      (600_000, "down", true, 1_001, "9:59"), (7_300, "down", false, 0, "0:08"),
      (500, "down", true, 900, "0:00"), (0, "down", true, 5_000, "-0:05"),
      (-3_000, "down", true, 2_500, "-0:05"),
      (0, "up", true, 999, "0:00"), (0, "up", true, 1_000, "0:01"), (3_599_000, "up", true, 1_000, "60:00"),
      (Int.max, "down", true, 0, "11999:58"), (Int.min, "up", true, 1, "-11999:57"),
    ] as [(Int, String, Bool, Int64, String)])
  func clock(milliseconds: Int, direction: String, running: Bool, elapsed: Int64, text: String) throws {
    var wall = makeWall(.basketball)
    wall.match.timers["game"] = try Self.timer(milliseconds, direction, running: running)
    let now = wall.matchInstant + elapsed * 1_000_000
    #expect(wall.clockValues(at: now)["clock_time"] == text)
    // A clock that counts down stays at 0:00 until the daemon has reported its end.
    let isAtEnd = milliseconds > 0 && text == "0:00"
    #expect((wall.untilClockChanges(at: now) == nil) == (!running || isAtEnd))
  }

  @Test("Only a running clock needs a timer")
  func wakeups() {
    let running = makeWall(.basketball, [.startTimer(.game)])
    #expect(running.untilClockChanges(at: running.matchInstant) != nil)
    #expect(running.clockValues(at: running.matchInstant + 60_000_000_000)["clock_time"] == "9:00")
    #expect(makeWall().untilClockChanges(at: 0) == nil)
    #expect(makeWall(.volleyball).untilClockChanges(at: 0) == nil)
  }
}
