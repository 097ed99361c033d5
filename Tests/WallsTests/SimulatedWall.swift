// SPDX-License-Identifier: Apache-2.0

import Scoreboard

@testable import Walls

/// A wall of the simulation: the real values, and models of its clock, its disk and its connection.
///
/// A class, because a simulation that copies the values at each step takes twice as long.
final class SimulatedWall {
  /// What survives a crash.
  struct Disk {
    var saved: WallMember.Saved?
    var held: HeldMatch
    var asides: [SharedHistory: HeldMatch] = [:]
  }

  struct Save {
    var disk: Disk
    var due: Int64
    var messages: [WallEffects.Outgoing]
    /// The commands that are acknowledged when this save is done.
    var acknowledged: [Performed]
  }

  /// A command that the leader performs, and the wall that waits for its answer.
  struct Performed {
    var press: Int
    /// The follower that has forwarded it; nil if it was given at this wall.
    var from: String?
    var answer: String
    /// The state with its effect, and the time on the wall's clock at which that state was sent; nil if the
    /// command had no effect.
    var change: (history: SharedHistory, sent: Int64)?
  }

  let leads: Bool
  var isOn = false
  var disk: Disk
  /// While the wall is off, its last value.
  var member: WallMember
  var held: HeldMatch
  var asides: [SharedHistory: HeldMatch] = [:]
  /// The saves that are under way, in order.
  var saves: [Save] = []
  var connection: Int?
  /// The commands whose effect is saved, but which the broker does not have yet.
  var unconfirmed: [Performed] = []
  /// The time at which `tick` is due, and the time of the queued event that calls it.
  var due = Int64.max
  var armed = Int64.max
  /// The number of events for `tick` in the current second.
  var ticks = (second: Int64(0), count: 0)
  /// The state that the simulation recorded last.
  var recorded: (stamp: MatchStamp, score: Int)?

  // The clocks: what is added to the simulation's time, and the drift in parts per million.
  let clockOffset: Int64
  let drift: Int64
  var realtimeOffset: Int64

  // The network: whether it carries bytes from and to this wall.
  var sends = true
  var receives = true

  init(leads: Bool, disk: Disk, clockOffset: Int64, drift: Int64, realtimeOffset: Int64) {
    (self.leads, self.disk, held) = (leads, disk, disk.held)
    member = WallMember(board: "hall", leads: leads, name: WallMember.name(from: 0), saved: nil, process: 0)
    (self.clockOffset, self.drift, self.realtimeOffset) = (clockOffset, drift, realtimeOffset)
  }

  func clock(_ now: Int64) -> Int64 { now &+ now / 1_000_000 * drift &+ clockOffset }

  /// The simulation's time at which this wall's clock shows `clock`.
  func time(_ clock: Int64) -> Int64 {
    let elapsed = clock &- clockOffset
    return elapsed &- elapsed / 1_000_000 * drift
  }

  /// Calls `body` with the values and the wall's time.
  func act(
    _ body: (inout WallMember, inout HeldMatch, Moment) -> WallEffects, at now: Int64
  ) -> WallEffects {
    body(&member, &held, moment(now))
  }

  func moment(_ now: Int64) -> Moment { Moment(clock: clock(now), realtime: now &+ realtimeOffset) }
}
