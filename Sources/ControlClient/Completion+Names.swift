// SPDX-License-Identifier: Apache-2.0

import Commands
import JSON

extension Completion.Names {
  /// The command whose reply has the names.
  package var command: Command {
    switch self {
    case .counters: .state
    case .boards: .boards
    case .settings: .settings
    case .countdowns: .countdowns
    case .teams, .pages, .outputs: .status
    }
  }

  /// The names in the reply to `command`, in the order of the config.
  package func names(in reply: [String: JSONValue]) -> [String] {
    switch self {
    case .teams:
      let board = reply["status"]?["scoreboard"]
      return board?["teamOrder"]?.array?.compactMap(\.string)
        ?? (board?["teams"]?.object ?? [:]).keys.sorted()
    case .pages: return reply["status"]?["pages"]?.array?.compactMap(\.string) ?? []
    case .countdowns: return reply["countdowns"]?.array?.compactMap { $0["name"]?.string } ?? []
    case .boards: return reply["boards"]?.array?.compactMap { $0["name"]?.string } ?? []
    case .settings: return reply["settings"]?.array?.compactMap { $0["key"]?.string } ?? []
    case .outputs: return (reply["status"]?["outputs"]?.array ?? []).flatMap(\.outputNames)
    case .counters: return reply["state"]?["counters"]?.array?.compactMap { $0["id"]?.string } ?? []
    }
  }
}

extension JSONValue {
  /// The names of a display in a status, as `--output` accepts them: its connector and its `[outputs.NAME]`.
  var outputNames: [String] {
    let connector = self["connector"]?.string
    let settings = self["settings"]?.string
    return [connector, settings == connector ? nil : settings].compactMap(\.self)
  }
}
