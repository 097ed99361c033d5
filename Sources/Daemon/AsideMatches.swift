// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ControlCalls
import Glibc
import LinuxSystem
import Scoreboard
import Settings
import WallState
import Walls

/// The matches that were set aside because another replaced them: state files `match-ID.json` in the state
/// directory.
struct AsideMatches {
  private struct Entry {
    let id: String
    let document: StateDocument

    /// When it was set aside, CLOCK_REALTIME in nanoseconds.
    var time: Int64 { document.saved?.realtime ?? 0 }

    /// The match with its timers paused. It has the rules in its file, or `rules` if a file of an older
    /// release has none.
    func match(_ rules: GameRules) -> Match {
      document.resumed(document.match.scoreboard.teams, rules: document.rules ?? rules, at: .now, runs: false)
    }

    /// The preset of the match if its game is not that of `rules`, else nil.
    func otherGame(than rules: GameRules) -> String? {
      document.rules.flatMap { $0.isSameGame(as: rules) ? nil : $0.preset }
    }
  }

  private static let prefix = "match-"
  private static let suffix = ".json"

  private let directory: String
  /// The newest first.
  private var entries: [Entry] = []

  init(directory: String) { self.directory = directory }

  private func path(_ id: String) -> String { "\(directory)/\(Self.prefix)\(id)\(Self.suffix)" }

  private static func id(_ history: SharedHistory) -> String {
    "\(String(history.stamp.run.id, radix: 16))-\(history.stamp.number)"
  }

  /// Reads the files of earlier runs.
  mutating func load(limit: Int, log: Log) {
    for name in fileNames(in: directory) ?? []
    where name.hasPrefix(Self.prefix) && name.hasSuffix(Self.suffix) {
      let id = String(name.dropFirst(Self.prefix.count).dropLast(Self.suffix.count))
      do {
        add(id, try StateDocument(reading: try readFile(path(id), limit: limit)))
      } catch {
        log.warning("a match that was set aside cannot be read: \(path(id).printable): \(error)")
      }
    }
  }

  private mutating func add(_ id: String, _ document: StateDocument) {
    var document = document
    document.wall.match = Match(document.match.scoreboard)
    entries.removeAll { $0.id == id }
    let index = entries.firstIndex { $0.time < document.saved?.realtime ?? 0 } ?? entries.endIndex
    entries.insert(Entry(id: id, document: document), at: index)
  }

  mutating func keep(_ aside: WallEffects.SetAside, log: Log) {
    _ = keep(aside.held.match, as: Self.id(aside.history), log: log)
  }

  /// Sets a match aside, and returns its id; nil if it could not be saved.
  ///
  /// - Parameter name: its id; nil: a random one.
  mutating func keep(_ match: Match, as name: String? = nil, log: Log) -> String? {
    // The match may have been set aside before: the daemon may have been killed before it saved the next one.
    let rules = match.scoreboard.rules
    if name == nil, let entry = entries.first(where: { $0.match(rules).scoreboard == match.scoreboard }) {
      return entry.id
    }
    let id = name ?? "\(String(UInt32.random(in: 0 ... .max), radix: 16))-\(match.revision)"
    do {
      var writer = StateWriter()
      let bytes = try writer.bytes(of: SavedWall(match), at: .now)
      try AtomicFile.write(bytes, to: path(id), mode: 0o640)
      add(id, try StateDocument(reading: bytes))
      log.notice(
        "this wall's match was set aside: \(path(id)); 'flipclockctl match restore \(id)' brings it back"
      )
      return id
    } catch {
      log.error("this wall's match could not be set aside: \(error)")
      return nil
    }
  }

  /// Removes a match that need not be kept any more.
  mutating func forget(_ history: SharedHistory) { forget(Self.id(history)) }

  mutating func forget(_ id: String) {
    unlink(path(id))
    entries.removeAll { $0.id == id }
  }

  /// The matches for the interface, the newest first, without the one that was brought back and is played.
  ///
  /// - Parameters:
  ///   - present: the present match.
  ///   - ofOtherGames: whether to include matches of other games, which cannot be restored now.
  func list(_ present: Match, ofOtherGames: Bool = true) -> [AsideMatch] {
    let rules = present.scoreboard.rules
    return entries.filter { entry in
      (ofOtherGames || entry.otherGame(than: rules) == nil)
        && !present.continues(entry.match(rules).scoreboard)
    }.map { entry in
      var state = MatchState(entry.match(rules), at: MatchTime.now)
      (state.timers, state.gameBreak) = ([:], nil)
      let game = entry.otherGame(than: rules).map { "\($0): " } ?? ""
      return AsideMatch(
        id: entry.id, time: Instant(seconds: entry.time / 1_000_000_000).rfc3339UTC,
        text: game + MatchText.line(of: state))
    }
  }

  /// The warnings of `status` about matches of other games.
  func warnings(_ rules: GameRules) -> [String] {
    let games = Set(entries.compactMap { $0.otherGame(than: rules) }).sorted()
    guard !games.isEmpty else { return [] }
    return [
      "[game] in the config is \(rules.preset) now, so a match of \(games.joined(separator: ", ")) was set aside; "
        + "'flipclockctl match list' prints it"
    ]
  }

  /// The match whose id begins with `id`. Fails unless exactly one id begins with it and the match is of the
  /// game with these rules.
  func scoreboard(_ id: String, _ rules: GameRules) throws(ControlError) -> Scoreboard {
    let found = entries.filter { $0.id.hasPrefix(id) }
    guard let entry = found.first, found.count == 1, !id.isEmpty else {
      throw .unknownMatch(match: id, known: entries.map(\.id))
    }
    if let game = entry.otherGame(than: rules) { throw .otherGame(game: game, current: rules.preset) }
    return entry.match(rules).scoreboard
  }
}
