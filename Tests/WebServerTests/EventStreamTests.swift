// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import TestSupport
import Testing
import WebTestClient

@testable import WebServer

@Suite struct EventStreamTests {
  private final class Streams {
    let fixture: Fixture
    var open: [EventStream] = []
    var closed = 0

    init(_ fixture: Fixture) {
      self.fixture = fixture
      fixture.server.handler = { [weak self] _, responder in
        let stream = EventStream()
        stream.closed = { self?.closed += 1 }
        self?.open.append(stream)
        responder.answer(.stream(stream, headers: [.init("Cache-Control", "no-store")]))
      }
    }

    func send(_ kind: String, _ data: String) {
      let event = StreamEvent(kind, data: Array(data.utf8))
      for stream in open { stream.send(event) }
    }
  }

  private static let request = "GET /events HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test("Events reach all clients at once, and a closed connection ends its stream")
  func events() throws {
    let fixture = try Fixture()
    let streams = Streams(fixture)
    let clients = try (0..<20).map { _ in try fixture.connect() }
    for client in clients { client.send(Self.request) }
    #expect(try fixture.turn { streams.open.count == 20 && clients.allSatisfy(\.isComplete) })
    for client in clients {
      #expect(client.text.contains("Content-Type: text/event-stream\r\n"))
      #expect(client.text.contains("Cache-Control: no-store\r\n"))
    }
    for number in 0..<50 {
      streams.send("match", "\(number)")
      #expect(
        try fixture.turn { clients.allSatisfy { $0.text.contains("event: match\ndata: \(number)\n\n") } })
    }
    for client in clients.prefix(5) { client.close() }
    streams.send("match", "gone")
    #expect(
      try fixture.turn {
        streams.send("beat", "{}")
        return streams.closed == 5
      })
    #expect(fixture.server.connectionCount == 15)
    streams.open[19].end()
    #expect(try fixture.turn { streams.closed == 6 })
    #expect(clients[19].text.hasSuffix("0\r\n\r\n"))
    fixture.server.close()
    #expect(streams.closed == 20)
    streams.send("match", "late")
  }

  @Test("A reader that stops for a while then gets the newest events and little else")
  func slowReader() throws {
    let fixture = try Fixture()
    let streams = Streams(fixture)
    let client = try fixture.connect()
    var size: Int32 = 4096
    setsockopt(client.socket, SOL_SOCKET, SO_RCVBUF, &size, 4)
    client.send(Self.request)
    try fixture.turn { client.isComplete }
    let padding = String(repeating: "x", count: 3000)
    for number in 0..<2000 {
      streams.send("match", "\(number)\(padding)")
      streams.send("link", "\(number)")
      try fixture.loop.turn(timeoutMilliseconds: 0)
    }
    #expect(streams.open[0].delay > 0)
    #expect(
      try fixture.turn {
        client.text.contains("data: 1999\(padding)\n\n") && client.text.contains("data: 1999\n\n")
      })
    // What was in the kernel's buffers is old; the rest was replaced.
    #expect(client.received.count < 400_000, "\(client.received.count)")
    #expect(try fixture.turn { streams.open[0].delay == 0 })
  }

  @Test("A stream can be dropped while its reader does not read")
  func drop() throws {
    let fixture = try Fixture()
    let streams = Streams(fixture)
    let client = try fixture.connect()
    client.send(Self.request)
    try fixture.turn { client.isComplete }
    for number in 0..<500 {
      streams.send("match", "\(number)" + String(repeating: "x", count: 3000))
      try fixture.loop.turn(timeoutMilliseconds: 0)
    }
    streams.open[0].drop()
    #expect(try fixture.turn { streams.closed == 1 })
    #expect(fixture.server.connectionCount == 0)
  }

  @Test("Nothing wakes the loop while streams have nothing to send")
  func rest() throws {
    let fixture = try Fixture()
    let streams = Streams(fixture)
    let client = try fixture.connect()
    client.send(Self.request)
    streams.send("match", "1")
    try fixture.turn { client.isComplete }
    for _ in 0..<5 { try fixture.loop.turn(timeoutMilliseconds: 50) }
    let before = fixture.loop.wakeups
    for _ in 0..<3 { try fixture.loop.turn(timeoutMilliseconds: 300) }
    #expect(fixture.loop.wakeups == before + 3)
  }

  @Test("With random clients, every stream is closed once when the server closes")
  func random() throws {
    var random = SplitMix(seed: 5)
    for _ in 0..<TestEffort.rounds(5, long: 200) {
      let fixture = try Fixture()
      let streams = Streams(fixture)
      var clients: [TestClient] = []
      for step in 0..<200 {
        switch random.int(0...5) {
        case 0:
          let client = try fixture.connect()
          client.send(random.int(0...4) == 0 ? "GET /ev" : Self.request)
          clients.append(client)
        case 1:
          if let index = clients.indices.randomElement(using: &random) { clients.remove(at: index).close() }
        case 2: streams.open.randomElement(using: &random)?.end()
        case 3: streams.open.randomElement(using: &random)?.drop()
        default: streams.send("match", "\(step)" + String(repeating: "x", count: random.int(0...5000)))
        }
        try fixture.loop.turn(timeoutMilliseconds: 0)
      }
      fixture.server.close()
      #expect(streams.closed == streams.open.count)
    }
  }
}
