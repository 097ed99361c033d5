// SPDX-License-Identifier: Apache-2.0

import Commands
import Settings

/// The texts that were pushed to boards, by the names of their widgets.
package struct Boards: Hashable, Sendable {
  /// A pushed text. Times are milliseconds of CLOCK_REALTIME.
  package struct Entry: Codable, Hashable, Sendable {
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

  /// Why the source of a board's text fails, and since when, in milliseconds of CLOCK_REALTIME.
  struct Problem: Hashable, Sendable {
    var text: String
    var since: Int64
  }

  /// How many texts a board accepts at once after a pause, and how long each takes from this, in nanoseconds.
  private static let burst: Int64 = 30
  private static let interval: Int64 = 100_000_000

  package private(set) var entries: [String: Entry] = [:]
  /// They are not saved, because a source that still fails reports its problem again.
  private(set) var problems: [String: Problem] = [:]
  /// For each board the match time from which it accepts a burst again.
  private var restedFrom: [String: Int64] = [:]
  /// When the entries were last given out to be saved, in match time, and whether they have changed since.
  private var savedAt: Int64?
  private var isChanged = false

  package init(_ entries: [String: Entry] = [:]) { self.entries = entries }

  /// Takes a text that comes at `clock`, in match time.
  ///
  /// - Returns: nil, or in how many nanoseconds the board accepts the next text.
  mutating func set(_ board: String, to entry: Entry, at clock: Int64) -> Int64? {
    let rested = max(restedFrom[board] ?? clock, clock) + Self.interval
    let wait = rested - clock - Self.burst * Self.interval
    guard wait <= 0 else { return wait }
    restedFrom[board] = rested
    (entries[board], problems[board], isChanged) = (entry, nil, true)
    return nil
  }

  /// - Returns: the text that was removed.
  mutating func clear(_ board: String) -> String? {
    problems[board] = nil
    guard let entry = entries.removeValue(forKey: board) else { return nil }
    isChanged = true
    return entry.text
  }

  /// Removes the texts of boards that do not exist, and returns their names.
  mutating func keep(only boards: [String]) -> [String] {
    let gone = entries.keys.filter { !boards.contains($0) }.sorted()
    for board in gone { _ = clear(board) }
    problems = problems.filter { boards.contains($0.key) }
    return gone
  }

  /// Notes why there is no new text for a board. A problem has lasted since the first report after the last text.
  mutating func report(_ problem: String, of board: String, at now: Int64) {
    problems[board] = Problem(text: problem, since: problems[board]?.since ?? now)
  }

  /// Removes the texts that are over at `now`.
  mutating func expire(at now: Int64) {
    for (board, entry) in entries where entry.until.map({ $0 <= now }) ?? false {
      (entries[board], isChanged) = (nil, true)
    }
  }

  /// The next time after `now` at which a text disappears or becomes stale.
  func next(after now: Int64) -> Int64? {
    entries.values.flatMap { [$0.until, $0.staleFrom] }.compactMap { $0 }.filter { $0 > now }.min()
  }

  // MARK: Saving

  /// How long after a save the texts are saved again at the earliest, in nanoseconds. A board that changes
  /// every second must not wear out an SD card.
  private static let saveInterval: Int64 = 60_000_000_000

  /// When the texts are to be saved, in match time; nil: they have not changed.
  var saveDue: Int64? { isChanged ? savedAt.map { $0 + Self.saveInterval } ?? .min : nil }

  /// Notes that the texts are saved.
  mutating func save(at clock: Int64) { (savedAt, isChanged) = (clock, false) }
}
