// SPDX-License-Identifier: Apache-2.0

import JSON

/// The retained messages that describe a wall. The configs of its entities are written again only when they
/// change.
package struct Announcement: Hashable, Sendable {
  private struct Announced: Hashable {
    var entities: [Entity]
    var device: String
    var version: String?
  }

  private let topics: EntityTopics
  /// Whether the entities are announced to Home Assistant.
  private let discovers: Bool
  private var announced: Announced?
  private var configs: [String: String] = [:]

  package init(_ topics: EntityTopics, discovers: Bool) {
    self.topics = topics
    self.discovers = discovers
  }

  /// The payloads by their topics.
  ///
  /// - Parameters:
  ///   - now: nanoseconds of CLOCK_BOOTTIME.
  ///   - matchTime: when the match was received, in milliseconds since 1970.
  package mutating func messages(of wall: WallReport, at now: Int64, matchTime: Int64) -> [String: String] {
    if discovers { announce(wall) }
    var messages = configs
    for (object, value) in wall.values(at: now) { messages[topics.value(object)] = value }
    if let match = try? JSONValue(encoding: wall.match) {
      messages[topics.state] =
        JSONValue.object([
          "match": match, "revision": .integer(Int64(wall.match.revision)), "time": .integer(matchTime),
        ]).text
    }
    if let display = try? JSONValue(encoding: wall.display) { messages[topics.display] = display.text }
    return messages
  }

  private mutating func announce(_ wall: WallReport) {
    let current = Announced(
      entities: wall.entities, device: wall.display.name, version: wall.health?.version)
    guard announced != current else { return }
    announced = current
    configs = [:]
    for entity in current.entities {
      let config = entity.config(topics, device: current.device, version: current.version)
      configs[topics.config(entity.component.rawValue, entity.object)] = config.text
    }
  }
}

/// The retained messages that were published, so that only what has changed is published again.
package struct Published: Hashable, Sendable {
  private var payloads: [String: String] = [:]

  package init() {}

  /// Whether a message on this topic was published and not removed.
  package func contains(_ topic: String) -> Bool { payloads[topic] != nil }

  /// Replaces all messages.
  ///
  /// - Returns: what to publish, configs first and then by topic. An empty payload removes a message.
  package mutating func replace(by messages: [String: String]) -> [(topic: String, payload: String)] {
    let removed = payloads.keys.filter { messages[$0] == nil }.map { (topic: $0, payload: "") }
    let changed = messages.filter { payloads[$0.key] != $0.value }.map { (topic: $0.key, payload: $0.value) }
    payloads = messages
    // An entity is announced before its value, and its config is removed before its value.
    func isConfig(_ topic: String) -> Bool { topic.hasSuffix("/config") }
    return (removed + changed).sorted {
      (isConfig($0.topic) ? 0 : 1, $0.topic) < (isConfig($1.topic) ? 0 : 1, $1.topic)
    }
  }

  /// Replaces some messages.
  package mutating func update(_ messages: [String: String]) -> [(topic: String, payload: String)] {
    replace(by: payloads.merging(messages) { _, new in new })
  }
}
