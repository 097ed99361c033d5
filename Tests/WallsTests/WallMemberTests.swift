// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Walls

/// Walls on a bus that delays, repeats and loses messages, and that keeps the last one (MQTT's retained message). A
/// state is the list of the points that it contains, so that a lost and a doubled point are seen.
private struct SimulatedHall {
  struct Wall {
    var member: WallMember
    /// What survives a power cut.
    var saved: (member: WallMember, points: [Int])
    var points: [Int] = []
    var isOn = true
    var isConnected = true
    var inbox: [(stamp: BoardStamp, points: [Int])] = []
  }

  var walls: [Wall]
  var retained: (stamp: BoardStamp, points: [Int])?
  /// Points that were acknowledged, by the epoch in which they were.
  private(set) var acknowledged: Set<Int> = []
  private var nextPoint = 0

  init(leaders: Int, followers: Int, _ random: inout SplitMix) {
    walls = (0..<leaders + followers).map { index in
      let name = String((0..<16).map { _ in "0123456789abcdef".randomElement(using: &random) ?? "0" })
      let member = WallMember(board: "hall", name: name, role: index < leaders ? .leader : .follower)
      return Wall(member: member, saved: (member, []))
    }
    for index in walls.indices { connect(index) }
  }

  mutating func save(_ index: Int) { walls[index].saved = (walls[index].member, walls[index].points) }

  /// The bus delivers to all connected walls, the sender among them.
  mutating func publish(_ index: Int) {
    guard walls[index].isConnected, let stamp = walls[index].member.next() else { return }
    let message = (stamp, walls[index].points)
    retained = message
    for other in walls.indices where walls[other].isOn && walls[other].isConnected {
      walls[other].inbox.append(message)
    }
  }

  mutating func connect(_ index: Int) {
    walls[index].isConnected = true
    if let retained { walls[index].inbox.append(retained) }
    publish(index)
  }

  mutating func disconnect(_ index: Int) {
    walls[index].isConnected = false
    walls[index].inbox = []
  }

  /// A point is counted by the leader, saved, sent, and then acknowledged.
  mutating func score(at index: Int) {
    guard walls[index].isOn, walls[index].member.role == .leader else { return }
    walls[index].points.append(nextPoint)
    nextPoint += 1
    save(index)
    publish(index)
    acknowledged.insert(nextPoint - 1)
  }

  mutating func deliver(to index: Int) {
    guard walls[index].isOn, !walls[index].inbox.isEmpty else { return }
    let message = walls[index].inbox.removeFirst()
    switch walls[index].member.receive(message.stamp) {
    case .ignore: break
    case .adopt, .stepDown:
      walls[index].points = message.points
      save(index)
    case .send:
      save(index)
      publish(index)
    case .offer: offer(from: index)
    case .succeed, .rename: Issue.record("no wall is new, and none was copied")
    }
  }

  /// A follower's state reaches the leaders that are connected.
  private mutating func offer(from index: Int) {
    guard let stamp = walls[index].member.stamp, walls[index].isConnected else { return }
    for other in leaders where walls[other].isOn && walls[other].isConnected {
      switch walls[other].member.receive(offer: stamp) {
      case .stepDown:
        walls[other].points = walls[index].points
        save(other)
      case .send:
        save(other)
        publish(other)
      default: break
      }
    }
  }

  mutating func cutPower(_ index: Int) {
    disconnect(index)
    walls[index].isOn = false
  }

  mutating func start(_ index: Int) {
    guard !walls[index].isOn else { return }
    walls[index].isOn = true
    (walls[index].member, walls[index].points) = walls[index].saved
    walls[index].member.restart()
    save(index)
    connect(index)
  }

  mutating func takeOver(_ index: Int) {
    guard walls[index].isOn else { return }
    walls[index].member.lead()
    save(index)
    publish(index)
  }

  /// All walls are on and connected, and all messages arrive.
  mutating func settle() {
    for index in walls.indices where !walls[index].isOn { start(index) }
    for index in walls.indices where !walls[index].isConnected { connect(index) }
    var turns = 0
    while let index = walls.indices.first(where: { !walls[$0].inbox.isEmpty }) {
      deliver(to: index)
      turns += 1
      if turns > 100_000 {
        Issue.record("the walls do not come to rest")
        return
      }
    }
  }

  var leaders: [Int] { walls.indices.filter { walls[$0].member.role == .leader } }
}

@Suite("A board on several walls") struct WallMemberTests {
  /// Any order of points, losses of the network, power cuts and restarts with one leader that is never replaced.
  @Test("With one leader nothing that was acknowledged is lost or doubled, whatever fails")
  func oneLeader() {
    for seed in 0..<TestEffort.rounds(300, long: 20_000) {
      var random = SplitMix(seed: UInt64(seed))
      var hall = SimulatedHall(leaders: 1, followers: 3, &random)
      for _ in 0..<120 {
        let index = Int.random(in: 0..<4, using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0: hall.disconnect(index)
        case 1: if hall.walls[index].isOn { hall.connect(index) }
        case 2: hall.cutPower(index)
        case 3: hall.start(index)
        case 4...6: hall.score(at: 0)
        default: hall.deliver(to: index)
        }
      }
      hall.settle()
      #expect(hall.leaders == [0])
      let points = hall.walls[0].points
      #expect(Set(points) == hall.acknowledged && points.count == hall.acknowledged.count, "seed \(seed)")
      for wall in hall.walls {
        #expect(wall.points == points, "seed \(seed)")
        #expect(wall.member.stamp == hall.walls[0].member.stamp, "seed \(seed)")
        #expect(wall.member.isSound)
      }
    }
  }

  @Test("Takeovers, several leaders and old disks: in the end one wall leads, and all show its state")
  func anyLeader() {
    for seed in 0..<TestEffort.rounds(300, long: 20_000) {
      var random = SplitMix(seed: UInt64(1_000 + seed))
      var hall = SimulatedHall(leaders: Int.random(in: 1...3, using: &random), followers: 2, &random)
      for _ in 0..<150 {
        let index = Int.random(in: hall.walls.indices, using: &random)
        switch Int.random(in: 0..<16, using: &random) {
        case 0: hall.disconnect(index)
        case 1: if hall.walls[index].isOn { hall.connect(index) }
        case 2: hall.cutPower(index)
        case 3: hall.start(index)
        case 4: hall.takeOver(index)
        case 5:
          // A backup of the disk is restored.
          let old = hall.walls[index].saved
          hall.score(at: index)
          hall.cutPower(index)
          hall.walls[index].saved = old
        case 6...8: hall.score(at: index)
        default: hall.deliver(to: index)
        }
      }
      hall.settle()
      guard hall.leaders.count <= 1 else {
        Issue.record("seed \(seed): \(hall.leaders.count) walls lead")
        continue
      }
      let best = hall.walls.compactMap(\.member.stamp).max()
      for wall in hall.walls {
        #expect(wall.member.stamp == best, "seed \(seed)")
        #expect(wall.points == hall.walls[0].points, "seed \(seed)")
        #expect(Set(wall.points).count == wall.points.count, "seed \(seed): a point is doubled")
      }
    }
  }

  @Test("A follower that takes over continues the leader's state")
  func takeOver() {
    var random = SplitMix(seed: 1)
    var hall = SimulatedHall(leaders: 1, followers: 2, &random)
    for _ in 0..<5 { hall.score(at: 0) }
    hall.settle()
    hall.cutPower(0)
    hall.takeOver(1)
    for _ in 0..<3 { hall.score(at: 1) }
    hall.settle()
    #expect(hall.leaders == [1])
    #expect(hall.walls.allSatisfy { $0.points == [0, 1, 2, 3, 4, 5, 6, 7] })
  }

  private static func stamp(_ epoch: Int, _ writer: Character, start: Int = 1, _ number: Int = 1)
    -> BoardStamp
  {
    BoardStamp(epoch: epoch, writer: String(repeating: writer, count: 16), start: start, number: number)
  }

  private static func leader(_ name: Character = "a") -> WallMember {
    WallMember(board: "hall", name: String(repeating: name, count: 16), role: .leader)
  }

  @Test(
    "A leader that was just set up continues the match that it finds, but does not compete with one that leads"
  )
  func fresh() {
    var kept = Self.leader()
    kept.isFresh = true
    #expect(kept.receive(Self.stamp(3, "b"), isLive: false) == .succeed)
    #expect(kept.role == .leader && kept.stamp?.epoch == 4 && !kept.isFresh)
    var offered = Self.leader()
    offered.isFresh = true
    #expect(offered.receive(offer: Self.stamp(3, "b")) == .succeed)
    var live = Self.leader()
    live.isFresh = true
    #expect(live.receive(Self.stamp(3, "b")) == .stepDown)
    // With a match of its own, it does not overwrite what another wall has counted.
    var old = Self.leader()
    #expect(old.receive(offer: Self.stamp(3, "b")) == .stepDown)
    #expect(old.receive(offer: Self.stamp(9, "b")) == .ignore, "only leaders get offers")
  }

  @Test("A follower offers its state to a leader that does not know it, and to no other")
  func offers() {
    var follower = WallMember(board: "hall", name: String(repeating: "f", count: 16), role: .follower)
    #expect(follower.receive(Self.stamp(2, "b", start: 3, 7)) == .adopt)
    for (stamp, isLive, verdict) in [
      (Self.stamp(1, "a"), true, .offer), (Self.stamp(1, "a"), false, .ignore),
      (Self.stamp(2, "b", start: 2, 9), true, .offer), (Self.stamp(2, "b", start: 3, 6), true, .ignore),
      (Self.stamp(2, "b", start: 3, 7), true, .ignore), (Self.stamp(2, "b", start: 3, 8), true, .adopt),
    ] as [(BoardStamp, Bool, WallMember.Verdict)] {
      #expect(follower.receive(stamp, isLive: isLive) == verdict, "\(stamp) \(isLive)")
    }
  }

  @Test("A leader takes one later state of its name for its own, and the second for that of a copied card")
  func copies() {
    var leader = Self.leader()
    #expect(leader.receive(Self.stamp(1, "a", start: 5, 3)) == .send)
    #expect(leader.stamp == Self.stamp(1, "a", start: 6, 0))
    #expect(leader.receive(Self.stamp(1, "a", start: 7, 1)) == .rename)
    leader.rename(String(repeating: "c", count: 16), following: Self.stamp(1, "a", start: 7, 1))
    #expect(leader.role == .follower && leader.isSound && leader.name.hasPrefix("c"))
    #expect(leader.receive(Self.stamp(1, "a", start: 7, 2)) == .adopt)
  }

  @Test("An epoch that is too far ahead is ignored, so that others can still take over")
  func epochs() {
    var leader = Self.leader()
    #expect(leader.receive(Self.stamp(1 << 32, "b")) == .ignore)
    #expect(leader.receive(Self.stamp(1 << 16, "b")) == .stepDown)
    #expect(!Self.stamp((1 << 32) + 1, "b").isSound)
  }

  @Test("Stamps with values that no wall writes are refused")
  func sound() {
    let good = BoardStamp(epoch: 1, writer: "0123456789abcdef", start: 1, number: 1)
    #expect(good.isSound)
    for value in [-1, Int.min, Int.max] {
      for path in [\BoardStamp.epoch, \.start, \.number] {
        var stamp = good
        stamp[keyPath: path] = value
        #expect(!stamp.isSound)
      }
    }
    for writer in ["", "0123456789abcde", "0123456789abcdeg", "0123456789ABCDEF", "0123456789abcde\u{e9}"] {
      var stamp = good
      stamp.writer = writer
      #expect(!stamp.isSound)
    }
  }
}
