// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import WebServer

/// A server on a free port of this machine, and its loop.
final class Fixture {
  let loop: EventLoop
  let server: WebServer
  let port: UInt16

  init(limits: WebServer.Limits = WebServer.Limits(), virtualTime: VirtualTime? = nil) throws {
    loop = try EventLoop(virtualTime: virtualTime)
    server = try WebServer(on: loop, limits: limits)
    let socket = try ListenAddress(host: "127.0.0.1", port: 0).open()
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let raw = socket.rawValue
    withUnsafeMutablePointer(to: &address) {
      _ = $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(raw, $0, &length) }
    }
    port = UInt16(bigEndian: address.sin_port)
    try server.listen(on: socket)
  }

  deinit { server.close() }

  /// Turns the loop until `condition` holds. Returns false if it does not hold after five seconds.
  @discardableResult
  func turn(until condition: () -> Bool) throws -> Bool {
    let end = SystemClock.monotonic.now.totalNanoseconds + 5_000_000_000
    while !condition() {
      if SystemClock.monotonic.now.totalNanoseconds > end { return false }
      try loop.turn(timeoutMilliseconds: 10)
    }
    return true
  }

  func connect() throws -> TestClient { try TestClient(self) }

  /// The response to one request on a connection of its own.
  func response(to text: String) throws -> String {
    let client = try connect()
    client.send(text)
    try turn { client.isComplete }
    return client.text
  }
}

/// A client that sends any bytes.
final class TestClient {
  let socket: Int32
  private let fixture: Fixture
  private(set) var received: [UInt8] = []
  private(set) var isClosed = false

  init(_ fixture: Fixture) throws {
    self.fixture = fixture
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = fixture.port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let outcome = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard outcome == 0 else { throw TestSetupError(errno) }
  }

  deinit { close() }

  private var isOpen = true

  func close() {
    guard isOpen else { return }
    isOpen = false
    Glibc.close(socket)
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) { _ = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

  /// Reads what has arrived.
  @discardableResult
  func read() -> Int {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var total = 0
    while true {
      let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count > 0 {
        received += buffer.prefix(count)
        total += count
      } else {
        if count == 0 || errno != EAGAIN { isClosed = true }
        return total
      }
    }
  }

  var text: String {
    read()
    return String(decoding: received, as: UTF8.self)
  }

  /// Whether a response with its body has arrived, or the connection is closed.
  var isComplete: Bool {
    read()
    if isClosed { return true }
    let parts = received.split(
      separator: Array("\r\n\r\n".utf8), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return false }
    for line in String(decoding: parts[0], as: UTF8.self).lowercased().split(separator: "\r\n") {
      let words = line.split(separator: " ")
      if words.first == "content-length:" { return parts[1].count >= Int(words[1]) ?? 0 }
    }
    return true
  }

  func forget() { received = [] }
}
