// SPDX-License-Identifier: Apache-2.0

/// The last commands that had an id, and their results. A sender that has no reply may send a command again: it is
/// performed once.
package struct RecentCommands: Hashable, Sendable {
  private static let limit = 256

  package enum Standing: Hashable, Sendable {
    case new
    /// The command is being performed.
    case pending
    case done(result: String)
  }

  /// Nil: the command is being performed.
  private var results: [String: String?] = [:]
  private var order: [String] = []

  package init() {}

  /// Notes a command.
  ///
  /// - Returns: what was known of it.
  package mutating func begin(_ id: String) -> Standing {
    if let known = results[id] { return known.map { .done(result: $0) } ?? .pending }
    results[id] = .some(nil)
    order.append(id)
    if order.count > Self.limit { results[order.removeFirst()] = nil }
    return .new
  }

  package mutating func finish(_ id: String, result: String) {
    if results[id] != nil { results[id] = .some(result) }
  }
}
