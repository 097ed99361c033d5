// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import Glibc
import JSON
import LinuxSystem
import Varlink
import VarlinkSockets

/// The exit status of flipclockctl. The numbers are documented in flipclockctl(1) and do not change.
package enum CommandStatus: Int32, Sendable {
  case success = 0
  /// The daemon cannot be reached, or input or output failed.
  case unreachable = 1
  case refused = 2
  case usage = 64
  case invalidConfig = 78
}

/// The result of a command: text for standard output, lines for standard error, and the exit status.
package struct CommandResult: Hashable, Sendable {
  package var output: [UInt8] = []
  /// Errors and warnings in a config, as `FILE:LINE:COLUMN: error: …`. They are printed before the
  /// diagnostics and without a prefix, because editors recognize them.
  package var located: [String] = []
  package var diagnostics: [String] = []
  package var status = CommandStatus.success
  /// The daemon's error, for `--json`.
  package var error: VarlinkError?

  package init(_ text: String = "", diagnostics: [String] = [], status: CommandStatus = .success) {
    output = Array(text.utf8)
    self.diagnostics = diagnostics
    self.status = status
  }

  package init(_ error: VarlinkClientError) {
    diagnostics = [error.message.printable]
    if case .refused(let refusal) = error {
      status = .refused
      self.error = refusal
    } else {
      status = .unreachable
    }
  }
}

extension VarlinkClient {
  /// - Returns: the reply's parameters.
  package mutating func perform(_ command: Command) throws(VarlinkClientError) -> [String: JSONValue] {
    try call(VarlinkCall(command))
  }
}

extension Command {
  fileprivate func result(
    of reply: [String: JSONValue], json: Bool
  ) throws(VarlinkClientError) -> CommandResult {
    switch self {
    case .change(let change): return try change.result(of: reply, json: json)
    case .status:
      let status = try reply.member("status")
      return CommandResult((json ? status.text : StatusText.table(of: status)) + "\n")
    case .state, .watch:
      let state = try reply.member("state")
      return CommandResult((json ? state.text : MatchText.line(of: state)) + "\n")
    case .joinWalls, .takeWallMessage, .reportWalls, .reportOwners, .reportNetwork,
      .reportHorn:
      return CommandResult(JSONValue.object(reply).text + "\n")
    case .redeem: return CommandResult(try reply.member("role").text + "\n")
    case .watchDisplay: return CommandResult(try reply.member("display").text + "\n")
    case .history:
      return CommandResult(json ? JSONValue.object(reply).text + "\n" : MatchText.history(reply))
    case .boards:
      return CommandResult(json ? JSONValue.object(reply).text + "\n" : MatchText.boards(reply["boards"]))
    case .countdowns:
      return CommandResult(
        json ? JSONValue.object(reply).text + "\n" : MatchText.countdowns(reply["countdowns"]))
    case .matches:
      return CommandResult(json ? JSONValue.object(reply).text + "\n" : MatchText.matches(reply))
    case .settings, .setSettings, .importSettings:
      let effect = reply["match"]?.string.map { MatchEffect(rawValue: $0)?.message ?? "the match: \($0)" }
      let warnings = (reply["warnings"]?.array ?? []).compactMap(\.string) + (effect.map { [$0] } ?? [])
      return CommandResult(
        json ? JSONValue.object(reply).text + "\n" : SettingsText.lines(reply["settings"]),
        diagnostics: json ? [] : warnings.map(\.printable))
    case .reload: return Self.reloadResult(reply, json)
    case .examine: return CommandResult(JSONValue.object(reply).text + "\n")
    case .restart: return CommandResult(json ? "{}\n" : "flipclockd starts again\n")
    case .screenshot: return CommandResult(JSONValue.object(reply).text + "\n")
    }
  }

  private static func reloadResult(_ reply: [String: JSONValue], _ json: Bool) -> CommandResult {
    let ok = reply["ok"]?.bool ?? false
    let errors = reply["errors"]?.array?.compactMap(\.string) ?? []
    let warnings = reply["warnings"]?.array?.compactMap(\.string) ?? []
    var result = CommandResult(json ? JSONValue.object(reply).text + "\n" : ok ? "config reloaded\n" : "")
    result.located = (errors + warnings).flatMap { $0.split(separator: "\n").map { String($0).printable } }
    if !ok {
      result.status = .invalidConfig
      result.diagnostics.append("the config has errors; the present configuration stays in force")
    }
    return result
  }
}

extension VarlinkClient {
  /// Writes one line for each state when it arrives, until `write` returns false. Throws `streamEnded` if the
  /// daemon ends the stream after the first state.
  fileprivate mutating func watch(
    json: Bool, write: ([UInt8]) -> Bool
  ) throws(VarlinkClientError) {
    var shown: (line: String, state: JSONValue)?
    do throws(VarlinkClientError) {
      try stream(VarlinkCall(.watch)) { reply in
        guard let state = reply["state"] else { return true }
        let line = MatchText.line(of: state)
        defer { shown = (line, state) }
        if json { return write(Array("\(state.text)\n".utf8)) }
        // A change that the line does not show is described in words.
        let isVisible = shown.map { $0.line != line } ?? true
        let text = isVisible ? line : "\(line)  (\(MatchText.change(from: shown?.state, to: state)))"
        return write(Array("\(text)\n".utf8))
      }
    } catch {
      switch error {
      case .disconnected where shown != nil: throw .streamEnded
      case .broken(let cause) where shown != nil && cause.isDisconnection: throw .streamEnded
      default: throw error
      }
    }
  }
}

extension [String: JSONValue] {
  fileprivate func member(_ name: String) throws(VarlinkClientError) -> JSONValue {
    guard let value = self[name] else { throw .malformedReply("it has no '\(name)'") }
    return value
  }
}

extension Change {
  fileprivate func result(
    of reply: [String: JSONValue], json: Bool
  ) throws(VarlinkClientError) -> CommandResult {
    switch self {
    case .match(.setScore), .match(.addScore):
      let team = try reply.member("team")
      return CommandResult((json ? team.text : MatchText.change(reply, by: self)) + "\n")
    case .setBrightness, .addBrightness:
      return try CommandResult.brightness(reply["percent"]?.integer, json)
    default:
      return CommandResult((json ? JSONValue.object(reply).text : MatchText.change(reply, by: self)) + "\n")
    }
  }
}

extension CommandResult {
  static func brightness(_ percent: Int?, _ json: Bool) throws(VarlinkClientError) -> CommandResult {
    guard let percent else { throw .malformedReply("it has no brightness") }
    return CommandResult(json ? "{\"percent\":\(percent)}\n" : "\(percent)%\n")
  }
}

extension ClientRequest {
  /// Has the daemon perform the request, and describes the result.
  ///
  /// - Parameters:
  ///   - json: output for machines: one JSON value on one line.
  ///   - write: writes the lines of `watch` to standard output; returns false if standard output is closed.
  package func run(
    on client: inout VarlinkClient, json: Bool, write: ([UInt8]) -> Bool
  ) -> CommandResult {
    do throws(VarlinkClientError) {
      switch self {
      case .command(.watch):
        try client.watch(json: json, write: write)
        return CommandResult(status: .unreachable)
      case .command(let command): return try command.result(of: try client.perform(command), json: json)
      case .matchesCSV:
        return CommandResult(FinishedMatch.csv(FinishedMatch.all(in: try client.perform(.matches))))
      case .exportSettings: return CommandResult(try client.perform(.settings).member("text").string ?? "")
      case .importSettings(let file):
        let text: [UInt8]
        do throws(SystemError) {
          text =
            file == "-"
            ? try readAll(from: STDIN_FILENO, "standard input", limit: SettingsText.limit)
            : try readFile(file, limit: SettingsText.limit)
        } catch {
          return CommandResult(diagnostics: ["\(error)".printable], status: .unreachable)
        }
        let command = Command.importSettings(String(decoding: text, as: UTF8.self))
        return try command.result(of: try client.perform(command), json: json)
      case .brightness(let output):
        let status = try client.perform(.status).member("status")
        return try CommandResult.brightness(try status.brightness(of: output), json)
      case .screenshot(let file, let output):
        return try client.saveScreenshot(of: output, to: file, json: json)
      }
    } catch {
      return CommandResult(error)
    }
  }
}

extension JSONValue {
  /// The brightness in a status: that of one display, or without an `output` the common one.
  fileprivate func brightness(of output: String?) throws(VarlinkClientError) -> Int? {
    guard let output else { return self["brightness"]?.integer }
    let outputs = self["outputs"]?.array ?? []
    guard let found = outputs.first(where: { $0.outputNames.contains(output) }) else {
      throw .refused(ControlError.noSuchOutput(output: output, known: outputs.flatMap(\.outputNames)).wire)
    }
    // An older daemon drives one display, and has one brightness.
    return (found["brightness"] ?? self["brightness"])?.integer
  }
}

extension VarlinkClient {
  /// - Parameter file: the file to write; `-` for standard output.
  fileprivate mutating func saveScreenshot(
    of output: String?, to file: String, json: Bool
  ) throws(VarlinkClientError) -> CommandResult {
    let reply = try perform(.screenshot(output: output))
    guard let text = reply["png"]?.string, let png = Base64.bytes(text) else {
      throw .malformedReply("it has no 'png' in base64")
    }
    var result = CommandResult()
    if file == "-" {
      result.output = png
      return result
    }
    do { try FileReplacement.write(png, to: file) } catch {
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
