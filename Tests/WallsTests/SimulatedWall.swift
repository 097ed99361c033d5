// SPDX-License-Identifier: Apache-2.0

import Scoreboard

@testable import Walls

/// A wall of the simulation: the real values, and models of its clock, its disk and its connection.
struct SimulatedWall {
  /// What survives a crash.
  struct Disk {
    var saved: BoardMember.Saved?
    var held: HeldMatch
    var asides: [BoardHistory: HeldMatch] = [:]
  }

  struct Save {
    var disk: Disk
    var due: Int64
    var messages: [WallEffects.Outgoing]
    /// The commands that are acknowledged when it is done.
    var acknowledged: [Command]
  }

  /// A command that the leader performs, and who waits for its answer.
  struct Command {
    var point: Int
    /// The follower that has forwarded it; nil: it was given at this wall.
    var from: String?
    var answer: String
    /// The state with its effect, and when that was sent by the wall's clock; nil: it had none.
    var change: (history: BoardHistory, sent: Int64)?
  }

  let leads: Bool
  var isOn = false
  var disk: Disk
  var member: BoardMember?
  var held: HeldMatch
  var asides: [BoardHistory: HeldMatch] = [:]
  /// The saves that are under way, in order.
  var saves: [Save] = []
  /// Messages behind a save that must be durable first.
  var connection: Int?
  /// The commands whose effect is saved, and not at the broker yet.
  var unconfirmed: [Command] = []
  var ticket = 0

  // The clocks: what is added to the simulation's time, and how fast they are, in parts per million.
  var clockOffset: Int64
  var drift: Int64
  var realtimeOffset: Int64

  // The network: whether bytes pass.
  var sends = true
  var receives = true

  func clock(_ now: Int64) -> Int64 { now &+ now / 1_000_000 * drift &+ clockOffset }

  /// The simulation's time at which this wall's clock shows `clock`.
  func time(_ clock: Int64) -> Int64 {
    let elapsed = clock &- clockOffset
    return elapsed &- elapsed / 1_000_000 * drift
  }

  func moment(_ now: Int64) -> Moment { Moment(clock: clock(now), realtime: now &+ realtimeOffset) }
}
