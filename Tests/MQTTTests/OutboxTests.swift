// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MQTT

@Suite struct OutboxTests {
  private func drain(_ outbox: inout MQTTOutbox) -> [MQTTMessage] {
    var messages: [MQTTMessage] = []
    while let message = outbox.next() { messages.append(message) }
    return messages
  }

  @Test("Of the retained messages of a topic only the latest is sent")
  func coalescing() {
    var outbox = MQTTOutbox()
    for (topic, text) in [("a", "1"), ("b", "2"), ("a", "3")] {
      #expect(outbox.append(MQTTMessage(topic, text, isRetained: true)) == .queued)
    }
    #expect(outbox.count == 2)
    #expect(
      drain(&outbox) == [MQTTMessage("a", "3", isRetained: true), MQTTMessage("b", "2", isRetained: true)])
    #expect(outbox.append(MQTTMessage("a", "4", isRetained: true)) == .queued)
    #expect(drain(&outbox) == [MQTTMessage("a", "4", isRetained: true)])
  }

  @Test("Other messages are sent in their order; if there are too many, the oldest are dropped")
  func others() {
    var outbox = MQTTOutbox()
    #expect(outbox.append(MQTTMessage("kept", "x", isRetained: true)) == .queued)
    for number in 0..<64 { #expect(outbox.append(MQTTMessage("r", "\(number)")) == .queued) }
    for number in 64..<100 { #expect(outbox.append(MQTTMessage("r", "\(number)")) == .displaced) }
    let messages = drain(&outbox)
    #expect(messages.first == MQTTMessage("kept", "x", isRetained: true))
    #expect(messages.dropFirst().map(\.payload) == (36..<100).map { Array("\($0)".utf8) })
  }

  @Test("The number of topics is limited")
  func topics() {
    var outbox = MQTTOutbox()
    for number in 0..<2_000 {
      #expect(outbox.append(MQTTMessage("t\(number)", "x", isRetained: true)) == .queued)
    }
    #expect(outbox.append(MQTTMessage("more", "x", isRetained: true)) == .refused)
    #expect(outbox.append(MQTTMessage("t7", "y", isRetained: true)) == .queued)
    #expect(outbox.count == 2_000)
    #expect(drain(&outbox).count == 2_000)
    #expect(outbox.append(MQTTMessage("more", "x", isRetained: true)) == .queued)
  }

  @Test("Sending pauses while too many messages are not acknowledged")
  func window() {
    var outbox = MQTTOutbox()
    for number in 0..<40 { _ = outbox.append(MQTTMessage("t\(number)", "x", isRetained: true)) }
    var sent: Int32 = 0
    while let message = outbox.next() {
      sent += 1
      outbox.sent(sent, topic: message.topic)
    }
    #expect(sent == Int32(MQTTOutbox.maximumUnacknowledged) && outbox.count == 24)
    #expect(outbox.acknowledged(1) == "t0")
    #expect(outbox.acknowledged(1) == nil && outbox.acknowledged(999) == nil)
    #expect(outbox.next() != nil)
    outbox.sent(100, topic: "t16")
    #expect(outbox.next() == nil)
  }
}
