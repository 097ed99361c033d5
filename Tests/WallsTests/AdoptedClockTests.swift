// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import Testing

@testable import Walls

/// A leader with a running game clock, and a follower that adopts its match before it knows the leader's
/// clock.
private struct TwoWalls {
  static let second: Int64 = 1_000_000_000
  private static let way: Int64 = 2_000_000

  private var now: Int64 = 0
  private var members: [WallMember] = []
  private var held: [HeldMatch] = []
  private var queue: [(due: Int64, to: Int, message: WallMessage, isLive: Bool)] = []
  private var retained: WallMessage?
  /// The time before which no message arrives at the follower.
  var blockedUntil: Int64 = 0
  /// By how much the follower's clock is faster, in parts per million. It is also 4,000 seconds ahead.
  private let drift: Int64

  init(drift: Int64) throws {
    self.drift = drift
    var scoreboard = Scoreboard(teams: [])
    scoreboard.adopt([Scoreboard.Team(id: "home", name: "HOME", color: 0)], rules: GameRules(.basketball))
    for index in 0...1 {
      held.append(HeldMatch(Match(scoreboard)))
      members.append(
        WallMember(
          board: "hall", leads: index == 0, name: WallMember.name(from: UInt64(index + 1)), saved: nil,
          process: UInt32(index + 1)))
    }
    try held[0].match.apply(.startTimer(.game), at: 0)
  }

  private func clock(_ index: Int) -> Int64 {
    index == 0 ? now : now + now / 1_000_000 * drift + 4_000 * Self.second
  }

  /// The follower's time of day is 1.5 s slow.
  private func moment(_ index: Int) -> Moment {
    Moment(clock: clock(index), realtime: now - (index == 0 ? 0 : Self.second * 3 / 2))
  }

  private mutating func perform(_ effects: WallEffects) {
    for outgoing in effects.messages {
      if outgoing.isRetained { retained = outgoing.message }
      for to in 0...1 {
        let due = to == 0 ? now + Self.way : max(now + Self.way, blockedUntil)
        queue.append((due, to, outgoing.message, true))
      }
    }
  }

  mutating func connect(_ index: Int) {
    if let retained { queue.append((now + Self.way, index, retained, false)) }
    perform(members[index].connected(held[index], at: moment(index)))
  }

  mutating func run(until end: Int64) {
    while now < end {
      for index in 0...1 where (members[index].nextTick(at: clock(index)) ?? .max) <= clock(index) {
        perform(members[index].tick(&held[index], at: moment(index)))
      }
      now += 20_000_000
      while let next = queue.firstIndex(where: { $0.due <= now }) {
        let (_, to, message, isLive) = queue.remove(at: next)
        perform(members[to].receive(message, isLive: isLive, held: &held[to], at: moment(to)))
      }
    }
  }

  /// The difference of the two walls' game clocks, in nanoseconds.
  func difference() throws -> Int64 {
    let readings = try (0...1).map {
      try #require(held[$0].match.scoreboard.reading(of: .game, at: clock($0)))
    }
    return abs(readings[0].value - readings[1].value)
  }

  /// Whether the second wall follows and has the match.
  var isFollowing: Bool { members[1].role == .follower && held[1].hasContent }
}

@Suite("The clock of an adopted match") struct AdoptedClockTests {
  @Test(
    "A game clock is right once the leader's clock is known, however late its first messages arrive",
    arguments: [0, 0.1, 0.7, 1, 2.5, 4.9, 30], [0, 50, -100])
  func corrected(late: Double, drift: Int) throws {
    var walls = try TwoWalls(drift: Int64(drift))
    walls.connect(0)
    walls.run(until: 5 * TwoWalls.second)
    walls.blockedUntil = 5 * TwoWalls.second + Int64(late * 1e9)
    walls.connect(1)
    walls.run(until: walls.blockedUntil + 2 * TwoWalls.second)
    #expect(walls.isFollowing)
    #expect(try walls.difference() <= 100_000_000)
    // Half an hour in which nothing changes.
    walls.run(until: 1_800 * TwoWalls.second)
    #expect(try walls.difference() <= 100_000_000)
  }
}
