// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import WebTestClient

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
    port = WebTestClient.port(of: socket.rawValue)
    try server.listen(on: socket)
  }

  deinit { server.close() }

  @discardableResult
  func turn(until condition: () -> Bool) throws -> Bool { try loop.turn(until: condition) }

  func connect(from host: UInt8 = 1) throws -> TestClient { try TestClient(port: port, from: host) }

  /// The response to one request on a connection of its own.
  func response(to text: String) throws -> String {
    let client = try connect()
    client.send(text)
    try turn { client.isComplete }
    return client.text
  }
}
