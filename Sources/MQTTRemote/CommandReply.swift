// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import HomeAssistant
import JSON
import VarlinkSockets

/// What is published after a command:
/// `{"ok", "what"?, "note"?, "revision"?, "error"?, "unsaved"?, "id"?, "entity"?}`.
struct CommandReply: Hashable {
  var text: String

  /// - Parameters:
  ///   - id: the sender's id for the command.
  ///   - object: the control that was used.
  init(error: String, id: String? = nil, object: String? = nil) {
    self.init(["ok": .bool(false), "error": .string(error)], id, object)
  }

  /// - Parameter reply: the daemon's.
  init(_ reply: VarlinkChannel.Reply, id: String? = nil, object: String? = nil) {
    switch reply {
    // The change was made, and must not be made again.
    case .failure(.refused(let error)) where ControlError(error).isPerformed:
      self.init(["ok": .bool(true), "unsaved": .string(ControlError(error).message)], id, object)
    case .failure(let error):
      var members: [String: JSONValue] = ["ok": .bool(false), "error": .string(error.message)]
      if case .refused(let refusal) = error { members["revision"] = refusal.parameters["revision"] }
      self.init(members, id, object)
    case .success(let parameters):
      var members: [String: JSONValue] = ["ok": .bool(true)]
      if let what = parameters["what"]?.string {
        members["what"] = .string(what)
      } else if let team = parameters["team"], let name = team["name"]?.string,
        let score = team["score"]?.integer
      {
        members["what"] = .string("\(name) \(score)")
      }
      if let note = parameters["note"]?.string { members["note"] = .string(note) }
      if let revision = parameters["state"]?["revision"]?.integer {
        members["revision"] = .integer(Int64(revision))
      }
      self.init(members, id, object)
    }
  }

  private init(_ members: [String: JSONValue], _ id: String?, _ object: String?) {
    var members = members
    if let id { members["id"] = .string(id) }
    if let object { members["entity"] = .string(object) }
    text = JSONValue.object(members).text
  }
}
