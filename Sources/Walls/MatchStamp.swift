// SPDX-License-Identifier: Apache-2.0

/// The place of a state in the history of a shared match. Only the wall that leads writes states; all states
/// that it writes without an interruption are a run.
package struct MatchStamp: Hashable, Sendable, Codable {
  /// A time during which one wall leads a match without an interruption.
  package struct Run: Hashable, Sendable, Codable {
    /// Raised by each takeover.
    package var reign: Int
    /// The name of the wall that writes.
    package var writer: String
    /// Made of the random number of the writer's process and a counter. The name is not enough: the writer
    /// begins another run when it starts, takes over, or adopts another wall's state, and a wall with a
    /// copied memory card has the same name.
    package var id: Int

    package init(reign: Int, writer: String, id: Int) {
      self.reign = reign
      self.writer = writer
      self.id = id
    }

    /// 16 bits of a hash of `id` (multiplicative, with the golden ratio), so that the runs of one process
    /// differ too.
    var salt: Int { Int((UInt64(truncatingIfNeeded: id) &* 0x9e37_79b9_7f4a_7c15) >> 48) }
  }

  package var run: Run
  /// How many changes the run has made.
  package var number: Int

  package init(_ run: Run, number: Int = 0) {
    self.run = run
    self.number = number
  }

  package var reign: Int { run.reign }
  package var writer: String { run.writer }

  /// The largest valid reign. A takeover raises the reign by one or two, so it is not reached.
  static let reignLimit = 1 << 32

  /// Whether the numbers are in range, so that counting on cannot overflow, and the writer's name has the
  /// form of `WallMember.name(from:)`.
  package var isSound: Bool {
    (0...Int.max / 2).contains(number) && run.id >= 0 && (0...Self.reignLimit).contains(reign)
      && Self.isName(writer)
  }

  /// Whether a name has 16 hexadecimal digits.
  static func isName(_ name: String) -> Bool {
    name.utf8.count == 16 && name.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }
}

/// The ends of the runs before the present one. A state contains their changes beside those of its own run.
package struct Lineage: Hashable, Sendable, Codable {
  /// The maximum number; the oldest are forgotten. A state of a forgotten run counts as not contained, so it
  /// is set aside, not lost.
  private static let limit = 64

  package private(set) var ends: [MatchStamp] = []

  package init() {}

  package init(from decoder: any Decoder) throws {
    ends = Array(try decoder.singleValueContainer().decode([MatchStamp].self).suffix(Self.limit))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(ends)
  }

  /// Adds the state with which a run has ended.
  package mutating func add(_ end: MatchStamp) {
    ends.removeAll { $0.run == end.run && $0.number <= end.number }
    ends.append(end)
    if ends.count > Self.limit { ends.removeFirst(ends.count - Self.limit) }
  }

  func contains(_ stamp: MatchStamp) -> Bool {
    ends.contains { $0.run == stamp.run && $0.number >= stamp.number }
  }
}

/// What a wall has of the history of a shared match: the last state, and the earlier runs that it contains.
package struct SharedHistory: Hashable, Sendable, Codable {
  /// The random id that the match got when its history began.
  package var match: String
  package var stamp: MatchStamp
  package var lineage: Lineage

  package init(match: String, stamp: MatchStamp, lineage: Lineage = Lineage()) {
    self.match = match
    self.stamp = stamp
    self.lineage = lineage
  }

  /// The last state that has a change of its run; nil: the match is empty.
  private var lastChange: MatchStamp? {
    stamp.number > 0 ? stamp : lineage.ends.last { $0.number > 0 }
  }

  /// Whether all changes of another state are in this one.
  package func contains(_ other: SharedHistory) -> Bool {
    guard let change = other.lastChange else { return true }
    return (stamp.run == change.run && stamp.number >= change.number) || lineage.contains(change)
  }

  /// The same match in another run.
  func continued(in run: MatchStamp.Run) -> SharedHistory {
    var next = self
    next.lineage.add(stamp)
    next.stamp = MatchStamp(run)
    return next
  }

  package var isSound: Bool {
    stamp.isSound && MatchStamp.isName(match) && lineage.ends.allSatisfy(\.isSound)
  }
}
