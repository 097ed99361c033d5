// SPDX-License-Identifier: Apache-2.0

/// The place of a state in the order of all states of a board. Walls keep the state with the highest stamp, in whatever
/// order, how often and from whomever states arrive.
///
/// Only one wall at a time writes states: the leader. Taking over raises the epoch. If two walls lead in the same epoch,
/// because they did not hear of each other, the one with the greater name goes on when they meet.
package struct BoardStamp: Hashable, Comparable, Sendable, Codable {
  /// How often a wall has taken over.
  package var epoch: Int
  /// The random name of the wall that wrote the state.
  package var writer: String
  /// How often the writer has started. After a power cut the writer may have lost states that others have seen; then its
  /// next ones are nevertheless later.
  package var start: Int
  /// The number of the state since that start.
  package var number: Int

  package init(epoch: Int, writer: String, start: Int, number: Int) {
    self.epoch = epoch
    self.writer = writer
    self.start = start
    self.number = number
  }

  package static func < (a: BoardStamp, b: BoardStamp) -> Bool {
    (a.epoch, a.writer, a.start, a.number) < (b.epoch, b.writer, b.start, b.number)
  }

  /// The largest epoch. Each is a person's act, so it is not reached.
  static let epochLimit = 1 << 32

  /// Whether no number is negative or so large that counting on would overflow, and the name is one of
  /// `WallMember.name`.
  package var isSound: Bool {
    [start, number].allSatisfy { (0...Int.max / 2).contains($0) } && (0...Self.epochLimit).contains(epoch)
      && writer.utf8.count == 16
      && writer.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }
}
