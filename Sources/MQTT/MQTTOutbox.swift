// SPDX-License-Identifier: Apache-2.0

/// The messages that wait to be sent. Of the retained messages of a topic only the latest waits, because it
/// is the only one that a later subscriber would see. The number of messages is limited, even if the broker
/// does not read.
struct MQTTOutbox {
  enum Acceptance: Hashable {
    case queued
    /// An older message was dropped for it.
    case displaced
    /// There are too many topics with retained messages.
    case refused
  }

  /// The maximum number of messages that are sent and not acknowledged yet.
  static let maximumUnacknowledged = 16
  private static let maximumRetained = 2_000
  private static let maximumOthers = 64

  private enum Entry {
    case retained(topic: String)
    case other(MQTTMessage)
  }

  private var order: [Entry] = []
  /// The index of the first entry in `order` that has not been taken.
  private var start = 0
  /// The payloads of the retained messages that wait, by their topics.
  private var retained: [String: [UInt8]] = [:]
  private var others = 0
  /// The topics of the messages that are sent and not acknowledged, by their numbers.
  private var unacknowledged: [Int32: String] = [:]

  var count: Int { order.count - start }

  mutating func append(_ message: MQTTMessage) -> Acceptance {
    if message.isRetained {
      if retained.updateValue(message.payload, forKey: message.topic) != nil { return .queued }
      guard retained.count <= Self.maximumRetained else {
        retained[message.topic] = nil
        return .refused
      }
      order.append(.retained(topic: message.topic))
      return .queued
    }
    order.append(.other(message))
    others += 1
    guard others > Self.maximumOthers else { return .queued }
    let oldest = order[start...].firstIndex { if case .other = $0 { true } else { false } }
    if let oldest {
      order.remove(at: oldest)
      others -= 1
    }
    return .displaced
  }

  /// Takes the next message; nil if there is none, or if too many are not acknowledged.
  mutating func next() -> MQTTMessage? {
    guard unacknowledged.count < Self.maximumUnacknowledged, start < order.count else { return nil }
    let entry = order[start]
    start += 1
    if start == order.count || start >= 256 {
      order.removeFirst(start)
      start = 0
    }
    switch entry {
    case .retained(let topic):
      return MQTTMessage(topic, retained.removeValue(forKey: topic) ?? [], isRetained: true)
    case .other(let message):
      others -= 1
      return message
    }
  }

  /// Records that a message was sent under this number.
  mutating func sent(_ number: Int32, topic: String) { unacknowledged[number] = topic }

  /// - Returns: the topic of the message.
  @discardableResult
  mutating func acknowledged(_ number: Int32) -> String? { unacknowledged.removeValue(forKey: number) }
}
