// SPDX-License-Identifier: Apache-2.0

/// The last commands that had an id, with their answers; the oldest first.
///
/// A sender that gets no answer sends its command again, and a broker or a proxy may deliver it twice. A
/// command with a known id gets its answer again and is not performed. The list is saved with the match and
/// sent to other walls with it, so that a restarted program and a new leader know it, too.
package struct PerformedCommands: Hashable, Sendable, Codable {
  /// How many commands are kept. Older commands would be refused for their age anyway: people cannot give so
  /// many in a few seconds.
  package static let limit = 256
  /// The maximum length of an id, in bytes.
  package static let idLimit = 96

  package struct Entry: Hashable, Sendable, Codable {
    package var id: String
    /// JSON.
    package var answer: String

    package init(id: String, answer: String) {
      self.id = id
      self.answer = answer
    }
  }

  /// The time before this wall began to lead a shared match. Others may have performed commands in that time
  /// that this wall does not know.
  package struct Gap: Hashable, Sendable {
    package var board: String
    /// CLOCK_BOOTTIME, in nanoseconds.
    package var end: Int64

    package init(board: String, end: Int64) {
      self.board = board
      self.end = end
    }
  }

  package private(set) var entries: [Entry] = []
  package var gap: Gap?

  package init() {}

  package init(from decoder: any Decoder) throws {
    add(try decoder.singleValueContainer().decode([Entry].self))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(entries)
  }

  /// The answer to a command; nil: it is not known.
  package subscript(id: String) -> String? { entries.last { $0.id == id }?.answer }

  /// Adds commands; of those that are known, the first answer stays.
  package mutating func add(_ later: [Entry]) {
    for entry in later where self[entry.id] == nil { entries.append(entry) }
    if entries.count > Self.limit { entries.removeFirst(entries.count - Self.limit) }
  }
}
