// SPDX-License-Identifier: Apache-2.0

/// A message to publish.
package struct MQTTMessage: Hashable, Sendable {
  package var topic: String
  package var payload: [UInt8]
  /// Whether the broker keeps the message for later subscribers, in place of the topic's previous one. An
  /// empty payload removes the previous one.
  package var isRetained: Bool

  package init(_ topic: String, _ payload: [UInt8], isRetained: Bool = false) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
  }

  package init(_ topic: String, _ text: String, isRetained: Bool = false) {
    self.init(topic, Array(text.utf8), isRetained: isRetained)
  }
}

/// A message that was received.
package struct MQTTDelivery: Hashable, Sendable {
  package var topic: String
  /// Empty if the message has more than `MQTTOptions.maximumPayload` bytes.
  package var payload: [UInt8]
  /// The number of bytes that were received.
  package var length: Int
  /// Whether the broker had kept the message from before the subscription. With a subscription to live
  /// messages, whether the message was published as retained.
  package var isRetained: Bool

  package init(_ topic: String, _ payload: [UInt8], isRetained: Bool = false, length: Int? = nil) {
    self.topic = topic
    self.payload = payload
    self.length = length ?? payload.count
    self.isRetained = isRetained
  }

  /// Whether the message is longer than accepted.
  package var isOversized: Bool { length > payload.count }
}
