// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Control
import Glibc
import LinuxSystem
import Scoreboard
import Settings
import Varlink
import Walls

/// The matches that were set aside because another replaced them: state files `match-ID.json` in the state directory.
struct AsideMatches {
  private struct Entry {
    let id: String
    let document: StateDocument

    /// When it was set aside, CLOCK_REALTIME in nanoseconds.
    var time: Int64 { document.saved?.wall ?? 0 }

    /// The match at rest, by these rules.
    func match(_ rules: GameRules) -> Match {
      document.resumed(document.match.board.teams, rules: rules, at: .now, runs: false)
    }
  }

  private static let prefix = "match-"
  private static let suffix = ".json"

  private let directory: String
  /// The newest first.
  private var entries: [Entry] = []

  init(directory: String) { self.directory = directory }

  private func path(_ id: String) -> String { "\(directory)/\(Self.prefix)\(id)\(Self.suffix)" }

  private static func id(_ history: BoardHistory) -> String {
    "\(String(history.stamp.run.id, radix: 16))-\(history.stamp.number)"
  }

  /// Reads the files that earlier runs have left.
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
    document.match = Match(document.match.board)
    entries.removeAll { $0.id == id }
    let index = entries.firstIndex { $0.time < document.saved?.wall ?? 0 } ?? entries.endIndex
    entries.insert(Entry(id: id, document: document), at: index)
  }

  mutating func keep(_ aside: WallEffects.SetAside, log: Log) {
    let id = Self.id(aside.history)
    do {
      var writer = StateWriter()
      let bytes = try writer.bytes(of: aside.held.match, at: .now)
      try AtomicFile.write(bytes, to: path(id), mode: 0o640)
      add(id, try StateDocument(reading: bytes))
      log.notice(
        "the match that this wall had was set aside: \(path(id)); 'flipclockctl match' brings it back")
    } catch {
      log.error("the match that this wall had could not be set aside: \(error)")
    }
  }

  /// Removes a match that is part of the present one.
  mutating func forget(_ history: BoardHistory) {
    let id = Self.id(history)
    unlink(path(id))
    entries.removeAll { $0.id == id }
  }

  /// What the interface says of them.
  func list(_ rules: GameRules) -> [AsideMatch] {
    entries.map { entry in
      var state = MatchState(entry.match(rules), at: MatchTime.now)
      state.timers = [:]
      return AsideMatch(
        id: entry.id, time: Instant(seconds: entry.time / 1_000_000_000).rfc3339UTC,
        text: MatchText.line(of: state))
    }
  }

  /// The one whose id begins like this.
  func board(_ id: String, _ rules: GameRules) throws(ControlError) -> Scoreboard {
    let found = entries.filter { $0.id.hasPrefix(id) }
    guard let entry = found.first, found.count == 1, !id.isEmpty else {
      throw .unknownMatch(id, known: entries.map(\.id))
    }
    return entry.match(rules).board
  }
}
