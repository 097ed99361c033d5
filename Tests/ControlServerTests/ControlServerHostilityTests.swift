// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Testing

@testable import ControlCalls
import ControlServer
@testable import LinuxSystem
@testable import Varlink
@testable import VarlinkSockets

func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

private func violation(_ reason: String) -> String {
  #"{"error":"org.flipclock.Control.ProtocolViolation","parameters":{"reason":"\#(reason)"}}"#
}

/// Misbehaving clients, which must not affect other clients.
@Suite struct ControlServerHostilityTests {
  @Test(
    "An invalid message is answered with the reason, and ends its connection but no other",
    arguments: [
      (Array("\0".utf8), "the message is not JSON: unexpected end at byte 0"),
      (Array("GET / HTTP/1.1\r\n\r\n\0".utf8), "the message is not JSON: unexpected byte at byte 0"),
      (
        Array(#"{"method":""#.utf8) + [0xff, 0xfe] + Array("\"}\0".utf8),
        "the message is not JSON: not UTF-8 in the string at byte 10"
      ),
      (
        Array(String(repeating: "[", count: 65536).utf8) + [0],
        "the message is not JSON: nested too deeply at byte 32"
      ),
      ([UInt8](repeating: 0x20, count: 65537), "the message is longer than 65536 bytes"),
      ([UInt8](repeating: 0x61, count: 200_000), "the message is longer than 65536 bytes"),
    ] as [([UInt8], String)])
  func violations(_ bytes: [UInt8], _ reason: String) throws {
    let test = try TestServer()
    let peer = try test.connect()
    let other = try test.connect()
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = peer.send(Array(rest))
      if count > 0 { rest = rest.dropFirst(count) }
      try test.settle()
      if count < 0 { break }
    }
    #expect(peer.replies() == [violation(reason)])
    #expect(peer.isEnded)
    other.setScore("home", 8)
    try test.settle()
    #expect(other.replies().count == 1)
    peer.endInput()
    try test.settle()
    #expect(test.server.clientCount == 1)
  }

  @Test("An incomplete message times out with an error, and leaves no timer")
  func halfMessage() throws {
    let test = try TestServer { $0.connection.patienceSeconds = 1 }
    let peer = try test.connect()
    peer.send(#"{"method":"#)
    try test.settle()
    #expect(test.server.deadline != nil)
    #expect(peer.replies() == [] && !peer.isEnded)
    try test.loop.turn(timeoutMilliseconds: 5000)
    try test.settle()
    #expect(peer.replies() == [violation("the message did not end within 1 s")])
    #expect(peer.isEnded)
    // The client neither sends nor closes: a second later, the server closes the connection.
    try test.loop.turn(timeoutMilliseconds: 5000)
    #expect(test.server.clientCount == 0)
    #expect(test.server.deadline == nil)
  }

  @Test("Idle clients and clients that wait for a reply need no timer")
  func idleCostsNothing() throws {
    let test = try TestServer()
    test.handler.delays = true
    let idle = try (0..<20).map { _ in try test.connect() }
    let waiting = try test.connect()
    waiting.setScore("home", 8)
    try test.settle()
    #expect(test.handler.pending.count == 1)
    #expect(test.server.deadline == nil)
    #expect(!test.isBusy && idle.count == 20)
  }

  @Test("Of 300 idle connections, the newest 256 are kept")
  func manyIdle() throws {
    let test = try TestServer()
    let peers = try (0..<300).map { _ in try test.connect() }
    try test.settle()
    #expect(test.server.clientCount == 256)
    #expect(test.server.statistics.dismissed == 44)
    #expect(peers.prefix(44).allSatisfy { $0.isEnded })
    #expect(!peers.dropFirst(44).contains { $0.isEnded })
    try #require(peers.last).setScore("home", 8)
    try test.settle()
    #expect(try #require(peers.last).replies().count == 1)
  }

  @Test("The client that has been idle longest is closed first")
  func longestIdle() throws {
    let test = try TestServer { $0.clients = 3 }
    let peers = try (0..<3).map { _ in try test.connect() }
    peers[0].setScore("home", 8)
    try test.settle()
    #expect(peers[0].replies().count == 1)
    let newest = try test.connect()
    #expect(peers[1].isEnded)
    #expect(!peers[0].isEnded && !peers[2].isEnded && !newest.isEnded)
  }

  @Test(
    "However a process fills the server with idle connections, those of a program that subscribes stay open")
  func subscribersStay() throws {
    for calls in [false, true] {
      for subscribes in [false, true] {
        let test = try TestServer()
        // Connections like flipclock-web's: a stream, a connection that has called, and one that has not.
        let web = try (0..<3).map { _ in try test.connect(from: 1) }
        web[0].call("org.flipclock.Control.Subscribe", "{}", #","more":true"#)
        web[1].call("org.flipclock.Control.GetState")
        let script = try test.connect(from: 2)
        try test.settle()
        let others = try (0..<300).map { index in
          let peer = try test.connect(from: 3)
          if calls { peer.call("org.flipclock.Control.GetState") }
          if subscribes, index == 0 { peer.call("org.flipclock.Control.Subscribe", "{}", #","more":true"#) }
          try test.settle()
          _ = peer.replies()
          return peer
        }
        #expect(test.server.clientCount == 256)
        #expect(web.allSatisfy { !$0.isEnded })
        // Processes without a stream lose connections first: process 3, which has the most of them, or if it
        // has a stream, the script.
        #expect(script.isEnded == subscribes)
        #expect(others.filter(\.isEnded).count == (subscribes ? 47 : 48))
      }
    }
  }

  @Test(
    "While all clients are busy, a new one gets an error; beyond a second limit, it is closed without one")
  func manyBusy() throws {
    let test = try TestServer {
      $0.clients = 4
      $0.refusals = 2
    }
    test.handler.delays = true
    let busy = try (0..<4).map { _ in try test.connect() }
    for peer in busy { peer.setScore("home", 8) }
    try test.settle()
    let extra = try (0..<5).map { _ in try test.connect() }
    try test.settle()
    let refusal = #"{"error":"org.flipclock.Control.TooManyClients","parameters":{"limit":4}}"#
    #expect(extra.map { $0.replies() } == [[refusal], [refusal], [], [], []])
    #expect(extra.allSatisfy { $0.isEnded })
    while let completion = test.handler.pending.popLast() { completion() }
    #expect(busy.allSatisfy { $0.replies().count == 1 })
    #expect(test.server.statistics.refused == 5)
  }

  @Test("A client that stops reading is closed, without effect on the others")
  func stalledReader() throws {
    let test = try TestServer { $0.connection.patienceSeconds = 1 }
    test.handler.image = .success(
      ScreenshotImage(png: [UInt8](repeating: 1, count: 2_000_000), width: 1, height: 1))
    let stalled = try test.connect()
    stalled.call("org.flipclock.Control.Screenshot")
    try test.settle()
    #expect(test.server.deadline != nil)
    let other = try test.connect()
    other.setScore("home", 8)
    try test.settle()
    #expect(other.replies().count == 1)
    try test.loop.turn(timeoutMilliseconds: 5000)
    try test.settle()
    #expect(test.server.statistics.slowReaders == 1)
    #expect(test.server.clientCount == 1)
    #expect(stalled.received().count < 2_000_000)
    #expect(stalled.isEnded)
  }

  @Test("The total size of unsent replies is limited")
  func unsentTogether() throws {
    let test = try TestServer {
      $0.unsentBytes = 5_000_000
      // So long that no client counts as slow, not even on an emulated processor.
      $0.connection.patienceSeconds = 3600
    }
    test.handler.image = .success(
      ScreenshotImage(png: [UInt8](repeating: 1, count: 1_500_000), width: 1, height: 1))
    let peers = try (0..<4).map { _ in try test.connect() }
    for peer in peers { peer.call("org.flipclock.Control.Screenshot") }
    try test.settle()
    // Each screenshot has 2 MB in base64, so the replies of two clients fit into the limit.
    #expect(test.server.clientCount == 2)
    #expect(test.server.statistics.slowReaders == 2)
  }

  @Test("A client may disconnect while its change is being saved, and the loop does not spin")
  func goneWhilePending() throws {
    let test = try TestServer()
    test.handler.delays = true
    do {
      let peer = try test.connect()
      peer.setScore("home", 8)
      try test.settle()
    }
    try test.settle()
    #expect(!test.isBusy)
    #expect(test.handler.pending.count == 1)
    test.handler.pending.removeFirst()()
    try test.settle()
    #expect(test.server.clientCount == 0)
    #expect(test.handler.match.scoreboard.team("home")?.score == 8)
  }

  @Test("A client may disconnect with unread replies")
  func goneUnread() throws {
    let test = try TestServer()
    test.handler.image = .success(
      ScreenshotImage(png: [UInt8](repeating: 1, count: 2_000_000), width: 1, height: 1))
    do {
      let peer = try test.connect()
      peer.call("org.flipclock.Control.Screenshot")
      peer.setScore("home", 8)
      try test.settle()
    }
    try test.settle()
    #expect(test.server.clientCount == 0)
    #expect(test.server.deadline == nil)
  }

  @Test("A client that shuts down its sending side still gets its reply, and is then closed")
  func halfClose() throws {
    let test = try TestServer()
    test.handler.delays = true
    let peer = try test.connect()
    peer.setScore("home", 8)
    peer.endInput()
    try test.settle()
    #expect(!test.isBusy)
    #expect(peer.replies() == [] && test.server.clientCount == 1)
    test.handler.pending.removeFirst()()
    try test.settle()
    #expect(peer.replies().count == 1)
    #expect(peer.isEnded)
    #expect(test.server.clientCount == 0)
  }

  @Test("A completion called twice, or after the server has closed, does nothing")
  func lateCompletions() throws {
    let test = try TestServer()
    test.handler.delays = true
    let peer = try test.connect()
    peer.setScore("home", 8)
    peer.setScore("home", 9)
    try test.settle()
    let first = try #require(test.handler.pending.first)
    first()
    first()
    #expect(peer.replies().count == 1)
    try test.settle()
    test.server.close()
    test.server.close()
    for completion in test.handler.pending { completion() }
    #expect(test.server.clientCount == 0)
    #expect(peer.isEnded)
    #expect(try test.connect().isEnded)
  }

  @Test("Without its handler, the server replies that the daemon is stopping")
  func handlerGone() throws {
    let loop = try EventLoop()
    let service = VarlinkService(identity: .test, interface: ControlService(handler: TestHandler()))
    let server = try VarlinkServer(on: loop, service: service)
    var pair: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
    server.admit(FileDescriptor(owning: pair[0]))
    let peer = TestPeer(FileDescriptor(owning: pair[1]))
    peer.call("org.flipclock.Control.GetStatus")
    try loop.turn(timeoutMilliseconds: 0)
    #expect(
      peer.replies() == [
        #"{"error":"org.flipclock.Control.Failed","parameters":{"reason":"the daemon is stopping"}}"#
      ])
  }
}
