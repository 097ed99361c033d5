// SPDX-License-Identifier: Apache-2.0

import BrokerDouble
import Glibc
import LinuxSystem
import Testing

@testable import MQTT

/// The shortest keepalive time of the library is five seconds, so these tests take a while.
@Suite struct KeepaliveTests {
  private func run(_ loop: EventLoop, seconds: Int64, each: () -> Void = {}) throws {
    let end = SystemClock.monotonic.now.totalNanoseconds + seconds * 1_000_000_000
    while SystemClock.monotonic.now.totalNanoseconds < end {
      let left = (end - SystemClock.monotonic.now.totalNanoseconds) / 1_000_000
      try loop.turn(timeoutMilliseconds: Int32(clamping: max(left, 1)))
      each()
    }
  }

  private func options(_ broker: BrokerDouble) -> MQTTOptions {
    var options = MQTTOptions(host: "127.0.0.1", port: broker.port, clientID: "test")
    options.keepalive = 5
    options.probeInterval = 60
    return options
  }

  @Test("At rest only the pings and their replies wake the loop")
  func rest() throws {
    let loop = try EventLoop()
    let broker = try BrokerDouble(on: loop)
    broker.accept()
    let client = try MQTTClient(options(broker), on: loop)
    client.start()
    try run(loop, seconds: 1)
    #expect(client.isConnected)
    let before = loop.wakeups
    try run(loop, seconds: 12)
    #expect(broker.packets.count { $0.type == 12 } == 2)
    // Each ping wakes the loop three times, one of them in the broker. The last wakeup is the end of the
    // time.
    #expect(loop.wakeups - before <= 8)
    #expect(client.isConnected)
    client.close()
  }

  @Test("Messages that need no acknowledgement do not keep the client from pinging")
  func input() throws {
    let loop = try EventLoop()
    let broker = try BrokerDouble(on: loop)
    broker.accept()
    let client = try MQTTClient(options(broker), on: loop)
    client.start()
    try run(loop, seconds: 1)
    var sent = SystemClock.monotonic.now.totalNanoseconds
    let timer = try LoopTimer(.monotonic, on: loop)
    timer.handler = { _ in timer.arm(inNanoseconds: 1_000_000_000) }
    timer.arm(inNanoseconds: 0)
    try run(loop, seconds: 12) {
      let now = SystemClock.monotonic.now.totalNanoseconds
      guard now - sent > 1_000_000_000 else { return }
      sent = now
      broker.send(BrokerDouble.message("t", [1]))
    }
    timer.cancel()
    // A broker ends a connection after one and a half times the keepalive time without a packet.
    #expect(broker.packets.count { $0.type == 12 } >= 2)
    client.close()
  }

  @Test("The client gives up a broker that does not reply to a ping")
  func silence() throws {
    let loop = try EventLoop()
    let broker = try BrokerDouble(on: loop)
    broker.answer = { $0.type == 1 ? BrokerDouble.accepted() : [] }
    let client = try MQTTClient(options(broker), on: loop)
    var failures: [MQTTFailure] = []
    client.happened = { if case .disconnected(let failure) = $0 { failures.append(failure) } }
    client.start()
    try run(loop, seconds: 12) { if !failures.isEmpty { client.close() } }
    #expect(failures == [.silent])
    #expect(broker.packets.count { $0.type == 12 } == 1)
  }

  @Test("A silent broker is asked for a reply, and after a pause `resumed` precedes its messages")
  func pauses() throws {
    let loop = try EventLoop()
    let broker = try BrokerDouble(on: loop)
    broker.accept()
    var options = options(broker)
    (options.keepalive, options.probeInterval) = (30, 1)
    let client = try MQTTClient(options, on: loop)
    var events: [MQTTClient.Event] = []
    client.happened = { events.append($0) }
    client.start()
    try run(loop, seconds: 5)
    #expect(events == [.connected])
    let probes = { broker.packets.count { $0.type == 10 } }
    #expect((3...5).contains(probes()))
    let replying = broker.answer
    broker.answer = { _ in [] }
    try run(loop, seconds: 4)
    let before = probes()
    try run(loop, seconds: 2)
    // The client asks only once until it gets a reply.
    #expect(probes() == before && events == [.connected])
    broker.answer = replying
    broker.send(BrokerDouble.message("t", [1]))
    try run(loop, seconds: 3)
    #expect(events == [.connected, .resumed, .received(MQTTDelivery("t", [1]))])
    #expect(probes() > before)
    client.close()
  }

  @Test("A pause of this program is noticed, too")
  func ownPause() throws {
    let loop = try EventLoop()
    let broker = try BrokerDouble(on: loop)
    broker.accept()
    var options = options(broker)
    options.probeInterval = 1
    let client = try MQTTClient(options, on: loop)
    var events: [MQTTClient.Event] = []
    client.happened = { events.append($0) }
    client.start()
    try run(loop, seconds: 1)
    broker.send(BrokerDouble.message("t", [1]))
    sleep(3)
    try run(loop, seconds: 1)
    #expect(events == [.connected, .resumed, .received(MQTTDelivery("t", [1]))])
    client.close()
  }
}
