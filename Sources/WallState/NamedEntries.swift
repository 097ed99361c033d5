// SPDX-License-Identifier: Apache-2.0

/// Things with names that clients set and clear while the wall runs: the texts of boards, and countdowns.
/// Limits how often they are set, and how often they are saved.
package struct NamedEntries<Entry: Hashable & Sendable>: Hashable, Sendable {
  /// How many changes of one entry are accepted at once after a pause, and how long each takes from this, in
  /// nanoseconds.
  private static var burst: Int64 { 30 }
  private static var interval: Int64 { 100_000_000 }

  package private(set) var entries: [String: Entry] = [:]
  /// Why the program that sets an entry fails. They are not saved, because a program that still fails reports
  /// its problem again.
  private(set) var problems: [String: EntryProblem] = [:]
  /// For each name the match time from which a burst is accepted again.
  private var restedFrom: [String: Int64] = [:]
  /// When the entries were last given out to be saved, in match time, and whether they have changed since.
  private var savedAt: Int64?
  private var isChanged = false

  package init(_ entries: [String: Entry] = [:]) { self.entries = entries }

  /// Takes an entry that comes at `clock`, in match time.
  ///
  /// - Returns: nil, or in how many nanoseconds the next change is accepted.
  mutating func set(_ name: String, to entry: Entry, at clock: Int64) -> Int64? {
    // Names that were used once are not kept for ever.
    if restedFrom.count > 64 { restedFrom = restedFrom.filter { $0.value > clock } }
    let rested = max(restedFrom[name] ?? clock, clock) + Self.interval
    let wait = rested - clock - Self.burst * Self.interval
    guard wait <= 0 else { return wait }
    restedFrom[name] = rested
    (entries[name], problems[name], isChanged) = (entry, nil, true)
    return nil
  }

  /// - Returns: the entry that was removed.
  mutating func clear(_ name: String) -> Entry? {
    problems[name] = nil
    return remove(name)
  }

  /// Removes an entry that is over. What sets it may still fail.
  mutating func remove(_ name: String) -> Entry? {
    guard let entry = entries.removeValue(forKey: name) else { return nil }
    isChanged = true
    return entry
  }

  /// Notes why an entry is not set again. A problem has lasted since the first report after the entry was
  /// set.
  mutating func report(_ problem: String, of name: String, at now: Int64) {
    problems[name] = EntryProblem(text: problem, since: problems[name]?.since ?? now)
  }

  // MARK: Saving

  /// How long after a save the entries are saved again at the earliest, in nanoseconds. A board that changes
  /// every second must not wear out an SD card.
  private static var saveInterval: Int64 { 60_000_000_000 }

  /// When the entries are to be saved, in match time; nil: they have not changed.
  var saveDue: Int64? { isChanged ? savedAt.map { $0 + Self.saveInterval } ?? .min : nil }

  /// Notes that the entries are saved.
  mutating func save(at clock: Int64) { (savedAt, isChanged) = (clock, false) }
}

/// Why the program that sets an entry fails, and since when, in milliseconds of CLOCK_REALTIME.
struct EntryProblem: Hashable, Sendable {
  var text: String
  var since: Int64
}
