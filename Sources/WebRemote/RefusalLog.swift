// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import WebServer

/// Logs what is refused: for each reason, at most one line a minute with the number of refusals since the
/// last one.
struct RefusalLog {
  private static let interval: Int64 = 60_000_000_000
  /// The number of reasons that are counted separately.
  private static let reasonLimit = 64

  private struct Entry {
    var logged: Int64
    var more = 0
  }

  private let log: Log
  private var entries: [String: Entry] = [:]

  init(_ log: Log) { self.log = log }

  /// - Parameters:
  ///   - reason: one of few texts, without parts of the request.
  ///   - now: nanoseconds of CLOCK_MONOTONIC.
  mutating func record(_ reason: String, from address: PeerAddress, now: Int64) {
    guard var entry = entries[reason] else {
      if entries.count >= Self.reasonLimit { entries = [:] }
      entries[reason] = Entry(logged: now)
      return log.warning("refused \(address): \(reason)")
    }
    if now - entry.logged < Self.interval {
      entry.more += 1
    } else {
      let more = entry.more == 0 ? "" : " (and \(entry.more) more since the last such line)"
      log.warning("refused \(address): \(reason)\(more)")
      entry = Entry(logged: now)
    }
    entries[reason] = entry
  }
}
