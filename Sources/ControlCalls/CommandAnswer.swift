// SPDX-License-Identifier: Apache-2.0

import Commands
import JSON
import Scoreboard
import Varlink

/// The answer to a command with an id, in the form in which it is stored.
package struct CommandAnswer: Codable, Hashable, Sendable {
  /// What was changed in the match, and what else happened by the rules.
  package var what: String?
  package var note: String?
  package var facts: [Fact]?
  /// The reply to a change of the display, as JSON.
  package var reply: String?
  /// The qualified name of the error with which the command was refused, and its parameters as JSON.
  package var error: String?
  package var parameters: String?

  package init(_ change: MatchChange) {
    what = change.what
    note = change.note
    facts = change.facts
  }

  package init(reply: [String: JSONValue]) { self.reply = JSONValue.object(reply).text }

  package init(_ refusal: ControlError) {
    error = refusal.wire.name
    if !refusal.wire.parameters.isEmpty { parameters = JSONValue.object(refusal.wire.parameters).text }
  }

  package init?(reading text: String) {
    guard let value = try? JSONReader.read(Array(text.utf8)), let answer = try? value.decoded(as: Self.self)
    else { return nil }
    self = answer
  }

  package var text: String { (try? JSONValue(encoding: self).text) ?? "{}" }

  /// The error with which the command was refused; nil if it was performed.
  package var refusal: ControlError? {
    error.map { ControlError(VarlinkError(name: $0, parameters: Self.members(parameters))) }
  }

  /// Whether the answer confirms a change of the match. Such an answer is given only when the change is on
  /// the disk.
  package var isSaved: Bool { error == nil && reply == nil }

  /// The reply when the same command is sent again; nil: it is made from the state of the match.
  package var result: Result<[String: JSONValue], ControlError>? {
    if let refusal { return .failure(refusal) }
    return reply.map { .success(Self.members($0)) }
  }

  /// The reply when the same command is sent again.
  ///
  /// - Parameter state: the match as it is now.
  package func result(
    of change: Change, _ state: () -> MatchState
  ) -> Result<[String: JSONValue], ControlError> {
    result
      ?? ChangeReply.match(MatchChange(what: what, note: note, facts: facts, state: state()))
      .parameters(to: change)
  }

  private static func members(_ text: String?) -> [String: JSONValue] {
    text.flatMap { try? JSONReader.read(Array($0.utf8)) }?.object ?? [:]
  }
}
