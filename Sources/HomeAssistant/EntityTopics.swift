// SPDX-License-Identifier: Apache-2.0

/// The topics of a board.
package struct EntityTopics: Hashable, Sendable {
  /// The name of the board: letters, digits, `-` and `_`.
  package let board: String
  /// Home Assistant's discovery prefix.
  package let prefix: String

  package init(board: String, prefix: String = "homeassistant") {
    self.board = board
    self.prefix = prefix
  }

  /// A name as one level of a topic. Characters other than letters, digits, `-` and `_` are replaced by `-`.
  package static func level(_ name: String) -> String {
    var level = ""
    for scalar in name.unicodeScalars.prefix(64) { level.append(isPlain(scalar) ? Character(scalar) : "-") }
    return level.isEmpty ? "wall" : level
  }

  /// Whether an id from the daemon can be a part of a topic.
  static func isLevel(_ id: String) -> Bool {
    (1...64).contains(id.utf8.count) && id.unicodeScalars.allSatisfy(isPlain)
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "A"..."Z", "a"..."z", "0"..."9", "-", "_": true
    default: false
    }
  }

  private var base: String { "flipclock/\(board)" }

  /// `online` or `offline`, retained; the broker publishes `offline` when the connection ends.
  package var availability: String { "\(base)/availability" }
  /// The match, retained.
  package var state: String { "\(base)/state" }
  /// What the display shows beside the match, retained.
  package var display: String { "\(base)/display" }
  /// Commands for the wall.
  package var command: String { "\(base)/command" }
  /// The results of commands.
  package var result: String { "\(base)/result" }

  /// The value of an entity, retained.
  package func value(_ object: String) -> String { "\(base)/entity/\(object)/state" }
  /// The topic on which an entity is set.
  package func control(_ object: String) -> String { "\(base)/entity/\(object)/set" }
  /// The filters for the values and the controls of all entities.
  package var values: String { value("+") }
  package var controls: String { control("+") }

  /// What is set by name on a topic of its own. A message may be retained there.
  package enum Target: Hashable, Sendable {
    /// The text of a board.
    case board(String)
    case countdown(String)
  }

  /// The filters for the topics of all targets.
  package var targets: [String] { ["board", "countdown"].map { "\(base)/\($0)/+/set" } }

  /// What is set on a topic; nil: it is another topic.
  package func target(ofTopic topic: String) -> Target? {
    id(in: topic, of: "board").map { .board($0) } ?? id(in: topic, of: "countdown").map { .countdown($0) }
  }

  /// The object of a control's topic; nil: it is another topic.
  func object(ofControl topic: String) -> String? { id(in: topic, of: "entity") }

  /// The id in the topic on which something of a kind is set; nil: it is another topic.
  private func id(in topic: String, of kind: String) -> String? {
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
    guard levels.count == 5, levels[4] == "set", topic.hasPrefix("\(base)/\(kind)/") else { return nil }
    return String(levels[3])
  }

  /// The name of the device in Home Assistant.
  package var node: String { "flipclock_\(board)" }
  package func config(_ component: String, _ object: String) -> String {
    "\(prefix)/\(component)/\(node)/\(object)/config"
  }
  /// The filter for the configs of all entities of the board.
  package var configs: String { config("+", "+") }
  /// Where Home Assistant announces that it has started.
  package var status: String { "\(prefix)/status" }
}
