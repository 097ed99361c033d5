// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import Scoreboard
import Settings
import Walls

@testable import WallState

/// Walls that share a match, with the broker between them. Messages arrive after a millisecond. The clocks of
/// the walls differ.
struct TestHall {
  private struct Letter {
    var time: Int64
    var to: Int
    var text: String
    var isLive: Bool
  }

  private(set) var walls: [TestWall]
  /// Whether each wall reaches the broker.
  private(set) var isConnected: [Bool]
  private var identities: [Wall.Identity?]
  private var letters: [Letter] = []
  /// The state that the broker retains.
  private(set) var kept: String?
  /// The time that has passed, in nanoseconds.
  private var time: Int64 = 0

  /// - Parameter leads: for each wall whether its config says that it leads.
  init(_ leads: [Bool] = [true, false], isConnected: Bool = true) {
    walls = leads.indices.map { index in
      let start = Moment(
        clock: Self.clock(0, of: index), realtime: TestWall.midnight.seconds * second + Int64(index) * 40)
      return TestWall(seed: UInt64(index), at: start) { $0.walls = Self.settings(leads[index], index) }
    }
    self.isConnected = leads.map { _ in false }
    identities = leads.map { _ in nil }
    letters = []
    for index in leads.indices {
      collect(index)
      if isConnected { connect(index) }
    }
  }

  static func settings(_ leads: Bool, _ index: Int) -> WallsSettings {
    var settings = WallsSettings()
    if leads { settings.lead = "hall" } else { settings.follow = "hall" }
    return settings
  }

  /// What a wall's clock shows at `time`.
  static func clock(_ time: Int64, of index: Int) -> Int64 { time + Int64(index + 1) * 1_000_000 * second }

  // MARK: The broker

  mutating func connect(_ index: Int) {
    isConnected[index] = true
    let wall = index
    walls[wall].change { $0.connect(true, at: $1, &$2) }
    if let kept { letters.append(Letter(time: time + 1_000_000, to: wall, text: kept, isLive: false)) }
    collect(wall)
  }

  mutating func disconnect(_ index: Int) {
    isConnected[index] = false
    letters.removeAll { $0.to == index }
    walls[index].change { $0.connect(false, at: $1, &$2) }
    collect(index)
  }

  /// Sends the messages in a wall's outbox.
  private mutating func collect(_ index: Int) {
    let outbox = walls[index].outbox
    walls[index].outbox = []
    // A new member must be connected again.
    if walls[index].wall.identity != identities[index] {
      identities[index] = walls[index].wall.identity
      if isConnected[index] { connect(index) }
    }
    guard isConnected[index] else { return }
    for outgoing in outbox {
      guard let text = outgoing.message.text else { continue }
      if outgoing.isRetained { kept = text }
      for other in walls.indices where isConnected[other] {
        let name = walls[other].wall.identity?.wall
        guard outgoing.message.to == nil || outgoing.message.to == name else { continue }
        letters.append(Letter(time: time + 1_000_000, to: other, text: text, isLive: true))
      }
    }
  }

  // MARK: Time

  /// Lets time pass for all walls.
  mutating func pass(_ seconds: Double) {
    let end = time + Int64(seconds * 1e9)
    while true {
      let due = walls.indices.compactMap { index in
        walls[index].wall.nextClock.map { $0 - Self.clock(0, of: index) }
      }
      let next = min(max((due + letters.map(\.time)).min() ?? end, time), end)
      time = next
      for index in walls.indices {
        walls[index].go(to: Self.clock(time, of: index))
        collect(index)
      }
      let arrived = letters.filter { $0.time <= time }
      letters.removeAll { $0.time <= time }
      for letter in arrived where isConnected[letter.to] {
        walls[letter.to].change { wall, now, effects in
          try? wall.receive(letter.text, isLive: letter.isLive, at: now, &effects)
        }
        collect(letter.to)
      }
      if next >= end, !letters.contains(where: { $0.time <= time }) { return }
    }
  }

  // MARK: Walls

  /// Runs `body` on a wall, and sends its messages.
  mutating func change(_ index: Int, _ body: (inout TestWall) -> Void) {
    body(&walls[index])
    collect(index)
  }

  /// Gives a wall a command in the words of flipclockctl, and returns the ticket of its answer.
  mutating func command(_ index: Int, _ text: String, _ terms: Terms = Terms()) -> Wall.Ticket {
    guard let command = try? Change(parsing: text, on: .commandLine) else { return -1 }
    var ticket = -1
    change(index) { ticket = $0.ask(command, on: terms) }
    return ticket
  }

  func answer(_ index: Int, _ ticket: Wall.Ticket) -> Result<ChangeReply, ControlError>? {
    walls[index].answers[ticket]
  }

  /// Ends a wall's program, and starts it again with what is on its disk.
  mutating func restart(_ index: Int, configure: (inout Configuration) -> Void = { _ in }) {
    let old = walls[index]
    if isConnected[index] { disconnect(index) }
    walls[index] = TestWall(seed: UInt64(time & 0xffff) + 100, saved: old.disk, at: old.now) {
      $0.walls = old.wall.configuration.walls
      configure(&$0)
    }
    collect(index)
  }

  func role(_ index: Int) -> String? { walls[index].wall.sharedStatus?.role }
  func status(_ index: Int) -> WallStatus? { walls[index].wall.sharedStatus }
  /// The home team's score on the scoreboard that each wall shows.
  var shown: [Int?] { walls.map { $0.wall.shown.scoreboard.team("home")?.score } }
  /// The home team's score on the newest scoreboard of each wall, which may not be shown yet.
  var scores: [Int?] { walls.map(\.score) }
}
