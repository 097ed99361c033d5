// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import Testing

@testable import Walls

/// Tests rules that random schedules reach too rarely.
@Suite("A wall's part in a shared match") struct WallMemberTests {
  private static let second: Int64 = 1_000_000_000
  private static let match = "fedcba9876543210"
  private static let (own, other) = ("00000000000000aa", "00000000000000bb")

  private static func held(points: Int) -> HeldMatch {
    let teams: [Scoreboard.Team] = [.init(id: "home", name: "HOME"), .init(id: "guest", name: "GUEST")]
    var held = HeldMatch(Match(Scoreboard(teams: teams)))
    for point in 0..<points {
      _ = try? held.match.apply(.addScore(team: "home", by: 1), at: Int64(point) * second)
    }
    return held
  }

  private static func moment(_ seconds: Int64) -> Moment {
    Moment(clock: seconds * second, realtime: seconds * second)
  }

  private static func message(_ kind: WallMessage.Kind, _ history: SharedHistory?) -> WallMessage {
    var message = WallMessage(kind, from: other, process: 9, sent: second)
    (message.history, message.hasContent) = (history, true)
    if kind == .state { message.board = SharedMatch(held(points: 3), whole: true) }
    return message
  }

  @Test("A leader stops leading after a late beat, but sets its match aside only for a wall that answers")
  func lateBeat() throws {
    let start = MatchStamp(.init(reign: 1, writer: Self.own, id: 1), number: 5)
    let saved = WallMember.Saved(
      board: "hall", name: Self.own, role: .leader, history: SharedHistory(match: Self.match, stamp: start))
    var wall = WallMember(board: "hall", leads: true, name: Self.own, saved: saved, process: 1)
    var held = Self.held(points: 5)
    _ = wall.connected(held, at: Self.moment(10))
    wall.changed()
    let late = SharedHistory(
      match: Self.match, stamp: MatchStamp(.init(reign: 3, writer: Self.other, id: 2), number: 3))
    _ = wall.receive(Self.message(.beat, late), isLive: true, held: &held, at: Self.moment(20))
    #expect(wall.role == .follower)
    let state = Self.message(.state, late)
    let effects = wall.receive(state, isLive: true, held: &held, at: Self.moment(20))
    #expect(effects.asides.isEmpty && held.match.scoreboard.teams[0].score == 5)
    #expect(effects.messages.map(\.message.kind) == [.offer])

    let ping = try #require(
      wall.tick(&held, at: Self.moment(21)).messages.map(\.message).first { $0.kind == .ping })
    // An answer to an earlier ping may be late too.
    for (sent, points) in [(Self.moment(19).clock, 5), (ping.sent, 3)] {
      var pong = Self.message(.pong, nil)
      (pong.to, pong.peerTime, pong.received) = (Self.own, sent, Self.second)
      _ = wall.receive(pong, isLive: true, held: &held, at: Self.moment(21))
      let effects = wall.receive(state, isLive: true, held: &held, at: Self.moment(21))
      #expect(effects.asides.count == (points == 3 ? 1 : 0) && held.match.scoreboard.teams[0].score == points)
    }
  }

  @Test("Walls that change the same match, each without the other, never have the same revision")
  func ownRevisions() {
    let start = MatchStamp(.init(reign: 1, writer: Self.other, id: 1), number: 5)
    let saved = WallMember.Saved(
      board: "hall", name: Self.own, role: .follower, history: SharedHistory(match: Self.match, stamp: start))
    var revisions: Set<Int> = [5]
    for process: UInt32 in 1...40 {
      var wall = WallMember(board: "hall", leads: false, name: Self.own, saved: saved, process: process)
      var held = Self.held(points: 5)
      let effects = wall.takeOver(isConfirmed: true, &held, at: Self.moment(10))
      #expect(effects.takeover == .led)
      wall.revise(&held.match)
      // More than the points of the few seconds in which a press of undo is valid.
      let next = held.match.revision..<held.match.revision + 100
      #expect(revisions.isDisjoint(with: next))
      revisions.formUnion(next)
    }
  }

  @Test("A wall that hears no other leads after a person has confirmed it", arguments: [true, false])
  func takeovers(leads: Bool) {
    let start = MatchStamp(.init(reign: 1, writer: Self.other, id: 1), number: 5)
    let history = leads ? nil : SharedHistory(match: Self.match, stamp: start)
    let saved = WallMember.Saved(
      board: "hall", name: Self.own, role: leads ? .candidate : .follower, history: history)
    var wall = WallMember(board: "hall", leads: leads, name: Self.own, saved: saved, process: 1)
    var held = Self.held(points: 5)
    let asked = wall.takeOver(isConfirmed: false, &held, at: Self.moment(10))
    #expect(asked.takeover == .unconfirmed(since: nil) && wall.role == saved.role)
    let confirmed = wall.takeOver(isConfirmed: true, &held, at: Self.moment(10))
    #expect(confirmed.takeover == .led && wall.role == .leader && confirmed.saves)
  }
}
