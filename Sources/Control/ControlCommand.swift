// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// What flipclockctl was told to do.
public enum ControlCommand: Hashable, Sendable {
  case status
  case setScore(team: String, score: Int)
  case addScore(team: String, points: Int)
  /// A method that changes the match and tells what it did.
  case change(String, [String: JSONValue])
  case history(limit: Int)
  /// Goes on until the daemon or the reader leaves: `watch(on:json:write:)`.
  case watch
  case show(page: String)
  /// Nil milliseconds: for a while; 0: until it is cleared.
  case message(String, milliseconds: Int?)
  case clearMessage
  case blank
  case unblank
  case toggleBlank
  /// Tells it.
  case brightness
  /// Percent; nil: as the config says.
  case setBrightness(Int?)
  case addBrightness(Int)
  case reload
  /// `-`: standard output.
  case screenshot(file: String)

  /// The words of the command line.
  public static let verbs = [
    "status", "set-score", "add-score", "set", "timer", "undo", "redo", "history", "penalty", "swap",
    "new-game", "reset", "watch", "show", "message", "blank",
    "unblank", "brightness", "reload", "screenshot",
  ]
}

/// How flipclockctl ends (CONVENTIONS: stable).
public enum CommandExit: Int32, Sendable {
  case success = 0
  /// The daemon cannot be reached, or input or output failed.
  case unreachable = 1
  case refused = 2
  case usage = 64
  case invalidConfig = 78
}

/// What a command has to say: text for standard output, lines for standard error, and the exit status.
public struct CommandResult: Hashable, Sendable {
  public var output: [UInt8] = []
  /// `FILE:LINE:COLUMN: error: …`, the warnings likewise, and the source lines, for standard error before the diagnostics and as
  /// they are: editors jump to them.
  public var located: [String] = []
  public var diagnostics: [String] = []
  public var status = CommandExit.success
  /// What the daemon refused with, for `--json`.
  public var error: ControlError?

  init(_ text: String = "", diagnostics: [String] = [], status: CommandExit = .success) {
    output = Array(text.utf8)
    self.diagnostics = diagnostics
    self.status = status
  }

  public init(_ error: ControlClientError) {
    diagnostics = [error.description.printable]
    if case .refused(let refusal) = error {
      status = .refused
      self.error = refusal
    } else {
      status = .unreachable
    }
  }
}

extension ControlCommand {
  /// Does the command over `client`.
  ///
  /// - Parameter json: output for machines: one JSON value on one line.
  public func run(on client: inout ControlClient, json: Bool) -> CommandResult {
    do throws(ControlClientError) { return try perform(on: &client, json: json) } catch {
      return CommandResult(error)
    }
  }

  private func perform(
    on client: inout ControlClient, json: Bool
  ) throws(ControlClientError) -> CommandResult {
    guard let call else {
      var result = CommandResult()
      try Self.watch(on: &client, json: json) { text in
        result.output += text
        return true
      }
      return result
    }
    let reply = try client.call(call.method, call.parameters)
    switch self {
    case .status:
      guard let status = reply["status"] else { throw .malformedReply("there is no 'status' in it") }
      return CommandResult((json ? status.text : StatusText.table(of: status)) + "\n")
    case .setScore, .addScore: return try Self.team(reply, json)
    case .change(let method, _):
      if json { return CommandResult(JSONValue.object(reply).text + "\n") }
      let mark = ["Undo": "undone: ", "Redo": "redone: "][method] ?? ""
      return CommandResult("\(reply["what"]?.string.map { mark + $0.printable } ?? "nothing changed")\n")
    case .history:
      return CommandResult(json ? JSONValue.object(reply).text + "\n" : MatchText.history(reply))
    case .watch: return CommandResult()
    case .show:
      guard let shown = reply["page"]?.string else { throw .malformedReply("there is no 'page' in it") }
      return CommandResult(json ? JSONValue.object(reply).text + "\n" : "\(shown.printable)\n")
    case .message, .clearMessage, .blank, .unblank, .toggleBlank, .brightness, .setBrightness, .addBrightness:
      return try displayed(reply, json: json)
    case .reload: return Self.reloaded(reply, json)
    case .screenshot(let file): return try Self.save(reply, to: file, json)
    }
  }

  /// Writes each state as it comes, one line each, until `write` says that nobody reads any more. Throws
  /// `streamEnded` when the daemon goes.
  public static func watch(
    on client: inout ControlClient, json: Bool, write: ([UInt8]) -> Bool
  ) throws(ControlClientError) {
    var hasBegun = false
    var shown: (line: String, state: JSONValue)?
    do throws(ControlClientError) {
      try client.stream("\(ControlInterface.name).Subscribe") { reply in
        guard let state = reply["state"] else { return true }
        hasBegun = true
        if json { return write(Array("\(state.text)\n".utf8)) }
        let line = MatchText.line(of: state)
        // Other changes are described in words.
        let isSeen = shown.map { $0.line != line } ?? true
        let text = isSeen ? line : "\(line)  (\(MatchText.change(from: shown?.state, to: state)))"
        shown = (line, state)
        return write(Array("\(text)\n".utf8))
      }
    } catch {
      switch error {
      case .disconnected where hasBegun: throw .streamEnded
      case .broken(let cause) where hasBegun && [ECONNRESET, EPIPE].contains(cause.errno.rawValue):
        throw .streamEnded
      default: throw error
      }
    }
  }

  private static func team(
    _ reply: [String: JSONValue], _ json: Bool
  ) throws(ControlClientError) -> CommandResult {
    guard let team = reply["team"] else { throw .malformedReply("there is no 'team' in it") }
    if json { return CommandResult(team.text + "\n") }
    if let note = reply["note"]?.string { return CommandResult("\(note.printable)\n") }
    let name = team["name"]?.string ?? team["id"]?.string ?? "?"
    return CommandResult("\(name.printable) \(team["score"]?.integer ?? 0)\n")
  }

  private static func reloaded(_ reply: [String: JSONValue], _ json: Bool) -> CommandResult {
    let ok = reply["ok"]?.bool ?? false
    let errors = reply["errors"]?.array?.compactMap(\.string) ?? []
    let warnings = reply["warnings"]?.array?.compactMap(\.string) ?? []
    var result = CommandResult(json ? JSONValue.object(reply).text + "\n" : ok ? "config reloaded\n" : "")
    result.located = (errors + warnings).flatMap { $0.split(separator: "\n").map { String($0).printable } }
    if !ok {
      result.status = .invalidConfig
      result.diagnostics.append("the config has errors; the last good one stays in force")
    }
    return result
  }

  private static func save(
    _ reply: [String: JSONValue], to file: String, _ json: Bool
  ) throws(ControlClientError) -> CommandResult {
    guard let text = reply["png"]?.string, let png = Data(base64Encoded: text) else {
      throw .malformedReply("there is no 'png' in base64 in it")
    }
    var result = CommandResult()
    if file == "-" {
      result.output = Array(png)
      return result
    }
    do { try FileReplacement.write(Array(png), to: file) } catch {
      return CommandResult(diagnostics: ["\(error)".printable], status: .unreachable)
    }
    let width = reply["width"]?.integer ?? 0
    let height = reply["height"]?.integer ?? 0
    if json {
      let written: [String: JSONValue] = [
        "file": .string(file), "width": .integer(Int64(width)), "height": .integer(Int64(height)),
        "bytes": .integer(Int64(png.count)),
      ]
      return CommandResult(JSONValue.object(written).text + "\n")
    }
    return CommandResult("wrote \(file.printable): \(width)×\(height), \(png.count) bytes\n")
  }
}

extension String {
  /// With control characters as `\u{…}`: what others wrote must not steer the terminal.
  public var printable: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    return unicodeScalars.map { $0.isControl ? $0.escaped(asASCII: true) : String($0) }.joined()
  }
}

extension Unicode.Scalar {
  /// C0, DEL, C1, line separators and what turns the direction of text around.
  fileprivate var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7f..<0xa0, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
