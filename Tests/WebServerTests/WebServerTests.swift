// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import TestSupport
import Testing
import WebTestClient

@testable import WebServer

@Suite struct WebServerTests {
  @Test("A request reaches the handler as it was sent, and its answer reaches the client")
  func request() throws {
    let fixture = try Fixture()
    var requests: [HTTPRequest] = []
    fixture.server.handler = { request, responder in
      requests.append(request)
      responder.answer(
        .response(HTTPResponse(status: 200, headers: [.init("X-A", "b")], body: Array("hello".utf8))))
    }
    let text = try fixture.response(
      to: "POST /a%2fb/../c?as=scorer&x=%41&y HTTP/1.1\r\nHost: wall:8080\r\nCookie: a=1\r\nCookie: b=2\r\n"
        + "If-Match: \"1\"\r\nif-match: \"2\"\r\nContent-Length: 4\r\n\r\nbody")
    #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(text.contains("X-A: b\r\n"))
    #expect(text.hasSuffix("\r\n\r\nhello"))
    let request = try #require(requests.first)
    #expect(requests.count == 1)
    #expect(request.method == "POST")
    #expect(request.path == "/a%2fb/../c")
    #expect(request.query == ["as": "scorer", "x": "%41", "y": ""])
    #expect(request.headers["cookie"] == "a=1; b=2")
    #expect(request.headers["if-match"] == "\"1\", \"2\"")
    #expect(request.headers["host"] == "wall:8080")
    #expect(request.body == Array("body".utf8))
    #expect(request.address == .loopback)
  }

  @Test("A prepared response is sent for several requests of a connection, without a body for HEAD")
  func prepared() throws {
    let fixture = try Fixture()
    let page = PreparedResponse(HTTPResponse(status: 200, body: [UInt8](repeating: 0x61, count: 100_000)))
    fixture.server.handler = { _, responder in responder.answer(.prepared(page)) }
    let client = try fixture.connect()
    for _ in 0..<3 {
      client.forget()
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try fixture.turn { client.isComplete })
      #expect(client.text.hasSuffix("aaaa"))
      #expect(client.received.count > 100_000)
    }
    client.forget()
    client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try fixture.turn { client.text.hasSuffix("\r\n\r\n") })
    #expect(client.text.contains("100000"))
    #expect(fixture.server.statistics.connections == 1)
    #expect(fixture.server.statistics.requests == 4)
  }

  @Test("A request can be answered later; other requests are served meanwhile")
  func later() throws {
    let fixture = try Fixture()
    var waiting: [HTTPResponder] = []
    fixture.server.handler = { request, responder in
      if request.path == "/slow" { return waiting.append(responder) }
      responder.answer(.response(HTTPResponse(status: 204)))
    }
    let slow = try fixture.connect()
    slow.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try fixture.turn { waiting.count == 1 })
    #expect(fixture.server.owesAnswers)
    #expect(try fixture.response(to: "GET /fast HTTP/1.1\r\nHost: a\r\n\r\n").hasPrefix("HTTP/1.1 204"))
    #expect(slow.text == "")
    let answer = HTTPAnswer.response(HTTPResponse(status: 200, body: Array("done".utf8)))
    waiting[0].answer(answer)
    waiting[0].answer(.response(HTTPResponse(status: 500)))
    #expect(!fixture.server.owesAnswers)
    #expect(try fixture.turn { slow.isComplete })
    #expect(slow.text.hasSuffix("done"))
    // The client of another request disconnects before the answer.
    let gone = try fixture.connect()
    gone.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try fixture.turn { waiting.count == 2 })
    gone.close()
    waiting[1].answer(answer)
    slow.close()
    #expect(try fixture.turn { fixture.server.connectionCount == 0 })
    waiting[1].answer(answer)
  }

  @Test(
    "A body that is too long is refused, whether its length is announced or not", arguments: [false, true])
  func longBody(isChunked: Bool) throws {
    let fixture = try Fixture()
    fixture.server.handler = { _, _ in Issue.record("the handler was called") }
    let body = String(repeating: "x", count: 17_000)
    let text = try fixture.response(
      to: "POST / HTTP/1.1\r\nHost: a\r\n"
        + (isChunked
          ? "Transfer-Encoding: chunked\r\n\r\n4268\r\n\(body)\r\n0\r\n\r\n"
          : "Content-Length: 17000\r\n\r\n\(body)"))
    #expect(text.hasPrefix("HTTP/1.1 413"))
  }

  /// Not in the arguments of the macro, because Swift 6.0.3 crashes at an interpolated string there.
  private static let notRequests = [
    "nonsense\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/3.7\r\nHost: a\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "y", count: 20_000))\r\n\r\n",
    "GET /\(String(repeating: "y", count: 20_000)) HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: "X: y\r\n", count: 2000))\r\n",
    "\u{0}\u{1}\u{2}\r\n\r\n",
  ]

  @Test("Text that is not a request is refused, or its connection is closed", arguments: notRequests)
  func malformed(text: String) throws {
    // Some of these are incomplete, so their connections are closed after ten seconds.
    let fixture = try Fixture(virtualTime: VirtualTime())
    fixture.server.handler = { request, responder in
      responder.answer(.response(HTTPResponse(status: 204)))
    }
    let answer = try fixture.response(to: text)
    #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4") || answer.hasPrefix("HTTP/1.1 505"), "\(answer)")
    #expect(try fixture.response(to: "GET / HTTP/1.1\r\nHost: a\r\n\r\n").hasPrefix("HTTP/1.1 204"))
  }

  @Test(
    "A request whose length a proxy may read differently is refused, and nothing after it is read",
    arguments: [
      "1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked",
      "1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 4",
      "1.0\r\nHost: a\r\nTransfer-Encoding: chunked",
      "1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\nContent-Length: 4",
      "1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding\t: chunked",
      "1.1\r\nHost: a\r\nTransfer-Encoding : chunked",
      "1.1\r\nHost: a\r\nContent-Length : 4",
      "1.1\r\nHost: a\r\nContent-Length: 4\r\nContent-Length: 5",
      "1.1\r\nHost: a\r\nContent-Length: 4\r\nContent-Length: 4",
      "1.1\r\nHost: a\r\nContent-Length: 4, 4",
      "1.1\r\nHost: a\r\nContent-Length: +4", "1.1\r\nHost: a\r\nContent-Length: 4x",
      "1.1\r\nHost: a\r\nContent-Length: -4",
    ])
  func ambiguousLength(head: String) throws {
    let fixture = try Fixture()
    fixture.server.handler = { _, _ in Issue.record("the handler was called") }
    let client = try fixture.connect()
    client.send("POST / HTTP/" + head + "\r\n\r\n4\r\nundo\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(
      try fixture.turn {
        client.read()
        return client.isClosed
      })
    #expect(client.text.hasPrefix("HTTP/1.1 400"))
    // The library sends the header of its own answer to a malformed length twice.
    let answers = client.text.occurrences(of: "HTTP/1.")
    #expect(
      (1...2).contains(answers) && client.text.occurrences(of: "HTTP/1.1 400 ") == answers, "\(client.text)")
  }

  @Test(
    "The line and the fields of a request may have 6 KiB, also in one cookie, and no more",
    arguments: [1, 30])
  func headerSize(cookies: Int) throws {
    let fixture = try Fixture()
    func status(_ size: Int) throws -> String {
      let start = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nCookie: ", end = "\r\n\r\n"
      let length = size - start.utf8.count - end.utf8.count
      let cookie = (0..<cookies).map { "c\($0)=" + String(repeating: "x", count: length / cookies - 6) }
        .joined(separator: "; ")
      let padding = String(repeating: "y", count: length - cookie.utf8.count)
      return String(
        try fixture.response(to: start + cookie + padding + end).prefix { $0 != "\r\n" }.prefix(12))
    }
    for size in [4000, 6000, 6144] { #expect(try status(size) == "HTTP/1.1 404", "\(size)") }
    for size in [6145, 60_000] { #expect(try status(size) == "HTTP/1.1 431", "\(size)") }
    // If there is memory for the fields but not for the list of the cookies, the library closes the
    // connection.
    for size in [8000, 12_000, 20_000] {
      #expect(["HTTP/1.1 431", ""].contains(try status(size)), "\(size)")
    }
  }

  @Test("A request must arrive completely within ten seconds")
  func slowRequest() throws {
    let time = VirtualTime()
    let fixture = try Fixture(virtualTime: time)
    let client = try fixture.connect()
    let start = time.now
    client.send("GET / HTTP/1.1\r\nHost: a\r\nX: ")
    while !client.isClosed, time.now - start < 60_000_000_000 {
      client.send("y")
      for _ in 0..<3 { try fixture.loop.turn(timeoutMilliseconds: 300) }
      client.read()
    }
    #expect(client.isClosed)
    #expect((9_900_000_000...12_000_000_000).contains(time.now - start), "\(time.now - start)")
    #expect(fixture.server.statistics.slow == 1)
    try fixture.turn { fixture.server.connectionCount == 0 }
    #expect(fixture.server.connectionCount == 0)
  }

  private static let stalls: [(sent: String, logged: [String])] = [
    ("", []), ("GET / HTTP/1.1\r\nHost: a\r\nX: ", []),
    ("GET /short HTTP/1.1\r\nHost: a\r\n\r\n", []),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{}", ["the body of the request did not arrive"]),
    (
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
      ["the body of the request did not arrive"]
    ),
    ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", ["the client did not read the response"]),
  ]

  @Test("The log says what a slow client did not do", arguments: stalls)
  func stall(of client: (sent: String, logged: [String])) throws {
    let fixture = try Fixture(virtualTime: VirtualTime())
    var logged: [String] = []
    fixture.server.refused = { logged.append($1) }
    fixture.server.handler = { request, responder in
      // Without a path, more than the sockets' buffers hold.
      let count = request.path == "/" ? 64 << 20 : 0
      responder.answer(.response(HTTPResponse(status: 200, body: [UInt8](repeating: 0, count: count))))
    }
    let connection = try fixture.connect()
    connection.send(client.sent)
    #expect(try fixture.turn { fixture.server.statistics.slow == 1 })
    #expect(logged == client.logged)
    connection.close()
  }

  @Test("An idle connection is closed")
  func idle() throws {
    let time = VirtualTime()
    let fixture = try Fixture(virtualTime: time)
    let client = try fixture.connect()
    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    try fixture.turn { client.isComplete }
    let start = time.now
    try fixture.turn { client.isClosed || client.read() < 0 }
    #expect(time.now - start <= 31_000_000_000)
    #expect(client.isClosed)
  }

  /// Streams on a server with at most 40 connections, of which an address may always have four.
  private final class Crowd {
    let fixture: Fixture
    var closed: [EventStream.Reader] = []

    init() throws {
      var limits = WebServer.Limits()
      limits.connections = 40
      limits.share = 4
      fixture = try Fixture(limits: limits)
      fixture.server.handler = { [weak self] request, responder in
        let readers: [String: EventStream.Reader] = [
          "/stranger": .stranger, "/spectator": .spectator, "/device": .device,
        ]
        guard let reader = readers[request.path] else {
          if request.path == "/trusted" { responder.trust("phone") }
          return responder.answer(.response(HTTPResponse(status: 204)))
        }
        if reader == .device { responder.trust(request.query["id"] ?? "phone") }
        let stream = EventStream()
        stream.reader = reader
        stream.closed = { self?.closed.append(reader) }
        responder.answer(.stream(stream, headers: []))
      }
    }

    /// Sends a request from 127.0.0.`host`, and returns when it is answered.
    func request(_ path: String, from host: UInt8) throws -> TestClient {
      let client = try fixture.connect(from: host)
      client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
      try fixture.turn { client.isComplete }
      return client
    }
  }

  @Test("However many streams there are, a paired device gets one, and streams of devices stay open")
  func devicesFirst() throws {
    let crowd = try Crowd()
    var clients: [TestClient] = []
    clients.append(try crowd.request("/stranger", from: 50))
    for host in 2...14 {
      for _ in 0..<3 { clients.append(try crowd.request("/spectator", from: UInt8(host))) }
    }
    #expect(clients.allSatisfy { $0.status == 200 })
    #expect(crowd.fixture.server.connectionCount == 40)
    // A stranger's stream is closed first, wherever it comes from.
    let first = try crowd.request("/device", from: 60)
    #expect(first.status == 200)
    #expect(try crowd.fixture.turn { crowd.closed == [.stranger] })
    // Also from an address that has its share already.
    var devices = [first]
    for _ in 0..<4 { devices.append(try crowd.request("/device", from: 60)) }
    #expect(devices.allSatisfy { $0.status == 200 })
    #expect(
      try crowd.fixture.turn {
        crowd.closed == [.stranger] + [.spectator, .spectator, .spectator, .spectator]
      })
    #expect(try crowd.fixture.turn { crowd.fixture.server.connectionCount == 40 })
    for host in 100...180 { clients.append(try crowd.request("/spectator", from: UInt8(host))) }
    #expect(!crowd.closed.contains(.device))
    for device in devices { device.read() }
    #expect(devices.allSatisfy { !$0.isClosed })
    // Requests that need no stream are answered, too.
    #expect(try crowd.request("/", from: 200).status == 204)
  }

  @Test(
    "A spectator's stream replaces only one of an address that has more streams")
  func spectators() throws {
    let crowd = try Crowd()
    var clients: [TestClient] = []
    for host in 2...11 {
      for _ in 0..<4 { clients.append(try crowd.request("/spectator", from: UInt8(host))) }
    }
    #expect(clients.allSatisfy { $0.status == 200 })
    let late = try crowd.request("/spectator", from: 50)
    #expect(late.status == 200)
    #expect(try crowd.fixture.turn { crowd.closed == [.spectator] })
    for host in [3, 50, 50, 50] { clients.append(try crowd.request("/spectator", from: UInt8(host))) }
    let statuses = clients.suffix(4).map(\.status)
    #expect(statuses.first == 503 && statuses.last == 503)
    // Further attempts close no stream.
    func open() -> Int {
      for client in clients { client.read() }
      return clients.filter { !$0.isClosed }.count
    }
    #expect(try crowd.fixture.turn { open() == 39 })
    for _ in 0..<20 { #expect(try crowd.request("/spectator", from: 2).status == 503) }
    #expect(open() == 39 && crowd.fixture.server.connectionCount <= 41)
  }

  @Test("Connections without a request are closed first, except those of devices")
  func silentFirst() throws {
    let crowd = try Crowd()
    let trusted = try crowd.request("/trusted", from: 40)
    var clients: [TestClient] = []
    for host in 2...14 {
      for _ in 0..<3 { clients.append(try crowd.fixture.connect(from: UInt8(host))) }
      try crowd.fixture.loop.turn(timeoutMilliseconds: 0)
    }
    #expect(try crowd.fixture.turn { crowd.fixture.server.connectionCount == 40 })
    for _ in 0..<3 { #expect(try crowd.request("/spectator", from: 60).status == 200) }
    #expect(
      try crowd.fixture.turn {
        for client in clients { client.read() }
        return clients.filter(\.isClosed).count == 3
      })
    trusted.read()
    #expect(!trusted.isClosed && crowd.closed.isEmpty)
  }

  @Test("A client with too many connections is refused; others are not")
  func tooMany() throws {
    var limits = WebServer.Limits()
    limits.connections = 40
    limits.share = 4
    let fixture = try Fixture(limits: limits)
    var refused = 0
    fixture.server.refused = { _, _ in refused += 1 }
    var clients: [TestClient] = []
    for _ in 0..<60 {
      clients.append(try fixture.connect())
      try fixture.loop.turn(timeoutMilliseconds: 0)
    }
    #expect(try fixture.turn { refused == 30 })
    #expect(fixture.server.connectionCount == 30)
    for client in clients { client.close() }
    #expect(try fixture.turn { fixture.server.connectionCount == 0 })
    #expect(try fixture.response(to: "GET / HTTP/1.1\r\nHost: a\r\n\r\n").hasPrefix("HTTP/1.1 404"))
  }

  @Test("Nothing wakes the loop while no client is connected")
  func rest() throws {
    let fixture = try Fixture()
    _ = try fixture.response(to: "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    try fixture.turn { fixture.server.connectionCount == 0 }
    for _ in 0..<5 { try fixture.loop.turn(timeoutMilliseconds: 50) }
    let before = fixture.loop.wakeups
    for _ in 0..<3 { try fixture.loop.turn(timeoutMilliseconds: 300) }
    // Each of the turns ends with its timeout.
    #expect(fixture.loop.wakeups == before + 3)
  }
}

extension String {
  /// How often a text occurs.
  fileprivate func occurrences(of text: String) -> Int {
    indices.filter { self[$0...].hasPrefix(text) }.count
  }
}
