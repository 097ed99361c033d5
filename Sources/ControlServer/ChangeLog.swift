// SPDX-License-Identifier: Apache-2.0

import JSON
import LinuxSystem
import Varlink

/// Logs which process has changed something, one line for each change, but only the first lines of a minute:
/// a client that calls in a loop must not fill the journal.
struct ChangeLog {
  private let log: Log
  private var limit = Limit()

  init(_ log: Log) { self.log = log }

  /// - Parameters:
  ///   - call: what was changed.
  ///   - reason: why the change could not be saved; nil: saving it has not failed.
  mutating func write(
    _ call: VarlinkCall, by peer: PeerProcess?, unsaved reason: String? = nil, at now: Int64 = Self.now
  ) {
    guard log.threshold >= .info, let unlogged = limit.admit(at: now) else { return }
    if unlogged > 0 { log.info("\(unlogged) more changes were not logged") }
    let line = "\(Self.name(peer)): \(Self.text(of: call))"
    if let reason { log.error("\(line) is shown but not saved: \(reason)") } else { log.info(line) }
  }

  static func name(_ peer: PeerProcess?) -> String { peer?.description ?? "a client" }

  private static var now: Int64 { SystemClock.monotonic.now.totalNanoseconds }

  private static let textLimit = 200

  /// The method's name and the parameters, at most 200 characters: `SetScore {"score":7,"team":"home"}`.
  private static func text(of call: VarlinkCall) -> String {
    guard !call.parameters.isEmpty else { return call.member }
    let parameters = String(decoding: JSONValue.object(call.parameters).bytes, as: UTF8.self)
    let text = "\(call.member) \(parameters)"
    return text.count > textLimit ? text.prefix(textLimit) + " …" : text
  }
}

extension ChangeLog {
  /// Limits the number of lines per minute. A pure value.
  struct Limit: Hashable, Sendable {
    static let lines = 20
    /// Nanoseconds.
    static let interval: Int64 = 60_000_000_000

    private var start: Int64?
    private var count = 0

    /// Returns nil if a change at `now` must not be logged, else the number of changes that were not logged
    /// before it.
    mutating func admit(at now: Int64) -> Int? {
      if let start, now - start < Self.interval {
        count += 1
        return count <= Self.lines ? 0 : nil
      }
      defer { (start, count) = (now, 1) }
      return max(0, count - Self.lines)
    }
  }
}
