// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import ControlServer
import DaemonDouble
import JSON
import LinuxSystem
import Scoreboard

@testable import Varlink
@testable import VarlinkSockets

extension FuzzTarget {
  /// The bytes that a client sends, after a byte that determines the size of the reads and whether the client
  /// is slow.
  static let control = FuzzTarget(
    name: "control",
    seeds: {
      let calls = commandLines.compactMap { line -> [UInt8]? in
        guard let change = try? Change(parsing: line, on: .event) else { return nil }
        return VarlinkCall(.change(change)).message
      }
      let queries: [Command] = [
        .status, .state, .history(limit: nil), .history(limit: 3), .reload, .screenshot(),
        .screenshot(output: "HDMI-A-1"),
      ]
      let others = queries.map { VarlinkCall($0).message }
      let watch = VarlinkCall(.watch).message
      let service = ["GetInfo", "GetInterfaceDescription"].map {
        VarlinkCall(method: "org.varlink.service.\($0)", parameters: ["interface": .string("a.b")]).message
      }
      let oneway = Array(
        #"{"method":"org.flipclock.Control.AddScore","parameters":{"team":"h\u006fme","points":1e0},"oneway":true}"#
          .utf8)
      let all = calls + others + service + [oneway, watch]
      return all.map { [255] + $0 + [0] } + [[7] + all.joined(separator: [0]) + [0]]
    },
    run: { bytes in
      guard let size = bytes.first else { return }
      let client = ScriptedClient(piece: Int(size) + 1, isSlow: size % 4 == 1)
      try client.send(bytes.dropFirst())
    })
}

/// A client and the server's side of its connection, without a socket.
private final class ScriptedClient {
  private let piece: Int
  private let isSlow: Bool
  private let handler = RefereeHandler()
  private let service: ControlService
  private let varlink: VarlinkService
  private var connection: VarlinkConnection
  private var received: [UInt8] = []
  private var begun = 0
  private var answered = 0
  private var turns = 0

  init(piece: Int, isSlow: Bool) {
    self.piece = piece
    self.isSlow = isSlow
    let service = ControlService(handler: handler)
    self.service = service
    varlink = VarlinkService(
      identity: ServiceIdentity(vendor: "v", product: "p", version: "1", url: "u"), interface: service)
    connection = VarlinkConnection(interface: service.name)
    handler.changed = { [weak self] in
      guard let self else { return }
      self.service.matchChanged { self.handler.matchState() }
    }
  }

  private var now: ClockTime { ClockTime(seconds: Int64(turns), nanoseconds: 0) }

  func send(_ bytes: ArraySlice<UInt8>) throws(Broken) {
    var rest = bytes
    let limit = bytes.count + 100
    while !rest.isEmpty, connection.wantsToRead {
      connection.received(rest.prefix(piece))
      rest = rest.dropFirst(piece)
      try settle(limit)
    }
    connection.inputEnded()
    try settle(limit)
    try check(answered == begun, "\(begun) calls and \(answered) replies")
    for reply in received.split(separator: 0, omittingEmptySubsequences: false).dropLast() {
      guard let value = try? JSONReader.read(Array(reply)),
        value["parameters"] != nil || value["error"] != nil
      else { throw Broken(description: "not a reply: \(String(decoding: reply, as: UTF8.self))") }
    }
    connection.peerVanished()
    try settle(limit)
    try check(connection.phase == .closed, "the connection stays \(connection.phase)")
    service.forget(client: 1)
  }

  private func settle(_ limit: Int) throws(Broken) {
    while let action = connection.nextAction(now) {
      turns += 1
      try check(turns < 20 * limit, "the connection does not come to rest")
      switch action {
      case .begin(let call, let number): perform(call, number)
      case .send:
        let count = isSlow ? min(piece, connection.unsent.count) : connection.unsent.count
        received += connection.unsent.prefix(count)
        connection.sent(count)
        connection.becameWritable()
      case .shutdownWriting: break
      case .close: return
      }
    }
  }

  private func perform(_ call: VarlinkCall, _ number: UInt64) {
    begun += 1
    var isFirst = true
    varlink.perform(call, from: 1) { [unowned self] reply in
      if isFirst { answered += 1 }
      isFirst = false
      connection.reply(reply, to: number)
    }
  }
}
