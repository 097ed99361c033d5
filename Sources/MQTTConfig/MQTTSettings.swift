// SPDX-License-Identifier: Apache-2.0

import TOMLConfig

/// The config of flipclock-mqtt.
package struct MQTTSettings: Hashable, Sendable {
  /// `[broker]`: how to reach the broker.
  package struct Broker: Hashable, Sendable {
    /// Nil: no connection is made.
    package var host: String?
    /// Nil: the usual port, with or without TLS.
    package var port: Int?
    package var tls = false
    // Paths of files.
    package var ca: String?
    package var certificate: String?
    package var key: String?
    package var username: String?
    package var password: Secret?
    /// Nil: `flipclock-` and the board's name.
    package var clientID: String?

    package var effectivePort: Int { port ?? (tls ? 8883 : 1883) }
  }

  /// `[board]`: the topics of this wall, and what is published there.
  package struct Board: Hashable, Sendable {
    /// The part of the topics that names the board; nil: the host name.
    package var name: String?
    /// How often the times of running clocks are published, in seconds; 0: only with other changes.
    package var clockInterval = 1.0
    /// How often the daemon's cost and problems are read and published, in seconds; 0: only when the daemon
    /// is connected.
    package var healthInterval = 300.0
  }

  /// `[home-assistant]`
  package struct HomeAssistant: Hashable, Sendable {
    package var discovery = true
    package var prefix = "homeassistant"
    /// How long a message is shown, in seconds; 0: until it is cleared.
    package var messageTime = 60.0
  }

  package var broker = Broker()
  package var board = Board()
  package var homeAssistant = HomeAssistant()

  package init() {}
}

extension Section where Target == MQTTSettings.Broker {
  static var broker: Section {
    Section(
      title: "broker",
      text: "The MQTT broker, such as mosquitto or the one in Home Assistant.",
      keys: [
        Key(
          "host", \.host, .host,
          "The broker's host name or IP address. Without it, flipclock-mqtt connects with none.",
          example: "\"localhost\""),
        Key(
          "port", \.port, .integer(in: 1...65_535),
          "The broker's port. Without it, it is 1883, or 8883 with `tls`.", example: "1883"),
        Key(
          "tls", \.tls, .boolean,
          "Whether the connection is encrypted, and the broker's certificate checked."),
        Key(
          "ca", \.ca, .readableFile,
          """
          The file with the certificates of the authorities that may sign the broker's certificate. Without it, they are
          the system's.
          """, example: "\"/etc/flipclock/broker-ca.pem\""),
        Key(
          "certificate", \.certificate, .readableFile,
          "The file with the certificate of this client, if the broker asks for one.",
          example: "\"/etc/flipclock/client.pem\""),
        Key(
          "key", \.key, .privateFile,
          "The file with the key of `certificate`, without a password. Other users must not be able to read it.",
          example: "\"/etc/flipclock/client.key\""),
        Key(
          "username", \.username, .text(maximum: 128), "The user's name at the broker.", example: "\"wall\""),
        Key(
          "password-file", \.password, .secret,
          "The file whose only line is the user's password. Other users must not be able to read it.",
          example: "\"/etc/flipclock/mqtt-password\""),
        Key(
          "client-id", \.clientID, .clientID,
          """
          The name of the connection; each client of a broker needs its own. Without it, it is `flipclock-` and the name
          of the board.
          """, example: "\"flipclock-hall-1\""),
      ])
  }
}

extension Section where Target == MQTTSettings.Board {
  static var board: Section {
    Section(
      title: "board",
      text: "The topics of this display, which begin with `flipclock/NAME/`.",
      keys: [
        Key(
          "name", \.name, .topicLevel,
          """
          NAME in the topics: letters, digits, `-` and `_`. Without it, it is the machine's host name. In Home Assistant,
          a wall with a new name is a new device; to remove the old one, start once with `discovery = false` before the
          name is changed.
          """,
          example: "\"hall-1\""),
        Key(
          "clock-interval", \.clockInterval, .duration(maximum: 60, sensible: 1),
          """
          How often the times of running clocks are published, at least `"1s"`. With `"0s"` they are published only
          together with other changes.
          """),
        Key(
          "health-interval", \.healthInterval, .duration(maximum: 86_400, sensible: 60),
          """
          How often the daemon's use of processor and memory and its problems are published, at least `"10s"`. With
          `"0s"` they are read only when the connection to the daemon begins.
          """),
      ])
  }
}

extension Section where Target == MQTTSettings.HomeAssistant {
  static var homeAssistant: Section {
    Section(
      title: "home-assistant",
      text: "The entities in Home Assistant, which finds them by MQTT discovery.",
      keys: [
        Key(
          "discovery", \.discovery, .boolean,
          "Whether entities are announced. `false` also removes those that were announced before."),
        Key(
          "prefix", \.prefix, .topic,
          "The discovery prefix that is set in Home Assistant's MQTT integration."),
        Key(
          "message-time", \.messageTime, .duration(maximum: 86_400, sensible: 10),
          """
          How long a message from Home Assistant is shown. With `"0s"` it stays until it is cleared, or replaced by
          another.
          """),
      ])
  }
}

extension ValueKind where Value == String {
  /// One level of an MQTT topic.
  static var topicLevel: ValueKind {
    form(
      pattern: "^[A-Za-z0-9_-]{1,64}$", maximum: 64, example: "hall-1", "the name of a board",
      hint: "write letters, digits, '-' and '_', such as \"hall-1\""
    ) { $0.isWord(1...64, also: "_-") }
  }

  /// Some levels of an MQTT topic.
  static var topic: ValueKind {
    form(
      pattern: "^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$", maximum: 64, example: "homeassistant",
      "the beginning of a topic",
      hint: "write \"homeassistant\""
    ) { text in
      text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
        $0.isWord(1...64, also: "_-")
      }
    }
  }

  /// The name of an MQTT client.
  static var clientID: ValueKind {
    form(
      pattern: "^[A-Za-z0-9._:-]{1,64}$", maximum: 64, example: "hall-1", "the name of an MQTT client",
      hint: "write letters, digits, '-', '_', '.' and ':'"
    ) { $0.isWord(1...64, also: "._:-") }
  }
}
