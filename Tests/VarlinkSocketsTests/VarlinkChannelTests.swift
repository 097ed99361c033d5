// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import LinuxSystem
@testable import Varlink
@testable import VarlinkSockets

@Suite("A client on the event loop")
struct VarlinkChannelTests {
  /// A channel and the daemon's end of it, on one thread.
  private final class Pair {
    let directory: TemporaryDirectory
    let loop: EventLoop
    let channel: VarlinkChannel
    let peer: FileDescriptor
    var replies: [VarlinkChannel.Reply] = []
    var ends: [VarlinkClientError] = []

    init() throws {
      directory = try TemporaryDirectory()
      loop = try EventLoop()
      let path = directory.file("socket")
      let listener = FileDescriptor(owning: try listeningSocket(at: path))
      channel = try VarlinkChannel(candidates: [path], on: loop)
      peer = FileDescriptor(owning: accept(listener.rawValue, nil, nil))
      channel.replied = { [weak self] in self?.replies.append($0) }
      channel.closed = { [weak self] in self?.ends.append($0) }
    }

    func say(_ text: String) {
      let bytes = Array(text.utf8)
      #expect(write(peer.rawValue, bytes, bytes.count) == bytes.count)
    }

    /// Runs the loop eight times without waiting, which is enough to handle everything that is ready.
    func turn() throws { for _ in 0..<8 { try loop.turn(timeoutMilliseconds: 0) } }

    var heard: String {
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = recv(peer.rawValue, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
  }

  @Test("Calls are sent in order, and replies arrive in order, however they are split")
  func order() throws {
    let pair = try Pair()
    pair.channel.send(VarlinkCall(method: "a.One"))
    pair.channel.send(VarlinkCall(method: "a.Two", more: true))
    #expect(pair.heard == "{\"method\":\"a.One\"}\0{\"method\":\"a.Two\",\"more\":true}\0")
    pair.say("{\"parameters\":{\"n\":1}}\0{\"parameters\":{\"n\"")
    try pair.turn()
    #expect(pair.replies == [.success(["n": .integer(1)])])
    pair.say(":2},\"continues\":true}\0{\"error\":\"org.flipclock.Control.NothingToUndo\"}\0")
    try pair.turn()
    #expect(
      pair.replies.suffix(2) == [
        .success(["n": .integer(2)]),
        .failure(.refused(VarlinkError(name: "org.flipclock.Control.NothingToUndo"))),
      ])
    #expect(pair.ends == [])
  }

  @Test("A closed connection is reported once, and nothing is reported after it")
  func goes() throws {
    let pair = try Pair()
    pair.say("{}\0")
    shutdown(pair.peer.rawValue, Int32(SHUT_RDWR))
    try pair.turn()
    #expect(pair.replies == [.success([:])])
    #expect(pair.ends == [.disconnected])
    pair.channel.send(VarlinkCall(method: "a.One"))
    try pair.turn()
    #expect(pair.ends.count == 1)
  }

  @Test("An invalid reply ends the connection", arguments: ["HTTP/1.1 400\0{}\0", "[]\0{}\0", "\0{}\0"])
  func noReply(text: String) throws {
    let pair = try Pair()
    pair.say(text)
    try pair.turn()
    #expect(pair.replies == [])
    guard case .malformedReply? = pair.ends.first else {
      Issue.record("\(pair.ends)")
      return
    }
  }

  @Test("A channel that is closed while it handles replies reports no further ones")
  func closesItself() throws {
    let pair = try Pair()
    pair.channel.replied = { [weak pair] reply in
      pair?.replies.append(reply)
      pair?.channel.close()
    }
    pair.say("{}\0{}\0{}\0")
    try pair.turn()
    #expect(pair.replies.count == 1 && pair.ends == [])
  }
}
