// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import DaemonDouble
import LinuxSystem
import Scoreboard
import TestSupport
import Testing
import Varlink
import VarlinkSockets

@testable import Remotes

@Suite struct DaemonLinkTests {
  let directory: TemporaryDirectory
  let loop: EventLoop
  let daemon: DaemonDouble
  let link: DaemonLink

  init() throws {
    directory = try TemporaryDirectory()
    // Waits of seconds end at once.
    loop = try EventLoop(virtualTime: VirtualTime())
    daemon = try DaemonDouble(at: directory.file("control.sock"), on: loop)
    link = try DaemonLink(candidates: [directory.file("control.sock")], on: loop)
  }

  private func settle() throws { for _ in 0..<64 { try loop.turn(timeoutMilliseconds: 0) } }

  @Test func theFirstStatesConnect() throws {
    var events: [DaemonLink.Event] = []
    link.happened = { events.append($0) }
    link.start()
    try settle()
    #expect(events == [.connected, .match, .display])
    #expect(link.isConnected && link.match?.teams.count == 2 && link.display?.name == "hall")
    #expect(link.problem == nil && link.lostAt == nil)
  }

  @Test func everyChangeArrives() throws {
    link.start()
    try settle()
    var events: [DaemonLink.Event] = []
    link.happened = { events.append($0) }
    var replies: [VarlinkChannel.Reply] = []
    link.perform(VarlinkCall(.change(.match(.addScore(team: "home", by: 2))))) { replies.append($0) }
    link.perform(VarlinkCall(.change(.show(page: "match")))) { replies.append($0) }
    link.perform(VarlinkCall(.change(.match(.addScore(team: "nobody", by: 2))))) { replies.append($0) }
    try settle()
    #expect(Set(events) == [.match, .display])
    #expect(link.match?.teams.first?.score == 2 && link.display?.page == "match")
    #expect(replies.count == 3)
    #expect((try? replies[0].get()) != nil && (try? replies[1].get()) != nil)
    guard case .failure(.refused) = replies[2] else { throw Unexpected() }
  }

  @Test func aStateOfTheDisplayIsSentOnce() throws {
    link.start()
    try settle()
    var count = 0
    link.happened = { if $0 == .display { count += 1 } }
    for _ in 0..<3 {
      link.perform(VarlinkCall(.change(.setBrightness(percent: 40)))) { _ in }
      try settle()
    }
    #expect(count == 1)
  }

  @Test func theLastStatesStayAfterALossAndTheLinkConnectsAgain() throws {
    link.start()
    try settle()
    var events: [DaemonLink.Event] = []
    link.happened = { events.append($0) }
    daemon.stop()
    try settle()
    #expect(events == [.disconnected])
    #expect(link.match != nil && link.display != nil && link.lostAt != nil && !link.isConnected)
    var reply: VarlinkChannel.Reply?
    link.perform(VarlinkCall(.change(.match(.undo)))) { reply = $0 }
    guard case .failure = reply else { throw Unexpected() }
    try daemon.start()
    for _ in 0..<100 where !link.isConnected { try loop.turn(timeoutMilliseconds: 1_000) }
    #expect(events == [.disconnected, .connected, .match, .display])
    #expect(link.lostAt == nil)
  }

  @Test func callsWithoutAReplyFailWhenTheConnectionIsLost() throws {
    link.start()
    try settle()
    var replies: [VarlinkChannel.Reply] = []
    for _ in 0..<5 { link.perform(VarlinkCall(.change(.match(.undo)))) { replies.append($0) } }
    daemon.stop()
    try settle()
    #expect(replies.count == 5)
  }

  @Test func moreCallsThanTheLimitFailAtOnce() throws {
    link.start()
    try settle()
    var refused = 0
    for _ in 0..<DaemonLink.callLimit + 3 {
      link.perform(VarlinkCall(.change(.match(.undo)))) {
        if case .failure(.refused(let error)) = $0, error.name.hasSuffix(".Failed") { refused += 1 }
      }
    }
    #expect(refused == 3)
  }

  @Test func aCallDoesNotWaitForAnothersWrite() throws {
    link.start()
    try settle()
    // The daemon does not reply yet.
    daemon.handler.delays = true
    var replies: [Int] = []
    for index in 0..<3 * DaemonLink.lineLimit {
      let call = VarlinkCall(.change(.match(.addScore(team: "home", by: 1))))
      link.perform(call, in: .free) { _ in replies.append(index) }
    }
    try settle()
    #expect(link.match?.teams.first?.score == DaemonLink.lineLimit - 1, "a call on each connection has begun")
    #expect(replies.isEmpty)
    daemon.handler.delays = false
    while daemon.handler.reply() { try settle() }
    #expect(Set(replies).count == 3 * DaemonLink.lineLimit)
    #expect(link.match?.teams.first?.score == 3 * DaemonLink.lineLimit)
  }

  @Test func callsBeginInTheirOrder() throws {
    link.start()
    try settle()
    for score in 1...40 {
      link.perform(VarlinkCall(.change(.match(.setScore(team: "home", to: score))))) { _ in }
      if score % 7 == 0 { try settle() }
    }
    try settle()
    #expect(link.match?.teams.first?.score == 40)
  }

  @Test func nothingConnectsAfterClose() throws {
    link.start()
    try settle()
    link.close()
    link.close()
    #expect(!link.isConnected)
    try settle()
    #expect(!link.isConnected)
  }

  private struct Unexpected: Error {}
}
