// SPDX-License-Identifier: Apache-2.0

/// A wall's part in a board that several walls show: whether it leads, and the stamp of the state that it has. A pure
/// value; it is saved with the match, and each change of it must be durable before anything that follows from it is
/// sent.
package struct WallMember: Hashable, Sendable, Codable {
  package enum Role: String, Hashable, Sendable, Codable {
    /// Performs the commands of all walls, and sends each state.
    case leader
    /// Shows the leader's states, and sends its own commands to the leader.
    case follower
  }

  /// The board's name.
  package let board: String
  /// This wall's name: 16 hexadecimal digits.
  package let name: String
  package private(set) var role: Role
  /// The stamp of the state that this wall has; nil: a follower that has not received one.
  package private(set) var stamp: BoardStamp?
  private var start: Int

  /// A wall that has never been part of this board.
  ///
  /// - Parameter name: 16 random hexadecimal digits.
  package init(board: String, name: String, role: Role) {
    self.board = board
    self.name = name
    self.role = role
    start = 1
    if role == .leader { stamp = BoardStamp(epoch: 1, writer: name, start: 1, number: 0) }
  }

  /// Call after each start of the program, before the first state is sent.
  package mutating func restart() {
    start += 1
    if role == .leader, let old = stamp {
      stamp = BoardStamp(epoch: old.epoch, writer: name, start: start, number: 0)
    }
  }

  /// The stamp of the next state of a leader; nil for a follower.
  package mutating func next() -> BoardStamp? {
    guard role == .leader, var stamp else { return nil }
    stamp.number += 1
    self.stamp = stamp
    return stamp
  }

  /// What a wall does with a state that it has received.
  package enum Verdict: Hashable, Sendable {
    /// It has this state or a later one.
    case ignore
    case adopt
    /// Another wall leads: this one follows it from now on, and adopts the state.
    case stepDown
    /// The leader sends its state again, with the next stamp, because the others may have received one that is not its
    /// own.
    case send
  }

  package mutating func receive(_ other: BoardStamp) -> Verdict {
    guard let own = stamp else {
      stamp = other
      return .adopt
    }
    switch role {
    case .follower:
      guard own < other else { return .ignore }
      stamp = other
      return .adopt
    case .leader where other.writer == name:
      guard own < other else { return .ignore }
      // An older state of this wall's disk was restored: what it sent afterwards is no longer its state.
      start = max(start, other.start) + 1
      stamp = BoardStamp(epoch: other.epoch, writer: name, start: start, number: 0)
      return .send
    case .leader:
      guard own < other else { return .send }
      stamp = other
      role = .follower
      return .stepDown
    }
  }

  /// Takes over: this wall leads from now on, with the state that it has.
  package mutating func lead() {
    guard role == .follower else { return }
    role = .leader
    stamp = BoardStamp(epoch: (stamp?.epoch ?? 1) + 1, writer: name, start: start, number: 0)
  }

  /// Gives the lead up: another wall is to lead.
  package mutating func follow() { role = .follower }

  /// Whether the numbers are ones that this program writes.
  package var isSound: Bool {
    (1...Int.max / 2).contains(start) && (stamp?.isSound ?? (role == .follower))
      && BoardStamp(epoch: 1, writer: name, start: 1, number: 0).isSound
  }
}
