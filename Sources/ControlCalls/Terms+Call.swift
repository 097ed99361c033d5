// SPDX-License-Identifier: Apache-2.0

import Commands
import JSON
import Scoreboard
import Varlink

extension Terms {
  /// The parameter of every change: the interface's type `Terms`.
  static let parameter = "terms"

  /// The terms of a call.
  package init(_ call: VarlinkCall) throws(VarlinkError) {
    self.init()
    switch call.parameters[Self.parameter] {
    case nil, .null: return
    case .object(let members):
      var reader = ParameterReader(VarlinkCall(method: call.method, parameters: members))
      do throws(VarlinkError) {
        id = try reader.optionalString("id")
        time = try reader.optionalTime("time")
        revision = try reader.optionalInteger("revision")
        try reader.finish()
      } catch {
        throw .invalidParameter(Self.parameter)
      }
      guard (1...PerformedCommands.idLimit).contains(id?.utf8.count ?? 1) else {
        throw .invalidParameter(Self.parameter)
      }
    default: throw .invalidParameter(Self.parameter)
    }
  }

  /// The terms as JSON; nil if there are none.
  fileprivate var json: JSONValue? {
    var members: [String: JSONValue] = [:]
    if let id { members["id"] = .string(id) }
    if let time { members["time"] = .integer(time / 1_000_000) }
    if let revision { members["revision"] = .integer(Int64(revision)) }
    return members.isEmpty ? nil : .object(members)
  }
}

extension VarlinkCall {
  /// - Parameter terms: the terms under which the change is to be performed.
  package init(_ change: Change, on terms: Terms) { self.init(.change(change), on: terms) }

  /// - Parameters:
  ///   - command: a change of the match, the display or the settings.
  ///   - terms: the terms under which it is to be performed.
  package init(_ command: Command, on terms: Terms) {
    self.init(command)
    parameters[Terms.parameter] = terms.json
  }
}
