// SPDX-License-Identifier: Apache-2.0

import Commands
import Settings

/// The texts that were pushed to boards, by the names of their widgets.
package typealias Boards = NamedEntries<PushedEntry>

/// A pushed text. Times are milliseconds of CLOCK_REALTIME.
package struct PushedEntry: Codable, Hashable, Sendable {
  package var text: String
  /// Whether the text has no markup; nil: it has.
  package var plain: Bool?
  package var source: String?
  package var since: Int64
  /// When it disappears; nil: never.
  package var until: Int64?
  /// When it becomes stale; nil: never.
  package var staleFrom: Int64?
  package var wave: CardWave?

  init(_ pushed: PushedText, at now: Int64) {
    (text, source, since, wave) = (pushed.text, pushed.source, now, pushed.wave)
    plain = pushed.isPlain ? true : nil
    until = pushed.milliseconds.map { now + Int64($0) }
    staleFrom = pushed.staleMilliseconds.map { now + Int64($0) }
  }

  func shown(at now: Int64) -> BoardText {
    BoardText(text, isStale: isStale(at: now), isPlain: plain ?? false, wave: wave)
  }

  func isStale(at now: Int64) -> Bool { staleFrom.map { $0 <= now } ?? false }
}

extension Boards {
  /// Removes the texts that are over at `now`.
  mutating func expire(at now: Int64) {
    for (board, entry) in entries where entry.until.map({ $0 <= now }) ?? false {
      _ = remove(board)
    }
  }

  /// The next time after `now` at which a text disappears or becomes stale.
  func next(after now: Int64) -> Int64? {
    entries.values.flatMap { [$0.until, $0.staleFrom] }.compactMap { $0 }.filter { $0 > now }.min()
  }
}
