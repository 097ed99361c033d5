// SPDX-License-Identifier: Apache-2.0

import BrokerDouble
import LinuxSystem
import TestSupport
import Testing

@testable import MQTT

@Suite(.serialized) struct ClientTests {
  let loop: EventLoop
  let broker: BrokerDouble

  init() throws {
    loop = try EventLoop()
    broker = try BrokerDouble(on: loop)
  }

  private final class Record {
    var events: [MQTTClient.Event] = []
    var failures: [MQTTFailure] {
      events.compactMap { if case .disconnected(let failure) = $0 { failure } else { nil } }
    }
    var deliveries: [MQTTDelivery] {
      events.compactMap { if case .received(let delivery) = $0 { delivery } else { nil } }
    }
  }

  private func options() -> MQTTOptions {
    var options = MQTTOptions(host: "127.0.0.1", port: broker.port, clientID: "test")
    options.backoff = MQTTBackoff(first: 1_000_000, longest: 4_000_000)
    options.connectTimeout = 5
    return options
  }

  private func client(_ options: MQTTOptions) throws -> (MQTTClient, Record) {
    let client = try MQTTClient(options, on: loop)
    let record = Record()
    client.happened = { record.events.append($0) }
    client.start()
    return (client, record)
  }

  /// Runs the loop until the condition holds.
  private func wait(_ what: Comment, _ condition: () -> Bool) throws {
    try #require(try loop.turn(until: condition), what)
  }

  @Test("The CONNECT packet has the options")
  func connecting() throws {
    broker.accept()
    var options = options()
    options.username = "wall"
    options.password = "secret"
    options.will = MQTTMessage("gone", "offline", isRetained: true)
    let (client, record) = try client(options)
    try wait("connected") { client.isConnected }
    #expect(record.events == [.connected])
    let connect = try #require(broker.packets.first)
    let body = String(decoding: connect.body, as: UTF8.self)
    #expect(body.contains("MQTT") && connect.body[6] == 5)
    // Clean start, a retained will with QoS 1, a user and a password.
    #expect(connect.body[7] == 0b1110_1110)
    #expect(Array(connect.body[8...9]) == [0, 30])
    for word in ["test", "gone", "offline", "wall", "secret"] { #expect(body.contains(word)) }
    client.close()
    #expect(!client.isConnected)
    try wait("farewell") { broker.packets.last?.type == 14 }
    // The broker is asked to publish the will.
    #expect(broker.packets.last?.body.first == 4)
  }

  @Test("Messages are delivered with their topic, payload, retain flag and length")
  func receiving() throws {
    broker.accept()
    var options = options()
    options.maximumPayload = 16 * 1024
    let (client, record) = try client(options)
    try wait("connected") { client.isConnected }
    client.subscribe("a/+")
    try wait("subscribed") { broker.packets.contains { $0.type == 8 } }
    let long = [UInt8](repeating: 7, count: options.maximumPayload + 1)
    broker.send(
      BrokerDouble.message("a/1", Array("x".utf8)) + BrokerDouble.message("a/2", [], isRetained: true)
        + BrokerDouble.message("a/3", long) + BrokerDouble.message("a/4", Array(long.dropLast())))
    try wait("messages") { record.deliveries.count == 4 }
    // Not `==` in the expectation, which would print the payloads.
    let isRight =
      record.deliveries == [
        MQTTDelivery("a/1", Array("x".utf8)), MQTTDelivery("a/2", [], isRetained: true),
        MQTTDelivery("a/3", [], length: long.count), MQTTDelivery("a/4", Array(long.dropLast())),
      ]
    #expect(isRight)
    #expect(record.deliveries.map(\.isOversized) == [false, false, true, false])
    _ = client
  }

  @Test("Many messages that are sent at once all arrive")
  func burst() throws {
    broker.accept()
    let (client, record) = try client(options())
    try wait("connected") { client.isConnected }
    broker.send((0..<300).flatMap { BrokerDouble.message("n", Array("\($0)".utf8)) })
    try wait("messages") { record.deliveries.count == 300 }
    #expect(record.deliveries.map(\.payload) == (0..<300).map { Array("\($0)".utf8) })
    _ = client
  }

  @Test("A message that arrives byte by byte is complete")
  func fragments() throws {
    broker.accept()
    let (client, record) = try client(options())
    try wait("connected") { client.isConnected }
    for byte in BrokerDouble.message("topic", Array("payload".utf8)) {
      broker.send([byte])
      for _ in 0..<3 { try loop.turn(timeoutMilliseconds: 1) }
    }
    try wait("a message") { !record.deliveries.isEmpty }
    #expect(record.deliveries == [MQTTDelivery("topic", Array("payload".utf8))])
    _ = client
  }

  @Test("Published messages are sent with QoS 1, and at most 16 without an acknowledgement")
  func publishing() throws {
    broker.accept()
    let accepting = broker.answer
    broker.answer = { $0.type == 3 ? [] : accepting($0) }
    let (client, _) = try client(options())
    #expect(!client.publish(MQTTMessage("a", "early")))
    try wait("connected") { client.isConnected }
    for number in 0..<40 { #expect(client.publish(MQTTMessage("t/\(number)", "x", isRetained: true))) }
    try wait("sent") { broker.packets.count { $0.type == 3 } == 16 }
    for _ in 0..<5 { try loop.turn(timeoutMilliseconds: 5) }
    let sent = broker.packets.filter { $0.type == 3 }
    #expect(sent.count == 16 && sent.allSatisfy { $0.head == 0x33 })
    broker.answer = accepting
    for packet in sent { broker.send(accepting(packet)) }
    try wait("the rest") { broker.packets.count { $0.type == 3 } == 40 }
  }

  @Test("Changes of a topic in one turn are one message")
  func coalescing() throws {
    broker.accept()
    let (client, _) = try client(options())
    try wait("connected") { client.isConnected }
    for number in 0..<50 { client.publish(MQTTMessage("score", "\(number)", isRetained: true)) }
    try wait("sent") { broker.packets.contains { $0.type == 3 } }
    for _ in 0..<5 { try loop.turn(timeoutMilliseconds: 5) }
    let sent = broker.packets.filter { $0.type == 3 }
    #expect(sent.count == 1 && sent.first?.body.suffix(2) == Array("49".utf8)[...])
  }

  @Test("A message that the protocol does not allow is dropped, and the connection stays")
  func invalid() throws {
    broker.accept()
    let (client, record) = try client(options())
    try wait("connected") { client.isConnected }
    client.publish(MQTTMessage("a/+/b", "x"))
    client.publish(MQTTMessage("", "x"))
    client.publish(MQTTMessage("good", "x"))
    try wait("sent") { broker.packets.contains { $0.type == 3 } }
    #expect(client.isConnected && client.dropped == 2 && record.failures.isEmpty)
  }

  @Test("Refusals of the broker are reported")
  func refusals() throws {
    broker.accept()
    let accepting = broker.answer
    broker.answer = { packet in
      switch packet.type {
      case 3: return [0x40, 4] + accepting(packet).suffix(2) + [0x87, 0]
      case 8: return [0x90, 4, packet.body[0], packet.body[1], 0, 0x87]
      default: return accepting(packet)
      }
    }
    let (client, record) = try client(options())
    try wait("connected") { client.isConnected }
    client.subscribe("secret/#")
    client.publish(MQTTMessage("forbidden", "x"))
    try wait("refusals") { record.events.count == 3 }
    #expect(
      Set(record.events.dropFirst()) == [
        .subscriptionRefused("secret/#"), .publishingRefused(topic: "forbidden"),
      ])
    #expect(client.isConnected)
  }

  @Test(
    "A refused connection is reported with the reason, and tried again",
    arguments: [
      (0x86, "wrong 'username' or password"), (0x87, "may not connect"), (0x85, "'client-id'"),
      (0x88, "server unavailable"), (0xff, "(0xff)"),
    ] as [(UInt8, String)])
  func refusedConnection(code: UInt8, words: String) throws {
    broker.answer = { $0.type == 1 ? BrokerDouble.accepted(code) : [] }
    let (client, record) = try client(options())
    try wait("failures") { record.failures.count == 3 }
    #expect(record.failures.allSatisfy { $0 == .refused(Int32(code)) })
    #expect(try #require(record.failures.first).description.contains(words))
    #expect(broker.connections >= 3 && !client.isConnected)
  }

  @Test("A subscription to live messages leaves their flags as published, which needs MQTT 5")
  func liveSubscriptions() throws {
    broker.accept()
    let (client, record) = try client(options())
    try wait("connected") { client.isConnected }
    client.subscribe("a")
    client.subscribe("b", live: true)
    try wait("subscribed") { broker.packets.count { $0.type == 8 } == 2 }
    // Both have QoS 1. The second one also has Retain As Published, and asks for no retained messages.
    #expect(broker.packets.filter { $0.type == 8 }.map(\.body.last) == [0x01, 0x29])
    broker.send(BrokerDouble.message("b", [1], isRetained: true))
    try wait("a message") { record.deliveries == [MQTTDelivery("b", [1], isRetained: true)] }
    #expect(client.knowsRetainFlags)
  }

  @Test("With a broker of MQTT 3.1.1 the older version is used")
  func olderBroker() throws {
    broker.answer = { packet in
      guard packet.type == 1 else { return [] }
      return packet.body[6] == 5 ? [0x20, 2, 0, 1] : [0x20, 2, 0, 0]
    }
    let (client, record) = try client(options())
    try wait("connected") { client.isConnected }
    #expect(record.events == [.connected])
    #expect(broker.packets.filter { $0.type == 1 }.map { $0.body[6] } == [5, 4])
    broker.send([0x30, 5, 0, 1, UInt8(ascii: "t"), 1, 2])
    try wait("a message") { record.deliveries == [MQTTDelivery("t", [1, 2])] }
    client.subscribe("b", live: true)
    try wait("subscribed") { broker.packets.last?.type == 8 }
    #expect(broker.packets.last?.body.last == 1 && !client.knowsRetainFlags)
    client.close()
  }

  @Test("After an unreadable reply to MQTT 5, the older version is tried, then the newer one again")
  func unreadableReply() throws {
    let versions = { [broker] in broker.packets.filter { $0.type == 1 }.map { $0.body[6] } }
    var answersOlder = false
    broker.answer = { packet in
      guard packet.type == 1 else { return [] }
      // A reply without a reason code.
      return packet.body[6] == 4 && answersOlder ? [0x20, 2, 0, 0] : [0x20, 1, 0]
    }
    let (client, record) = try client(options())
    try wait("a failure") { !record.failures.isEmpty }
    #expect(record.failures == [.garbled] && versions() == [5, 4])
    answersOlder = true
    try wait("connected") { client.isConnected }
    #expect(versions() == [5, 4, 5, 4])
    client.close()
  }

  @Test("The reasons of MQTT 3.1.1 are understood")
  func olderRefusal() throws {
    broker.answer = { packet in
      guard packet.type == 1 else { return [] }
      return packet.body[6] == 5 ? [0x20, 2, 0, 1] : [0x20, 2, 0, 5]
    }
    let (client, record) = try client(options())
    try wait("a failure") { !record.failures.isEmpty }
    #expect(record.failures.first == .refused(0x87))
    client.close()
  }

  @Test("The client connects again after a loss, and sends nothing that waited")
  func reconnecting() throws {
    broker.accept()
    let (client, record) = try client(options())
    try wait("connected") { client.isConnected }
    broker.closeClient()
    client.publish(MQTTMessage("lost", "x"))
    try wait("a failure") { record.failures == [.lost] }
    #expect(!client.isConnected)
    try wait("connected") { client.isConnected }
    client.publish(MQTTMessage("sent", "x"))
    try wait("sent") { broker.packets.contains { $0.type == 3 } }
    let sent = broker.packets.filter { $0.type == 3 }
    #expect(sent.count == 1 && String(decoding: sent[0].body, as: UTF8.self).contains("sent"))
    #expect(record.events == [.connected, .disconnected(.lost), .connected])
  }

  @Test("Connections that end soon are reported with a reason of their own")
  func unstable() throws {
    broker.accept()
    let (client, record) = try client(options())
    for _ in 0..<4 {
      try wait("connected") { client.isConnected }
      broker.closeClient()
      try wait("lost") { !client.isConnected }
    }
    #expect(record.failures == [.lost, .lost, .unstable, .unstable])
  }

  @Test("A reason for the end of the connection is reported")
  func ended() throws {
    broker.accept()
    let (client, record) = try client(options())
    try wait("connected") { client.isConnected }
    broker.send([0xe0, 2, 0x8e, 0])
    try wait("a failure") { !record.failures.isEmpty }
    #expect(record.failures.first == .ended(0x8e))
    #expect(try #require(record.failures.first).description.contains("'client-id'"))
  }

  @Test("The client gives up if the broker does not reply")
  func silence() throws {
    var options = options()
    options.connectTimeout = 1
    let (client, record) = try client(options)
    try wait("a failure") { !record.failures.isEmpty }
    #expect(record.failures.first == .timedOut)
    client.close()
  }

  @Test("An attempt that was given up does not connect later")
  func abandoned() throws {
    // With the backlog full, the kernel ignores further connections, as a firewall would. It tries again
    // after 1, 3 and 7 seconds.
    broker.answer = { _ in [] }
    broker.ignoreConnections()
    var options = options()
    options.connectTimeout = 1
    let (client, record) = try client(options)
    try wait("a failure") { !record.failures.isEmpty }
    #expect(record.failures.first == .timedOut)
    client.close()
    broker.admitConnections()
    try loop.turn(for: 4_000)
    #expect(broker.packets.isEmpty)
    let (second, _) = try self.client(options)
    broker.accept()
    try wait("connected") { second.isConnected }
    #expect(broker.packets.count { $0.type == 1 } == 1)
    second.close()
  }

  @Test("A port on which nothing listens and an unknown host are reported")
  func unreachable() throws {
    var options = options()
    options.port = 1
    let (client, record) = try client(options)
    try wait("a failure") { !record.failures.isEmpty }
    #expect(try #require(record.failures.first).description.contains("is the broker running"))
    client.close()
    options.host = "256.1.1.1"
    let (second, other) = try self.client(options)
    try wait("a failure") { !other.failures.isEmpty }
    if case .unresolved = other.failures.first {} else { Issue.record("\(other.failures)") }
    second.close()
  }

  @Test(
    "Garbage only ends the connection",
    arguments: [
      Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), [UInt8](repeating: 0xff, count: 200),
      [UInt8](repeating: 0, count: 64), [0x20, 1, 0], [0x20, 3, 0, 7, 9], [0x90, 1, 0],
      [0x20, 3, 0, 0, 0, 0x30, 9, 0, 3, 0xff, 0xfe, 0xfd, 0, 0, 0, 0],
      [0x20, 3, 0, 0, 0, 0x36, 6, 0, 1, 0x61, 0, 1, 0],
    ] as [[UInt8]])
  func garbage(bytes: [UInt8]) throws {
    broker.answer = { $0.type == 1 ? bytes : [] }
    var options = options()
    options.connectTimeout = 1
    let (client, record) = try client(options)
    try wait("a failure") { !record.failures.isEmpty }
    #expect(record.deliveries.isEmpty)
    #expect(record.failures.allSatisfy { !$0.description.isEmpty })
    broker.accept()
    try wait("connected") { client.isConnected }
  }
}
