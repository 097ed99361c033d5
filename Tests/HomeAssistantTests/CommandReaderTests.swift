// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import JSON
import MQTT
import Scoreboard
import Testing

@testable import HomeAssistant

@Suite struct CommandReaderTests {
  let reader = CommandReader(topics, messageTime: 60_000)

  private func order(
    _ topic: String, _ payload: String, retained: Bool = false
  ) throws(OrderRefusal) -> Order {
    try reader.order(
      MQTTDelivery(topic, Array(payload.utf8), isRetained: retained), wall: makeWall())
  }

  private func command(_ payload: String) throws(OrderRefusal) -> Order {
    try order("flipclock/hall/command", payload)
  }

  private func refusal(_ body: () throws(OrderRefusal) -> Order) -> OrderRefusal? {
    do throws(OrderRefusal) {
      let order = try body()
      Issue.record("\(order) is not refused")
      return nil
    } catch { return error }
  }

  @Test(
    "Each control has its change",
    arguments: [
      ("home_score", "25", .match(.setScore(team: "home", to: 25))),
      ("home_score", "0", .match(.setScore(team: "home", to: 0))),
      ("guest_score", "999.0", .match(.setScore(team: "guest", to: 999))),
      ("guest_plus_3", "PRESS", .match(.addScore(team: "guest", by: 3))),
      ("home_minus_1", "PRESS", .match(.addScore(team: "home", by: -1))),
      ("undo", "PRESS", .match(.undo)), ("redo", "PRESS", .match(.redo)),
      ("match_end", "PRESS", .match(.endMatch)),
      ("clock", "ON", .match(.startTimer(.game))), ("clock", "OFF", .match(.pauseTimer(.game))),
      ("clock_reset", "PRESS", .match(.resetTimer(.game))),
      ("shot_clock_reset", "PRESS", .match(.resetTimer(.shot))),
      ("shot_clock_reset_14", "PRESS", .match(.resetShot(to: 14_000_000_000))),
      ("home_time_out", "PRESS", .match(.startBreak(.timeOut(team: "home"), length: nil))),
      ("half_time", "PRESS", .match(.startBreak(.halfTime, length: nil))),
      ("warm_up", "PRESS", .match(.startBreak(.warmUp, length: nil))),
      ("break_end", "PRESS", .match(.endBreak)),
      ("period", "2", .match(.setPeriod(to: 2))), ("light", "OFF", .blank()), ("light", "ON", .unblank()),
      ("light_brightness", "40", .setBrightness(percent: 40)), ("page", "match", .show(page: "match")),
      ("message", "DINNER --for 3s", .message("DINNER --for 3s", milliseconds: 60_000)),
      ("message", "", .clearMessage), ("message_clear", "PRESS", .clearMessage),
      ("board_hall", "DOORS OPEN", .setBoard("hall", PushedText("DOORS OPEN", source: "mqtt"))),
      ("board_hall", "", .setBoard("hall", PushedText("", source: "mqtt"))),
      ("message_preset", "TIME OUT", .message("TIME OUT", milliseconds: 60_000)),
    ] as [(String, String, Change)])
  func controls(object: String, payload: String, change: Change) throws {
    let topic = "flipclock/hall/entity/\(object)/set"
    #expect(try order(topic, payload) == Order(change: change, object: object))
    // As Home Assistant's template sends it.
    let members: [String: JSONValue] = [
      "value": .string(payload), "id": .string("a-1"), "time": .integer(5),
      "sender": .string("home-assistant"),
    ]
    #expect(
      try order(topic, JSONValue.object(members).text)
        == Order(
          change: change, id: "a-1", stamp: Stamp(time: 5, sender: "home-assistant"), object: object))
  }

  @Test(
    "The text of a board is plain or JSON, and may be retained",
    arguments: [
      ("DOORS OPEN\n", PushedText("DOORS OPEN", source: "mqtt")),
      ("A\tB\nC", PushedText("A\tB\nC", source: "mqtt")),
      ("{TIME}", PushedText("{TIME}", source: "mqtt")), ("{}", PushedText("{}", source: "mqtt")),
      (#"{"value":1}"#, PushedText(#"{"value":1}"#, source: "mqtt")),
      (#"{"text":""}"#, PushedText("", source: "mqtt")),
      (
        #"{"text":"A\nB","for":90,"stale_after":"30min","from":"kitchen","show":true}"#,
        PushedText(
          "A\nB", milliseconds: 90_000, staleMilliseconds: 1_800_000, source: "kitchen", showsPage: true)
      ),
      (#"{"text":"{red}A","plain":true}"#, PushedText("{red}A", source: "mqtt", isPlain: true)),
      ("{red}A{/}", PushedText("{red}A{/}", source: "mqtt")),
      (#"{"clear":true}"#, nil),
    ] as [(String, PushedText?)])
  func boards(payload: String, text: PushedText?) throws {
    let change = text.map { Change.setBoard("hall", $0) } ?? .clearBoard("hall")
    for retained in [false, true] {
      #expect(
        try order("flipclock/hall/board/hall/set", payload, retained: retained)
          == Order(change: change, object: "hall", expires: false))
    }
  }

  @Test(
    "What is done with a countdown is words or JSON, and may be retained",
    arguments: [
      ("15:00", .setCountdown("doors", CountdownSetting(.after(900_000), source: "mqtt"))),
      (
        "--until 19:30 --label \"DOORS OPEN\" --show\n",
        .setCountdown(
          "doors", CountdownSetting(.timeOfDay(70_200), label: "DOORS OPEN", source: "mqtt", showsPage: true))
      ),
      ("--pause", .controlCountdown("doors", .pause)),
      ("--add -1:00", .controlCountdown("doors", .add(-60_000))),
      (
        #"{"time":90,"label":"A","from":"desk"}"#,
        .setCountdown("doors", CountdownSetting(.after(90_000), label: "A", source: "desk"))
      ),
      (#"{"time":"15:00"}"#, .setCountdown("doors", CountdownSetting(.after(900_000), source: "mqtt"))),
      (#"{"time":"15min"}"#, .setCountdown("doors", CountdownSetting(.after(900_000), source: "mqtt"))),
      (
        #"{"until":"7:05","show":true}"#,
        .setCountdown("doors", CountdownSetting(.timeOfDay(25_500), source: "mqtt", showsPage: true))
      ),
      (#"{"pause":true}"#, .controlCountdown("doors", .pause)),
      (#"{"resume":true}"#, .controlCountdown("doors", .resume)),
      (#"{"toggle":true}"#, .controlCountdown("doors", .toggle)),
      (#"{"add":"-1:00"}"#, .controlCountdown("doors", .add(-60_000))),
      (#"{"add":-60}"#, .controlCountdown("doors", .add(-60_000))),
      (#"{"clear":true}"#, .clearCountdown("doors")),
    ] as [(String, Change)])
  func countdowns(payload: String, change: Change) throws {
    for retained in [false, true] {
      #expect(
        try order("flipclock/hall/countdown/doors/set", payload, retained: retained)
          == Order(change: change, object: "doors", expires: false))
    }
  }

  @Test(
    "Other messages for countdowns are refused",
    arguments: [
      "", "15", "soon", "--until 25:00", "15:00 --pause", "--label A", "{", "{}", #"{"time":"15"}"#,
      #"{"time":"-1:00"}"#, #"{"until":"24:00"}"#, #"{"until":7}"#, #"{"time":1,"until":"7:05"}"#,
      #"{"time":1,"pause":true}"#, #"{"pause":true,"resume":true}"#, #"{"pause":false}"#, #"{"pause":1}"#,
      #"{"label":"A"}"#, #"{"add":"x"}"#, #"{"time":1,"label":2}"#, #"{"tim":1}"#, #"{"add":99999999999}"#,
    ])
  func malformedCountdowns(payload: String) {
    let refusal = refusal { () throws(OrderRefusal) in
      try order("flipclock/hall/countdown/doors/set", payload)
    }
    if case .malformed = refusal {} else { Issue.record("\(payload): \(String(describing: refusal))") }
  }

  @Test("A countdown has entities, set or not; its time runs on between states")
  func countdownEntities() {
    var wall = makeWall()
    wall.display.countdowns = [
      CountdownState(name: "doors", label: "OPEN", milliseconds: 900_000, running: true),
      CountdownState(name: "talk"),
    ]
    wall.displayInstant = 5_000_000_000
    let objects = Set(wall.entities.map(\.object))
    for name in ["doors", "talk"] {
      for part in ["", "_time", "_running", "_clear"] {
        #expect(objects.contains("countdown_\(name)\(part)"))
      }
    }
    let values = wall.values(at: 5_000_000_000)
    #expect(values["countdown_doors_time"] == "15:00" && values["countdown_talk_time"] == "None")
    #expect(values["countdown_doors_running"] == "ON" && values["countdown_talk_running"] == "OFF")
    #expect(wall.clockValues(at: 6_000_000_000)["countdown_doors_time"] == "14:59")
    #expect(wall.untilClockChanges(at: 5_000_000_000) == 1_000_000_000)
    for (object, payload, change) in [
      ("doors", "5:00", .setCountdown("doors", CountdownSetting(.after(300_000), source: "mqtt"))),
      ("doors_running", "OFF", .controlCountdown("doors", .pause)),
      ("talk_running", "ON", .controlCountdown("talk", .resume)),
      ("doors_clear", "PRESS", .clearCountdown("doors")),
    ] as [(String, String, Change)] {
      let message = MQTTDelivery(topics.control("countdown_\(object)"), Array(payload.utf8))
      #expect((try? reader.order(message, wall: wall))?.change == change)
    }
  }

  @Test(
    "Other texts for boards are refused",
    arguments: [
      ("gone", "A"), ("hall", #"{"text":1}"#), ("hall", #"{"text":"A","clear":true}"#),
      ("hall", #"{"clear":1}"#), ("hall", #"{"clear":true,"for":1}"#), ("hall", #"{"text":"A","fro":1}"#),
      ("hall", #"{"text":"A","for":-1}"#), ("hall", #"{"text":"A","for":"30"}"#),
      ("hall", #"{"text":"A","for":"99999999999999h"}"#), ("hall", #"{"text":"A","show":1}"#),
      ("hall", #"{"text":"A","from":""}"#),
    ])
  func malformedBoards(board: String, payload: String) {
    let refusal = refusal { () throws(OrderRefusal) in try order("flipclock/hall/board/\(board)/set", payload)
    }
    if case .malformed = refusal {} else { Issue.record("\(payload): \(String(describing: refusal))") }
  }

  @Test("A value may be a JSON number, and a payload not made by the template is taken as plain text")
  func envelopes() throws {
    let score = "flipclock/hall/entity/home_score/set"
    #expect(try order(score, #"{"value":25.0}"#).change == .match(.setScore(team: "home", to: 25)))
    #expect(try order(score, #"{"value":7,"revision":3}"#).revision == 3)
    for text in ["{TIME OUT}", "{", "{}", #"{"command":"undo"}"#, "{{ x }}"] {
      #expect(
        try order("flipclock/hall/entity/message/set", text).change == .message(text, milliseconds: 60_000))
    }
    for payload in [
      #"{"value":true}"#, #"{"value":[1]}"#, #"{"value":1.5}"#, #"{"value":"1000"}"#,
      #"{"value":1,"command":"undo"}"#,
      #"{"value":1,"sender":""}"#, #"{"value":1,"id":2}"#, #"{"value":1,"time":"x"}"#,
    ] {
      let refusal = refusal { () throws(OrderRefusal) in try order(score, payload) }
      if case .malformed = refusal {} else { Issue.record("\(payload): \(String(describing: refusal))") }
    }
  }

  @Test("Every control of every game is read", arguments: GameRules.Preset.allCases)
  func everyControl(preset: GameRules.Preset) {
    let wall = makeWall(preset)
    for object in wall.entities.flatMap(\.controls.keys) {
      let accepted = ["PRESS", "ON", "1", "match", "TIME OUT", "5:00"].filter { payload in
        let message = MQTTDelivery(topics.control(object), Array(payload.utf8))
        return (try? reader.order(message, wall: wall)) != nil
      }
      #expect(!accepted.isEmpty, "\(object)")
    }
  }

  @Test(
    "Other payloads are refused",
    arguments: [
      ("home_score", "1000"), ("home_score", "-1"), ("home_score", "+1"), ("home_score", ""),
      ("home_score", "1e2"), ("home_score", "٣"), ("home_score", "1.5"), ("home_score", "00007"),
      ("home_plus_1", "press"), ("home_plus_1", ""), ("undo", "PRESS "), ("clock", "on"), ("clock", "TOGGLE"),
      ("light_brightness", "0"), ("light_brightness", "101"), ("page", "Clock"), ("page", ""),
      ("message_preset", "time out"), ("period", "0"),
    ])
  func malformed(object: String, payload: String) {
    let refusal = refusal { () throws(OrderRefusal) in
      try order("flipclock/hall/entity/\(object)/set", payload)
    }
    if case .malformed = refusal {} else { Issue.record("\(String(describing: refusal))") }
  }

  @Test(
    "Other topics are refused",
    arguments: [
      "flipclock/hall/entity/nope/set", "flipclock/hall/entity/home_plus_9/set", "flipclock/hall/state",
      "flipclock/other/command", "", "flipclock/hall/entity/version/set",
    ])
  func unknown(topic: String) {
    let refusal = refusal { () throws(OrderRefusal) in try order(topic, "PRESS") }
    if case .unknown = refusal {} else { Issue.record("\(String(describing: refusal))") }
  }

  @Test("A retained message is refused before it is read")
  func retained() {
    for topic in ["flipclock/hall/command", "flipclock/hall/entity/home_score/set", "x"] {
      let refusal = refusal { () throws(OrderRefusal) in try order(topic, "undo", retained: true) }
      #expect(refusal == .retained)
    }
  }

  @Test("Long messages are refused, whether or not their bytes were kept")
  func oversized() {
    for message in [
      MQTTDelivery(topics.command, [], length: 1 << 20),
      MQTTDelivery(topics.command, [UInt8](repeating: 32, count: 4_097)),
      MQTTDelivery(topics.command, [1, 2], length: 3),
    ] {
      let refusal = refusal { () throws(OrderRefusal) in
        try reader.order(message, wall: makeWall())
      }
      #expect(refusal == .oversized(message.length))
    }
  }

  @Test("A command is words, or JSON with words")
  func commands() throws {
    #expect(try command("add-score home +2") == Order(change: .match(.addScore(team: "home", by: 2))))
    #expect(
      try command(#"{"command":"undo","id":"x","time":1795437784000,"revision":0}"#)
        == Order(change: .match(.undo), id: "x", stamp: Stamp(time: 1_795_437_784_000), revision: 0))
    #expect(
      try command(#"message "A  'B'" --until-cleared"#).change == .message("A  'B'", milliseconds: 0))
    #expect(
      try command("set home name 'RED LIONS'").change
        == .match(.setTeam(team: "home", name: "RED LIONS", shortName: nil, color: nil)))
  }

  @Test(
    "What is not a command is refused with the reason",
    arguments: [
      ("", "there is no command"), ("   ", "there is no command"), ("status", "not accepted"),
      ("watch", "not accepted"), ("reload", "not accepted"), ("screenshot /etc/passwd", "not accepted"),
      ("check /etc/shadow", "not accepted"), ("score", "not accepted"), ("remote", "not accepted"),
      ("brightness", "changes nothing"), ("--help", "unknown command"),
      ("undo --socket /tmp/x", "unknown option"), ("undo --json", "unknown option"),
      ("und", "did you mean 'undo'"), (#"message "x"#, "not closed"), (#"message x\"#, "backslash"),
      ("{", "not JSON"), ("{}", "no 'command'"), (#"{"command":["undo"]}"#, "no 'command'"),
      (#"{"command":"undo","command":"redo"}"#, "twice"), (#"{"command":"undo","ID":"x"}"#, "unknown member"),
      (#"{"command":"undo","id":7}"#, "'id'"), (#"{"command":"undo","id":""}"#, "'id'"),
      (#"{"command":"undo","time":"now"}"#, "'time'"), (#"{"command":"undo","time":1.5}"#, "'time'"),
      (#"{"command":"undo","revision":"1"}"#, "'revision'"), ("undo\u{0}", "undo"),
    ])
  func badCommands(payload: String, words: String) {
    let refusal = refusal { () throws(OrderRefusal) in try command(payload) }
    #expect(refusal?.message.contains(words) == true, "\(String(describing: refusal))")
  }

  @Test("Bytes that are not UTF-8 are refused")
  func encoding() {
    let message = MQTTDelivery(topics.command, [0x75, 0xff])
    let refusal = refusal { () throws(OrderRefusal) in
      try reader.order(message, wall: makeWall())
    }
    #expect(refusal == .malformed("the payload is not UTF-8"))
  }

  @Test("Extreme times are refused")
  func extremeTimes() {
    for time in ["-9223372036854775808", "9223372036854775807", "9007199254740993", "1e300"] {
      let refusal = refusal { () throws(OrderRefusal) in
        try command(#"{"command":"undo","time":\#(time)}"#)
      }
      #expect(refusal == .malformed("'time' is not a number of milliseconds"))
    }
  }
}
