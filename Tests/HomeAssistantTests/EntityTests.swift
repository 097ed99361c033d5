// SPDX-License-Identifier: Apache-2.0

import JSON
import Scoreboard
import Testing

@testable import HomeAssistant

@Suite struct EntityTests {
  @Test("A number's config is complete")
  func number() throws {
    let wall = makeWall(health: Health(version: "1.2.3"))
    let score = try #require(wall.entities.first { $0.object == "home_score" })
    let config = score.config(topics, device: "Hall 1", version: "1.2.3").text
    #expect(
      config == """
        {"availability_topic":"flipclock/hall/availability",\
        "command_template":\(JSONValue.string(Entity.commandTemplate).text),\
        "command_topic":"flipclock/hall/entity/home_score/set",\
        "default_entity_id":"number.flipclock_hall_home_score",\
        "device":{"identifiers":["flipclock_hall"],"manufacturer":"flipclock","model":"Split-flap display",\
        "name":"Hall 1","sw_version":"1.2.3"},"icon":"mdi:scoreboard","max":999,"min":0,"mode":"box",\
        "name":"HOME score","object_id":"flipclock_hall_home_score","origin":{"name":"flipclock-mqtt"},\
        "state_topic":"flipclock/hall/entity/home_score/state","step":1,"unique_id":"flipclock_hall_home_score"}
        """)
  }

  @Test("In every game, entities, topics and values fit together", arguments: GameRules.Preset.allCases)
  func consistency(preset: GameRules.Preset) throws {
    let wall = makeWall(preset, health: Health(version: "1"))
    let entities = wall.entities
    #expect(Set(entities.map(\.object)).count == entities.count)
    let values = wall.values(at: wall.matchInstant)
    var valued: Set<String> = []
    var controlled: Set<String> = []
    for entity in entities {
      #expect(EntityTopics.isLevel(entity.object), "\(entity.object)")
      #expect(!entity.name.isEmpty)
      let config = entity.config(topics, device: "Hall", version: nil)
      #expect(try JSONReader.read(config.bytes) == config)
      for (key, value) in try #require(config.object) where key.hasSuffix("_topic") {
        let topic = try #require(value.string)
        let object = topic.split(separator: "/").dropLast().last.map(String.init) ?? ""
        if key.hasSuffix("command_topic") {
          #expect(topics.object(ofControl: topic) == object)
          #expect(entity.controls[object] != nil, "\(topic)")
          controlled.insert(object)
        } else if key != "availability_topic" {
          #expect(topic == topics.value(object) && values[object] != nil, "\(topic)")
          valued.insert(object)
        }
      }
      #expect(entity.component != .button || config["state_topic"] == nil)
      #expect(entity.component == .sensor || entity.component == .binarySensor || !entity.controls.isEmpty)
    }
    #expect(valued == Set(values.keys))
    #expect(controlled == Set(entities.flatMap(\.controls.keys)))
    #expect(values.values.allSatisfy { !$0.isEmpty })
  }

  private func objects(_ wall: WallReport) -> Set<String> { Set(wall.entities.map(\.object)) }

  @Test("The entities follow the rules")
  func rules() {
    let basketball = objects(makeWall(.basketball))
    for object in [
      "home_score", "guest_plus_3", "home_minus_1", "clock", "clock_time", "clock_reset", "shot_clock",
      "shot_clock_reset", "shot_clock_reset_14", "period", "period_name", "undo", "redo", "light", "page",
      "message", "message_clear", "message_preset", "version", "problem",
    ] {
      #expect(basketball.contains(object), "\(object)")
    }
    let volleyball = objects(makeWall(.volleyball))
    #expect(
      volleyball.isDisjoint(with: ["shot_clock", "shot_clock_time", "shot_clock_reset", "home_plus_2"]))
    #expect(volleyball.isSuperset(of: ["home_plus_1", "home_minus_1", "period", "guest_winning_point"]))
    #expect(basketball.isDisjoint(with: ["home_winning_point"]))
    #expect(basketball.isSuperset(of: ["home_time_out", "interval", "half_time", "warm_up", "break_end"]))
    #expect(volleyball.isSuperset(of: ["guest_time_out", "interval", "break", "break_time"]))
    #expect(volleyball.isDisjoint(with: ["half_time"]))
    // In darts the numbers less than 0 are turns.
    let darts = makeWall(.darts)
    #expect(darts.match.countsDown == true)
    #expect(
      objects(darts).filter { $0.hasPrefix("home_minus") }.count
        == darts.match.increments.count { $0 < 0 })
  }

  @Test("Names from the daemon stay text, and ids that cannot be a level of a topic are left out")
  func hostileNames() throws {
    var wall = makeWall()
    wall.match.teams[0].name = "\"},{{ states('x') }}\u{202e}"
    wall.match.teams[1].id = "a/+/#"
    wall.display.name = "\"}\n"
    wall.display.messages = ["{{ 7 * 7 }}", "\\"]
    var announcement = Announcement(topics, discovers: true)
    let messages = announcement.messages(of: wall, at: 0, matchTime: 0)
    for (topic, payload) in messages {
      #expect(!topic.contains("+") && !topic.contains("#") && topic.split(separator: "/").count <= 5)
      if topic.hasSuffix("/config") {
        let config = try JSONReader.read(Array(payload.utf8))
        for (key, value) in try #require(config.object) where key.hasSuffix("template") {
          #expect(["{{ value_json.text }}", Entity.commandTemplate].contains(value.string))
        }
      }
    }
    #expect(!messages.keys.contains { $0.contains("a/") })
  }

  @Test("A board's name is one level of a topic")
  func names() {
    #expect(EntityTopics.level("hall-1") == "hall-1")
    #expect(EntityTopics.level("Große Halle/+#") == "Gro-e-Halle---")
    #expect(EntityTopics.level("") == "wall")
    #expect(EntityTopics.level(String(repeating: "x", count: 300)).count == 64)
    for id in ["", "a/b", "+", "#", "a b", "ä", String(repeating: "x", count: 65)] {
      #expect(!EntityTopics.isLevel(id), "\(id)")
    }
    let other = EntityTopics(board: "x", prefix: "ha/y")
    #expect(other.config("light", "z") == "ha/y/light/flipclock_x/z/config")
    #expect(topics.object(ofControl: "flipclock/hall/entity/a/set") == "a")
    for topic in [
      "flipclock/hall/entity/a/state", "flipclock/other/entity/a/set", "flipclock/hall/entity/a/b/set",
      "flipclock/hall/entity/set", "", "////",
    ] {
      #expect(topics.object(ofControl: topic) == nil, "\(topic)")
    }
  }
}
