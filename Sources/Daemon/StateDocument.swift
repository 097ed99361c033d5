// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Scoreboard

/// The state file: a match as JSON, with the moment at which it was written.
///
/// Version 1 had the scoreboard alone. Version 2 has the history and the clocks: instants are those of
/// CLOCK_MONOTONIC when it was written, and `saved` says what that clock and the wall clock were.
struct StateDocument: Hashable {
  static let currentVersion = 2
  /// Of steps that are written; what is older is forgotten with the process.
  static let historyLimit = 200
  /// Bytes of each of the two lists of steps: a write of more would wear an SD card out.
  static let historyBytes = 128 * 1024

  /// A moment on both clocks, nanoseconds.
  struct Moment: Codable, Hashable {
    var clock: Int64
    var wall: Int64
  }

  /// Percent, as set by hand. It holds while the config says what it said then.
  struct Brightness: Codable, Hashable {
    var percent: Int
    /// The config's.
    var insteadOf: Int
  }

  enum Failure: Error, Hashable {
    case foreign
    case version(Int)
  }

  var version: Int
  var match: Match
  /// Nil: by version 1, which had no clocks.
  var saved: Moment?
  var brightness: Brightness?
  /// The history could not be read, and is not there.
  var lostHistory = false
}

// MARK: Reading

extension StateDocument {
  private struct Version: Decodable { var version: Int }

  private struct Body: Decodable {
    var scoreboard: Scoreboard
    var saved: Moment?
    var revision: Int?
  }

  private struct History: Decodable {
    var past: [Match.Step]?
    var future: [Match.Step]?
  }

  private struct Light: Decodable {
    var brightness: Brightness?
  }

  init(reading bytes: [UInt8]) throws(Failure) {
    let decoder = JSONDecoder()
    let data = Data(bytes)
    guard let version = try? decoder.decode(Version.self, from: data).version else { throw .foreign }
    guard (1...Self.currentVersion).contains(version) else { throw .version(version) }
    guard let body = try? decoder.decode(Body.self, from: data) else { throw .foreign }
    // A score is worth more than what could be undone of it.
    let history = try? decoder.decode(History.self, from: data)
    let whole = Match(
      body.scoreboard, past: history?.past ?? [], future: history?.future ?? [], revision: body.revision ?? 0)
    self.version = version
    match = whole ?? Match(body.scoreboard)
    saved = body.saved
    // Nor is it worth a score.
    let light = try? decoder.decode(Light.self, from: data)
    brightness = light?.brightness.flatMap { (1...100).contains($0.percent) ? $0 : nil }
    lostHistory = history == nil || whole == nil
  }

  /// The match as it is at `now`, its instants on the clock of today.
  ///
  /// - Parameter runs: whether clocks that ran have run on since, by the wall clock, or stand where they
  ///   were when it was saved.
  func resumed(_ teams: [Scoreboard.Team], rules: GameRules, at now: Moment, runs: Bool) -> Match {
    var match = match
    guard let saved else {
      match.adopt(teams, rules: rules, at: now.clock)
      return match
    }
    // A wall clock that is behind the file's tells nothing: it has not been set yet.
    let (gap, overflow) = now.wall.subtractingReportingOverflow(saved.wall)
    let elapsed = overflow ? 0 : min(max(gap, 0), GameTimer.limit)
    let instant = now.clock.subtractingReportingOverflow(elapsed).partialValue
    let offset = instant.subtractingReportingOverflow(saved.clock).partialValue
    if runs {
      match.shift(by: offset)
      match.adopt(teams, rules: rules, at: instant)
    } else {
      // The time since does not count, not even for a change of a timer that is undone now.
      match.shift(by: offset, timers: now.clock.subtractingReportingOverflow(saved.clock).partialValue)
      match.adopt(teams, rules: rules, at: now.clock)
      match.pauseTimers(at: now.clock)
    }
    return match
  }
}

// MARK: Writing

/// Writes states; remembers how steps are written, for they do not change and there are many.
struct StateWriter {
  private struct Head: Encodable {
    var version = StateDocument.currentVersion
    var saved: StateDocument.Moment
    var revision: Int
    var scoreboard: Scoreboard
    var brightness: StateDocument.Brightness?
  }

  private var known: [Int: [UInt8]] = [:]
  private let encoder: JSONEncoder

  init() {
    encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  }

  mutating func bytes(
    of match: Match, at moment: StateDocument.Moment, brightness: StateDocument.Brightness? = nil
  ) throws -> [UInt8] {
    let head = Head(
      saved: moment, revision: match.revision, scoreboard: match.board, brightness: brightness)
    var used: [Int: [UInt8]] = [:]
    var text = Array(try encoder.encode(head).dropLast())
    text += Array(",\n\"past\":[".utf8)
    text += try list(match.past, &used)
    text += Array("],\n\"future\":[".utf8)
    text += try list(match.future, &used)
    known = used
    return text + Array("]}\n".utf8)
  }

  /// The last steps, as many as there is room for.
  private func list(_ steps: [Match.Step], _ used: inout [Int: [UInt8]]) throws -> [UInt8] {
    var texts: [[UInt8]] = []
    var room = StateDocument.historyBytes
    for step in steps.suffix(StateDocument.historyLimit).reversed() {
      let text = try known[step.number] ?? Array(encoder.encode(step))
      room -= text.count + 2
      if room < 0 { break }
      texts.append(text)
      used[step.number] = text
    }
    return Array(texts.reversed().joined(separator: Array(",\n".utf8)))
  }
}
