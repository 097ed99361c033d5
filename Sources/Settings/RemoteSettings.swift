// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import TOMLConfig

/// `[remote]`: what the wall offers to phones and other remote controls.
package struct RemoteSettings: Hashable, Sendable {
  /// The wall's name for people; nil: the host name.
  package var name: String?
  /// Messages to choose from.
  package var messages: [String] = []
  /// The host name or IP address under which phones reach the machine; nil: its own address.
  package var address: String?
  package var port = 8080
  /// Whether the displays always show a code while no phone is paired as owner.
  package var showsSetUp = false

  package init() {}
}

extension Section where Target == RemoteSettings {
  static var remote: Section {
    Section(
      title: "remote",
      text: """
        What the display offers to remote controls: the scorer's page of flipclock-web and Home Assistant by
        flipclock-mqtt. Both are packages of their own.
        """,
      keys: [
        Key(
          "name", \.name, .name(maximum: 40),
          "The display's name on remote controls. Without it, it is the machine's host name.",
          example: "\"Hall 1\""),
        Key(
          "messages", \.messages, .messages,
          "Messages that remote controls offer, up to 12.",
          example: "[\"TIME OUT\", \"BACK AT 15:00\"]"),
        Key(
          "address", \.address, .host,
          """
          The host name or IP address that `flipclockctl remote` shows to phones. Without it, it is the machine's
          address in the network of its default route.
          """,
          example: "\"scores.example.org\""),
        Key(
          "port", \.port, .integer(in: 1...65_535),
          "The port of flipclock-web, which `flipclockctl remote` shows to phones."),
        Key(
          "set-up", \.showsSetUp, .boolean,
          """
          Whether the display always shows a code while no phone is paired as owner: the phone that scans it becomes
          one.
          """),
      ])
  }
}

extension ValueKind where Value == [String] {
  /// Up to 12 texts, each as long as a message.
  static var messages: ValueKind {
    let message = ValueKind<String>.name(maximum: ShownText.messageLimit)
    return ValueKind(
      shape: .array(of: message.shape, count: 0...12, isUnique: true),
      read: { node, place, report in
        let texts = node.elements(
          0...12, "an array of texts", "must have at most 12 texts", hint: "write [\"TIME OUT\"]", place,
          &report
        ) { message.read($0, place, &$1) }
        return texts?.reduce(into: []) { texts, text in if !texts.contains(text) { texts.append(text) } }
      }, write: { Units.array($0) })
  }
}
