// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Commands
import ConfigChecks
import JSON
import Scoreboard
import Settings
import WallState
import Walls

/// The content of the state file: a wall as JSON, and when it was written.
///
/// Version 1 has only the scoreboard. Version 2 adds the history and the timers. Their instants are match
/// times; `saved` is the moment of writing, on the clock of the match and on the wall clock. Reading uses it
/// to convert all instants to the current match time, so the files of older releases, with times of
/// CLOCK_MONOTONIC, are read too.
struct StateDocument: Hashable {
  static let currentVersion = 2
  /// The maximum number of steps in each of the lists `past` and `future`. The steps that would be undone or
  /// redone after these are not saved.
  static let historyLimit = 200
  /// The maximum size of each of these lists in bytes, because large writes wear out an SD card.
  static let historyBytes = 128 * 1024

  enum Failure: Error, Hashable {
    /// The file is damaged, or is not a state file.
    case foreign
    /// The file has an unsupported version.
    case version(Int)
  }

  var version: Int
  /// The wall as it was written: the instants of the match are on the clock of `saved`.
  var wall: SavedWall
  /// Nil in version 1.
  var saved: Moment?
  /// The rules of the match; nil in files of older releases.
  var rules: GameRules?
  /// Whether the file has a history that could not be read.
  var lostHistory = false
  /// The entries that could not be read, such as `countdowns 'doors'`.
  var leftOut: [String] = []

  var match: Match { wall.match }
}

// MARK: Reading

extension StateDocument {
  private struct Body: Decodable {
    var scoreboard: Scoreboard
    var saved: Moment?
    var revision: Int?
  }

  private struct History: Decodable {
    var past: [Match.Step]?
    var future: [Match.Step]?
  }

  private struct Replaced: Decodable {
    var scoreboard: Scoreboard
    var rules: GameRules
    var revision: Int
    var past: [Match.Step]
    var future: [Match.Step]
    var id: String?
    var next: Int64

    /// Nil: it is damaged.
    func match(at time: Int64) -> ReplacedMatch? {
      guard rules.isSound, var match = Match(scoreboard, past: past, future: future, revision: revision)
      else { return nil }
      match.adopt(scoreboard.teams, rules: rules, at: time)
      return ReplacedMatch(match: match, id: id, next: next)
    }
  }

  init(reading bytes: [UInt8]) throws(Failure) {
    // Invalid UTF-8 is replaced, so that the rest of a damaged file can be read.
    let bytes = Array(String(decoding: bytes, as: UTF8.self).utf8)
    let value: JSONValue
    do { value = try JSONReader.read(bytes) } catch { throw .foreign }
    func part<Part: Decodable>(_ name: String, as type: Part.Type) -> Part? {
      try? value[name]?.decoded(as: type)
    }
    var leftOut: [String] = []
    /// A damaged entry of a table is left out, and so are those above the maximum number.
    func table<Entry: Decodable>(
      _ name: String, of type: Entry.Type, maximum: Int = .max, where isSound: (String, Entry) -> Bool
    ) -> [String: Entry] {
      guard let members = value[name]?.object else {
        if value[name] != nil { leftOut.append(name) }
        return [:]
      }
      var entries: [String: Entry] = [:]
      for (key, member) in members.sorted(by: { $0.key < $1.key }) {
        if entries.count < maximum, let entry = try? member.decoded(as: type), isSound(key, entry) {
          entries[key] = entry
        } else {
          leftOut.append("\(name) '\(key.printable)'")
        }
      }
      return entries
    }
    guard let version = part("version", as: Int.self) else { throw .foreign }
    guard (1...Self.currentVersion).contains(version) else { throw .version(version) }
    guard let body = try? value.decoded(as: Body.self) else { throw .foreign }
    // If only the history, or another part, is damaged, the rest is still used.
    let history = try? value.decoded(as: History.self)
    let whole = Match(
      body.scoreboard, past: history?.past ?? [], future: history?.future ?? [], revision: body.revision ?? 0)
    self.version = version
    wall = SavedWall(whole ?? Match(body.scoreboard))
    saved = body.saved
    let isSound = { (set: Holds.Brightness) in (1...100).contains(set.percent) }
    wall.holds.brightness = part("brightness", as: Holds.Brightness.self).flatMap { isSound($0) ? $0 : nil }
    wall.holds.outputBrightness = table("outputBrightness", of: Holds.Brightness.self) { isSound($1) }
    wall.page = part("page", as: String.self)
    wall.overruledBreak = part("overruledBreak", as: GameBreak.Kind.self)
    wall.holds.page = part("heldPage", as: Holds.Page.self)
    rules = part("rules", as: GameRules.self).flatMap { $0.isSound ? $0 : nil }
    wall.shared = part("walls", as: SavedPart.self)
    wall.boards = table("boards", of: PushedEntry.self) { _, _ in true }
    wall.countdowns = table("countdowns", of: SavedCountdown.self, maximum: Countdown.maximumNumber) {
      Countdown.isName($0) && $1.isSound
    }
    wall.performed = part("performed", as: PerformedCommands.self) ?? PerformedCommands()
    wall.hasOwner = part("hasOwner", as: Bool.self) ?? false
    wall.replaced = part("replaced", as: Replaced.self)?.match(at: saved?.clock ?? 0)
    if wall.replaced == nil, value["replaced"] != nil { leftOut.append("replaced") }
    lostHistory = history == nil || whole == nil
    self.leftOut = leftOut
  }

  /// The saved wall. Its match has the teams of this config. It has the config's rules, or its own if they
  /// are those of another game. Its clocks are paused or continue as `resume` in `[game]` specifies.
  func resumed(by configuration: Configuration, at now: Moment = .now) -> SavedWall {
    let game = configuration.game
    let own = rules.flatMap { $0.isSameGame(as: game.rules) ? nil : $0 }
    var wall = wall
    wall.match = resumed(
      configuration.scoreboardTeams, rules: own ?? game.rules, at: now, runs: game.resume == .running)
    wall.replaced = wall.replaced.map { replaced in
      var replaced = replaced
      replaced.match = resumed(
        of: replaced.match, configuration.scoreboardTeams, rules: replaced.match.scoreboard.rules, at: now,
        runs: false)
      return replaced
    }
    // If the wall clock is behind the saved time, it has not been set yet.
    if let saved, now.realtime < saved.realtime {
      for name in wall.countdowns.keys { wall.countdowns[name]?.pause() }
    }
    return wall
  }

  /// The match at `now`, with its instants converted to the current match time.
  ///
  /// - Parameters:
  ///   - other: another match of the file; nil: the wall's.
  ///   - runs: whether running timers continue as if they had never stopped, by the wall clock; otherwise
  ///   they
  ///     are paused at their saved values.
  func resumed(
    of other: Match? = nil, _ teams: [Scoreboard.Team], rules: GameRules, at now: Moment, runs: Bool
  ) -> Match {
    var match = other ?? match
    guard let saved else {
      match.adopt(teams, rules: rules, at: now.clock)
      return match
    }
    // If the wall clock is behind the saved time, it has not been set yet, and no time is added.
    let (gap, overflow) = now.realtime.subtractingReportingOverflow(saved.realtime)
    let elapsed = overflow ? 0 : min(max(gap, 0), GameTimer.limit)
    let instant = now.clock.subtractingReportingOverflow(elapsed).partialValue
    let offset = instant.subtractingReportingOverflow(saved.clock).partialValue
    if runs {
      match.shift(by: offset)
      match.adopt(teams, rules: rules, at: instant)
    } else {
      // The downtime does not count, not even when a change of a timer is undone later.
      match.shift(by: offset, timers: now.clock.subtractingReportingOverflow(saved.clock).partialValue)
      match.adopt(teams, rules: rules, at: now.clock)
      match.pauseTimers(at: now.clock)
    }
    return match
  }
}

// MARK: Writing

/// Encodes states. Keeps the encoded steps, because there are many and they do not change.
struct StateWriter {
  private struct Head: Encodable {
    var version = StateDocument.currentVersion
    var saved: Moment
    var revision: Int
    var scoreboard: Scoreboard
    var brightness: Holds.Brightness?
    /// Nil if it is empty, so that it is not written.
    var outputBrightness: [String: Holds.Brightness]?
    var page: String?
    var overruledBreak: GameBreak.Kind?
    var heldPage: Holds.Page?
    var rules: GameRules
    var walls: SavedPart?
    /// Nil if there are none, so that they are not written.
    var performed: PerformedCommands?
    var boards: [String: PushedEntry]?
    var countdowns: [String: SavedCountdown]?
    /// Nil if there is none, so that it is not written.
    var hasOwner: Bool?
  }

  private struct Replaced: Encodable {
    var scoreboard: Scoreboard
    var rules: GameRules
    var revision: Int
    var id: String?
    var next: Int64
  }

  private var known: [Int: [UInt8]] = [:]

  mutating func bytes(of wall: SavedWall, at moment: Moment) throws -> [UInt8] {
    let (match, holds) = (wall.match, wall.holds)
    let head = Head(
      saved: moment, revision: match.revision, scoreboard: match.scoreboard, brightness: holds.brightness,
      outputBrightness: holds.outputBrightness.isEmpty ? nil : holds.outputBrightness, page: wall.page,
      overruledBreak: wall.overruledBreak,
      heldPage: holds.page, rules: match.scoreboard.rules, walls: wall.shared,
      performed: wall.performed.entries.isEmpty ? nil : wall.performed,
      boards: wall.boards.isEmpty ? nil : wall.boards,
      countdowns: wall.countdowns.isEmpty ? nil : wall.countdowns, hasOwner: wall.hasOwner ? true : nil)
    var used: [Int: [UInt8]] = [:]
    var text = try JSONValue(encoding: head).bytes.dropLast()
    try add(match, to: &text, &used)
    known = used
    if let replaced = wall.replaced {
      let board = replaced.match.scoreboard
      let head = Replaced(
        scoreboard: board, rules: board.rules, revision: replaced.match.revision, id: replaced.id,
        next: replaced.next)
      text += try Array(",\n\"replaced\":".utf8) + JSONValue(encoding: head).bytes.dropLast()
      // Another match, whose steps may have the same numbers.
      var (writer, used) = (StateWriter(), [Int: [UInt8]]())
      try writer.add(replaced.match, to: &text, &used)
      text += Array("}".utf8)
    }
    return Array(text + Array("}\n".utf8))
  }

  /// Adds the history of a match.
  private mutating func add(
    _ match: Match, to text: inout ArraySlice<UInt8>, _ used: inout [Int: [UInt8]]
  ) throws {
    text += Array(",\n\"past\":[".utf8)
    text += try list(match.past, &used)
    text += Array("],\n\"future\":[".utf8)
    text += try list(match.future, &used)
    text += Array("]".utf8)
  }

  /// The last steps of the list within the limits: those that would be undone or redone first.
  private func list(_ steps: [Match.Step], _ used: inout [Int: [UInt8]]) throws -> [UInt8] {
    var texts: [[UInt8]] = []
    var room = StateDocument.historyBytes
    for step in steps.suffix(StateDocument.historyLimit).reversed() {
      let text = try known[step.number] ?? JSONValue(encoding: step).bytes
      room -= text.count + 2
      if room < 0 { break }
      texts.append(text)
      used[step.number] = text
    }
    return Array(texts.reversed().joined(separator: Array(",\n".utf8)))
  }
}
