// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import ControlClient
import JSON
import Spelling
import Varlink
import VarlinkSockets

/// The interface org.flipclock.Web of flipclock-web: its paired devices, and the programs with a token.
/// `Sources/WebRemote` serves it.
package enum WebInterface {
  package static let name = "org.flipclock.Web"
  package static let environmentVariable = "FLIPCLOCK_WEB_SOCKET"

  /// A device: the interface's type `Device`.
  package struct Device: Codable, Hashable, Sendable {
    package var id: String
    package var role: String
    /// Whether it is a program with a token; nil if flipclock-web is older.
    package var program: Bool?
    /// The only board that it may set.
    package var board: String?
    package var name: String
    /// Whether it has the page open.
    package var connected: Bool
    /// RFC 3339.
    package var paired: String
    package var seen: String

    package init(
      id: String, role: String, program: Bool? = nil, board: String? = nil, name: String, connected: Bool,
      paired: String, seen: String
    ) {
      self.id = id
      self.role = role
      self.program = program
      self.board = board
      self.name = name
      self.connected = connected
      self.paired = paired
      self.seen = seen
    }
  }

  package enum Failure: DeclaredErrors {
    package static let interfaceName = WebInterface.name

    case unknownBoard(board: String, known: [String])
    case notStored(reason: String)
    case unknownDevice(device: String, known: [String])
    case notSaved(reason: String)

    package var message: String {
      switch self {
      case .unknownBoard(let board, let known): Spelling.unknown("board", board, among: known)
      case .notStored(let reason): "the token could not be stored, and is not valid: \(reason)"
      case .unknownDevice(let device, let known):
        known.isEmpty
          ? "no device is paired"
          : "no device '\(device)' is paired; there are: \(known.joined(separator: ", "))"
      case .notSaved(let reason):
        "the device is forgotten until flipclock-web restarts, but not saved: \(reason)"
      }
    }
  }

  /// The sockets to try, in order, as in `SocketPath`.
  package static func candidates(option: String?, environment: (String) -> String?) -> [String] {
    SocketPath.candidates(
      option: option, variable: environmentVariable, directory: "flipclock-web", environment: environment)
  }
}

extension DeviceRequest {
  /// Has flipclock-web perform the request, and describes the result.
  ///
  /// - Parameters:
  ///   - candidates: the sockets to try (`WebInterface.candidates`).
  ///   - json: output for machines: one line of JSON.
  package func run(candidates: [String], json: Bool) -> CommandResult {
    do throws(VarlinkClientError) {
      var client = try VarlinkClient(candidates: candidates)
      let reply = try client.call(call)
      if json { return CommandResult(JSONValue.object(reply).text + "\n") }
      switch self {
      case .list: return CommandResult(Self.table(try Self.devices(in: reply)))
      case .addToken: return try Self.token(in: reply)
      case .forget:
        let names = try Self.devices(in: reply).map { "\($0.id) (\($0.name))".printable }
        return CommandResult(
          names.isEmpty ? "no device was paired\n" : "forgot \(names.joined(separator: ", "))\n")
      }
    } catch {
      var result = CommandResult(error)
      let message = error.message(calling: "flipclock-web", startedBy: "flipclock-web.socket") {
        WebInterface.Failure(reading: $0)?.message
      }
      result.diagnostics = [message.printable]
      return result
    }
  }

  private var call: VarlinkCall {
    switch self {
    case .list: VarlinkCall(method: "\(WebInterface.name).List")
    case .addToken(let name, let role, let board):
      VarlinkCall(
        method: "\(WebInterface.name).AddToken",
        parameters: ["name": .string(name), "role": .string(role.rawValue)].merging(
          board.map { ["board": .string($0)] } ?? [:]
        ) { first, _ in first })
    case .forget(let device):
      VarlinkCall(
        method: "\(WebInterface.name).Forget",
        parameters: device.map { ["device": .string($0)] } ?? [:])
    }
  }

  private static func devices(
    in reply: [String: JSONValue]
  ) throws(VarlinkClientError) -> [WebInterface.Device] {
    guard let list = reply["devices"], let devices = try? list.decoded(as: [WebInterface.Device].self) else {
      throw .malformedReply("it has no 'devices'")
    }
    return devices
  }

  /// The token alone, for scripts, and what to know about it on standard error.
  private static func token(
    in reply: [String: JSONValue]
  ) throws(VarlinkClientError) -> CommandResult {
    guard let token = reply["token"]?.string, let id = reply["device"]?["id"]?.string else {
      throw .malformedReply("it has no 'token'")
    }
    return CommandResult(
      token.printable + "\n",
      diagnostics: [
        "keep the token: it cannot be printed again; 'flipclockctl remote forget \(id)' revokes it".printable
      ])
  }

  /// A heading, and a line for each device: `k3f9wz scorer iPhone 2026-11-22 14:05:09 CET`.
  static func table(_ devices: [WebInterface.Device]) -> String {
    guard !devices.isEmpty else { return "no device is paired; 'flipclockctl remote' pairs one\n" }
    let rows =
      [["ID", "ROLE", "DEVICE", "LAST USED"]]
      + devices.map {
        [
          $0.id, $0.role + ($0.board.map { " \($0)" } ?? ""), $0.name,
          $0.connected ? "now" : LocalTime.text($0.seen),
        ].map(\.printable)
      }
    let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      row.enumerated().map { index, text in
        index < widths.count ? text + String(repeating: " ", count: widths[index] + 2 - text.count) : text
      }.joined() + "\n"
    }.joined()
  }
}
