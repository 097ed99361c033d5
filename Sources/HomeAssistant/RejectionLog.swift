// SPDX-License-Identifier: Apache-2.0

/// Counts the messages that are not performed, and limits how often they are logged.
package struct RejectionLog: Hashable, Sendable {
  private static let interval: Int64 = 60_000_000_000
  private static let burst = 5

  package private(set) var total = 0
  /// The number of messages that were not logged yet, by their kind.
  private var unreported: [String: Int] = [:]
  private var begin: Int64 = .min
  private var lines = 0

  package init() {}

  /// - Parameter now: monotonic nanoseconds.
  /// - Returns: the line for the log, which also counts the messages not logged before it; nil: the message
  ///   is only counted.
  package mutating func reject(kind: String, message: String, at now: Int64) -> String? {
    total += 1
    if begin == .min || now - begin >= Self.interval {
      begin = now
      lines = 0
    }
    lines += 1
    guard lines <= Self.burst else {
      unreported[kind, default: 0] += 1
      return nil
    }
    defer { unreported = [:] }
    guard !unreported.isEmpty else { return message }
    let counts = unreported.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    return "\(message) (not logged before: \(counts.joined(separator: ", ")))"
  }
}
