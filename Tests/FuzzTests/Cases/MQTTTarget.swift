// SPDX-License-Identifier: Apache-2.0

import Commands
import DaemonDouble
import HomeAssistant
import MQTT
import Scoreboard
import Varlink

extension FuzzTarget {
  /// A message from an MQTT broker: the topic on the first line, and the payload after it. The payload is
  /// also passed to all controls of the wall.
  static let mqtt = FuzzTarget(
    name: "mqtt",
    seeds: {
      let topics = EntityTopics(board: "hall")
      let presses = ["home_plus_1", "undo"].map { (topics.control($0), "PRESS") }
      let values: [(String, String)] = [
        (topics.control("home_score"), "25"), (topics.control("light"), "ON"),
        (topics.control("light_brightness"), "40"), (topics.control("page"), "match"),
        (topics.control("message"), "DINNER"), (topics.control("message_preset"), "TIME OUT"),
        (topics.control("clock"), "OFF"), (topics.control("period"), "2.0"),
        (topics.command, "add-score home +1"), (topics.command, #"message "TIME OUT" --for 30s"#),
        (topics.command, #"{"command":"undo","id":"a-1","time":1795437785000,"revision":0}"#),
        (
          topics.control("undo"),
          #"{"value":"PRESS","id":"1","time":1795437785000,"sender":"home-assistant"}"#
        ),
        (topics.command, #"{"command":"set home name 'RED LIONS'"}"#),
      ]
      return (presses + values).map { Array("\($0.0)\n\($0.1)".utf8) }
    },
    run: { bytes in
      let presets = GameRules.Preset.allCases
      let handler = RefereeHandler(presets[bytes.count % presets.count])
      let reader = CommandReader(EntityTopics(board: "hall"), messageTime: 60_000)
      let parts = bytes.split(separator: 10, maxSplits: 1, omittingEmptySubsequences: false)
      let topic = String(decoding: parts[0], as: UTF8.self)
      let payload = parts.count > 1 ? Array(parts[1]) : []
      let controls = wall(handler).entities.flatMap(\.controls.keys).map(reader.topics.control)
      for topic in [topic, reader.topics.command] + controls {
        for isRetained in [false, true] {
          try perform(
            MQTTDelivery(topic, payload, isRetained: isRetained), reader, handler)
        }
      }
      var announcement = Announcement(reader.topics, discovers: true)
      for (topic, payload) in announcement.messages(of: wall(handler), at: 0, matchTime: 0) {
        try check(topic.split(separator: "/").count <= 5 && !payload.isEmpty, topic)
      }
    })

  private static func wall(_ handler: RefereeHandler) -> WallReport {
    WallReport(match: handler.matchState(), matchInstant: 0, display: handler.displayState())
  }

  private static func perform(
    _ message: MQTTDelivery, _ reader: CommandReader, _ handler: RefereeHandler
  ) throws(Broken) {
    let order: Order
    do throws(OrderRefusal) {
      order = try reader.order(message, wall: wall(handler))
    } catch {
      try check(error.message.isHarmless && !error.kind.isEmpty, error.message.debugDescription)
      return
    }
    try check(!message.isRetained, "a retained message is performed")
    try check(order.id.map { (1...64).contains($0.utf8.count) } ?? true, "\(order)")
    var clocks = SenderClocks()
    if let stamp = order.stamp {
      for now in [nil, 1_795_437_785_000] as [Int64?] {
        let age = try? clocks.age(of: stamp, arrival: 1_000, now: now, isSettled: true)
        try check(age.map { (0...5_000).contains($0) } ?? true, "\(order)")
      }
    }
    let call = VarlinkCall(order.change, on: Terms(id: order.id, revision: order.revision))
    do {
      let sent = try VarlinkCall(reading: call.message)
      try check(sent == call, "\(call) became \(sent)")
    } catch let error as Broken {
      throw error
    } catch { throw Broken(description: "\(order): \(error)") }
    var isComplete = false
    handler.perform(order.change) { _ in isComplete = true }
    try check(isComplete, "\(order) is not completed")
  }
}
