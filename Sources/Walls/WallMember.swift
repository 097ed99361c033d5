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
  package private(set) var name: String
  package private(set) var role: Role
  /// The stamp of the state that this wall has; nil: a follower that has not received one.
  package private(set) var stamp: BoardStamp?
  private var start: Int
  /// Whether this wall leads without a match of its own, because it was just set up. Then it continues the match that
  /// it finds. Not saved.
  package var isFresh = false
  /// How many states have this wall's name and are later than all that it has sent. Not saved.
  private var strangers = 0

  private enum CodingKeys: CodingKey {
    case board, name, role, stamp, start
  }

  /// The largest step of the epoch in a state from another wall. A larger one is not a person's act.
  private static let epochStep = 1 << 16

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
    strangers = 0
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
    /// This wall adopts the state and leads from now on: the wall that has sent it was replaced by this one.
    case succeed
    /// Another wall has this wall's name, because its memory card was copied. This one needs a new name (`rename`) and
    /// follows.
    case rename
    /// A later state than the leader's, which a follower answers with its own (`offer`): the leader was replaced or has
    /// lost what it knew.
    case offer
  }

  /// - Parameter isLive: whether the state was sent while this wall was listening.
  package mutating func receive(_ other: BoardStamp, isLive: Bool = true) -> Verdict {
    guard let own = stamp else {
      stamp = other
      return .adopt
    }
    guard other.epoch - own.epoch <= Self.epochStep else { return .ignore }
    switch role {
    case .follower:
      guard own < other else {
        let isOfEarlierRun = (other.epoch, other.writer, other.start) != (own.epoch, own.writer, own.start)
        return isLive && isOfEarlierRun ? .offer : .ignore
      }
      stamp = other
      return .adopt
    case .leader where other.writer == name:
      guard own < other else { return .ignore }
      strangers += 1
      if strangers > 1 { return .rename }
      // An older state of this wall's disk was restored: what it sent afterwards is no longer its state.
      start = max(start, other.start) + 1
      stamp = BoardStamp(epoch: other.epoch, writer: name, start: start, number: 0)
      return .send
    case .leader:
      defer { isFresh = false }
      guard own < other else { return .send }
      // A state that is sent now is from a wall that leads.
      if isFresh, !isLive {
        stamp = BoardStamp(epoch: other.epoch + 1, writer: name, start: start, number: 0)
        return .succeed
      }
      stamp = other
      role = .follower
      return .stepDown
    }
  }

  /// What a leader does with the state that a follower has offered, because it is later than the leader's. A wall that was
  /// just set up continues it; otherwise another wall has taken over meanwhile.
  package mutating func receive(offer other: BoardStamp) -> Verdict {
    guard role == .leader, let own = stamp, own < other else { return .ignore }
    return receive(other, isLive: !isFresh)
  }

  /// Takes over: this wall leads from now on, with the state that it has. A wall that leads already sends states that
  /// are later than those of any other.
  package mutating func lead() {
    role = .leader
    stamp = BoardStamp(epoch: (stamp?.epoch ?? 1) + 1, writer: name, start: start, number: 0)
  }

  /// Follows the wall that has the same name and has sent `other`.
  ///
  /// - Parameter name: 16 random hexadecimal digits.
  package mutating func rename(_ name: String, following other: BoardStamp) {
    (self.name, role, stamp, strangers) = (name, .follower, other, 0)
  }

  /// Gives the lead up: another wall is to lead.
  package mutating func follow() { role = .follower }

  /// Whether the numbers are ones that this program writes.
  package var isSound: Bool {
    (1...Int.max / 2).contains(start) && (stamp?.isSound ?? (role == .follower))
      && BoardStamp(epoch: 1, writer: name, start: 1, number: 0).isSound
  }
}
