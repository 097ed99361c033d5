// SPDX-License-Identifier: Apache-2.0

import JSON
import Scoreboard

/// What a control of an entity does with its payload.
package enum ControlMeaning: Hashable, Sendable {
  case setScore(team: String)
  case addScore(team: String, points: Int)
  case undo
  case endMatch
  case redo
  /// `ON` or `OFF`.
  case runTimer(GameTimer.ID)
  case resetTimer(GameTimer.ID)
  /// Resets the shot clock to the config's `shot-clock-second`, given in milliseconds.
  case resetShot(Int)
  case startBreak(GameBreak.Kind)
  case endBreak
  case setPeriod
  case message
  case clearMessage
  case preset
  case page
  /// The text of a board.
  case board(String)
  /// The words after the name of a countdown, such as `15:00`.
  case countdown(String)
  /// `ON` or `OFF`.
  case runCountdown(String)
  case clearCountdown(String)
  /// `ON` or `OFF`.
  case power
  case brightness
}

/// An entity in Home Assistant.
package struct Entity: Hashable, Sendable {
  package enum Component: String, Hashable, Sendable {
    case binarySensor = "binary_sensor"
    case button
    case light
    case number
    case select
    case sensor
    case `switch`
    case text
  }

  package var component: Component
  /// The entity's id within the board.
  package var object: String
  /// The name for people.
  package var name: String
  /// The members of the config that only some entities have, as in Home Assistant's documentation.
  package var settings: [String: JSONValue] = [:]
  /// Whether the value `OBJECT_details` has its attributes.
  package var hasDetails = false
  /// What the entity's controls do, by their objects. The control of the entity itself has the key `object`.
  package var controls: [String: ControlMeaning] = [:]

  /// The object of a light's brightness, which has a value and a control of its own.
  static let brightness = "light_brightness"
}

extension Entity {
  /// Home Assistant renders this when a person uses a control. A template does not know which Home Assistant
  /// renders it, so several of them count as one sender.
  static let commandTemplate = """
    {"value":{{ value|to_json }},"id":"{{ now().timestamp() }}-{{ range(100000)|random }}",\
    "time":{{ (now().timestamp()*1000)|int }},"sender":"home-assistant"}
    """

  /// The config for MQTT discovery.
  ///
  /// - Parameters:
  ///   - device: the wall's name.
  ///   - version: the daemon's, if it is known.
  package func config(_ topics: EntityTopics, device: String, version: String?) -> JSONValue {
    var members = settings
    members["name"] = .string(name)
    members["unique_id"] = .string("\(topics.node)_\(object)")
    // Home Assistant makes the entity's id from these members and not from the names, which may change. It
    // reads `object_id` before 2026.4, and `default_entity_id` since 2025.10.
    let id = "\(topics.node)_\(object)".lowercased().map { $0 == "-" ? "_" : String($0) }.joined()
    members["object_id"] = .string(id)
    members["default_entity_id"] = .string("\(component.rawValue).\(id)")
    members["availability_topic"] = .string(topics.availability)
    if component != .button { members["state_topic"] = .string(topics.value(object)) }
    if controls[object] != nil {
      members["command_topic"] = .string(topics.control(object))
      // A light ignores it, and so does a switch before Home Assistant 2024.8: their payloads stay plain.
      members["command_template"] = .string(Self.commandTemplate)
    }
    if component == .light {
      members["brightness_state_topic"] = .string(topics.value(Self.brightness))
      members["brightness_command_topic"] = .string(topics.control(Self.brightness))
      members["brightness_command_template"] = .string(Self.commandTemplate)
      members["brightness_scale"] = .integer(100)
    }
    if hasDetails {
      members["json_attributes_topic"] = .string(topics.value("\(object)_details"))
    }
    var wall: [String: JSONValue] = [
      "identifiers": .array([.string(topics.node)]), "name": .string(device),
      "manufacturer": .string("flipclock"), "model": .string("Split-flap display"),
    ]
    if let version { wall["sw_version"] = .string(version) }
    members["device"] = .object(wall)
    members["origin"] = .object(["name": .string("flipclock-mqtt")])
    return .object(members)
  }
}
