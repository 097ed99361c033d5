// SPDX-License-Identifier: Apache-2.0

import DaemonDouble
import JSON
import LinuxSystem
import Remotes
import TestSupport
import Testing
import Varlink
import WebServer
import WebTestClient

@testable import WebRemote

/// The lines of a log.
final class Lines: @unchecked Sendable { var all: [String] = [] }

/// A daemon's double, the service, and clients on one loop.
final class WebRig {
  let directory: TemporaryDirectory
  let loop: EventLoop
  let daemon: DaemonDouble
  let service: RemoteService
  let port: UInt16
  let lines = Lines()

  /// The daemon when the service starts.
  enum Daemon { case connected, starting, silent, missing }

  /// Accepts connections in place of the daemon, and says nothing.
  private var silent: UnixListener?

  init(
    viewers: Viewers = .open, trustedProxies: [String] = [], virtualTime: VirtualTime? = nil,
    daemon state: Daemon = .connected
  ) throws {
    directory = try TemporaryDirectory()
    loop = try EventLoop(virtualTime: virtualTime)
    daemon = try DaemonDouble(at: directory.file("control.sock"), on: loop)
    if state == .silent || state == .missing { daemon.stop() }
    if state == .silent {
      var connections = Connections()
      silent = try UnixListener(path: directory.file("control.sock"), on: loop) {
        (connection: consuming FileDescriptor) in connections.keep(connection)
      }
    }
    var options = WebRemoteOptions()
    options.viewers = viewers
    options.trustedProxies = trustedProxies.compactMap { AddressRange($0) }
    let lines = lines
    service = try RemoteService(
      options: options, stateDirectory: directory.path, hostName: "wall",
      candidates: [directory.file("control.sock")],
      hostCandidates: [directory.file("host.sock")],
      mqttCandidates: [directory.file("mqtt.sock")], on: loop, log: Log { _, line in lines.all.append(line) })
    let socket = try ListenAddress(host: "127.0.0.1", port: 0).open()
    port = WebTestClient.port(of: socket.rawValue)
    try service.server.listen(on: socket)
    let link = service.link
    if state == .connected { try loop.turn { link.isConnected } }
  }

  deinit { service.close() }

  func request(_ method: String, _ path: String, _ headers: [String], _ body: String = "") -> String {
    (["\(method) \(path) HTTP/1.1", "Host: wall:8080"] + headers + [
      "Content-Length: \(body.utf8.count)", "", body,
    ])
    .joined(separator: "\r\n")
  }

  /// The answer to a request on a connection of its own.
  func answer(
    _ method: String, _ path: String, _ headers: [String] = [], _ body: String = ""
  ) throws -> (status: Int?, body: String, header: String) {
    let client = try TestClient(port: port)
    client.send(request(method, path, headers, body))
    try loop.turn { client.isComplete }
    return (client.status, client.body, client.text)
  }

  static let ownPage = ["Origin: http://wall:8080", "Content-Type: text/plain"]

  private var ids = 0

  /// The header fields of a command that was given `age` nanoseconds ago.
  func terms(id: String? = nil, age: Int64 = 0) -> [String] {
    ids += 1
    let time = (daemon.handler.matchTime - age) / 1_000_000
    return ["Idempotency-Key: \"\(id ?? "\(ids)")\"", "Flipclock-Time: \(time)"]
  }

  func command(
    _ text: String, as cookie: String?, _ headers: [String] = [], terms: [String]? = nil
  ) throws -> (status: Int?, body: String) {
    let cookies = cookie.map { ["Cookie: \($0)"] } ?? []
    let fields = Self.ownPage + cookies + headers + (terms ?? self.terms())
    let answer = try answer("POST", "/commands", fields, text)
    return (answer.status, answer.body)
  }

  /// The reply to a call of the interface org.flipclock.Web.
  func call(_ method: String, _ parameters: [String: JSONValue] = [:]) throws -> JSONValue {
    var reply: JSONValue?
    WebControl(service).perform(
      VarlinkCall(method: "\(WebInterface.name).\(method)", parameters: parameters), from: 1
    ) { reply = try? JSONReader.read($0.message) }
    try loop.turn { reply != nil }
    return try #require(reply)
  }

  /// Makes a token for a program.
  func token(_ name: String, _ role: String, board: String? = nil) throws -> String {
    var parameters: [String: JSONValue] = ["name": .string(name), "role": .string(role)]
    parameters["board"] = board.map { .string($0) }
    return try #require(try call("AddToken", parameters)["parameters"]?["token"]?.string)
  }

  /// Pairs a device, and returns its cookie.
  func pair(_ code: String = "123456", _ headers: [String] = []) throws -> String {
    let answer = try answer("POST", "/pair", Self.ownPage + headers, code)
    #expect(answer.status == 200, "\(answer.body)")
    let line = try #require(answer.header.split(separator: "\r\n").first { $0.hasPrefix("Set-Cookie: ") })
    return String(line.dropFirst("Set-Cookie: ".count).prefix { $0 != ";" })
  }

  func stream(as audience: String, cookie: String? = nil) throws -> Stream {
    let client = try TestClient(port: port)
    client.send(request("GET", "/events?as=\(audience)", cookie.map { ["Cookie: \($0)"] } ?? []))
    try loop.turn { client.isComplete }
    return Stream(client)
  }
}

/// Connections that stay open.
private struct Connections {
  private var all: [Int32] = []

  mutating func keep(_ connection: consuming FileDescriptor) { all.append(connection.release()) }
}

/// The events of a client, without their chunks.
final class Stream {
  let client: TestClient

  init(_ client: TestClient) { self.client = client }

  var events: [(name: String, data: JSONValue)] {
    var rest = Array(client.body.utf8)[...]
    var text: [UInt8] = []
    while let end = rest.firstIndex(of: 0x0d) {
      guard let size = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16), size > 0 else { break }
      text += rest[(end + 2)...].prefix(size)
      rest = rest[(end + 2)...].dropFirst(size + 2)
    }
    return String(decoding: text, as: UTF8.self).split(separator: "\n\n").compactMap { part in
      let lines = part.split(separator: "\n")
      guard lines.count == 2, let data = try? JSONReader.read(Array(lines[1].dropFirst("data: ".count).utf8))
      else {
        return nil
      }
      return (String(lines[0].dropFirst("event: ".count)), data)
    }
  }

  func last(_ name: String) -> JSONValue? { events.last { $0.name == name }?.data }

  var score: Int? { last("match")?["match"]?["teams"]?.array?.first?["score"]?.integer }
  var role: String? { last("role")?["role"]?.string }
}
