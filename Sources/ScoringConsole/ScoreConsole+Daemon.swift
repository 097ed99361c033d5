// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import ControlClient
import JSON
import Remotes
import Scoreboard
import Varlink
import VarlinkSockets

extension ScoreConsole {
  /// Shows what the link reports. While there is no connection, keys do nothing.
  func happened(_ event: DaemonLink.Event) {
    switch event {
    case .match: (screen.match, screen.since) = (link.match, link.matchInstant)
    case .disconnected, .failed: keys.forget()
    case .display: screen.unsaved = link.display?.unsaved?.reason
    case .connected, .wall: return
    }
    screen.trouble = link.problem.map { "trying again; \($0.message.printable)" }
    changed()
  }

  func send(_ action: Scoreboard.Action) {
    guard unanswered < Self.callLimit else {
      return keys.say(
        ScoreKeys.Notice(.refusal, "the daemon has not answered the last keys yet: this one was ignored"))
    }
    unanswered += 1
    link.perform(VarlinkCall(.change(.match(action)))) { [weak self] in self?.answered($0, to: action) }
  }

  private func answered(_ reply: VarlinkChannel.Reply, to action: Scoreboard.Action) {
    unanswered -= 1
    switch reply {
    case .success(let parameters): keys.say(ScoreKeys.Notice(.done, Self.words(parameters, to: action)))
    case .failure(.refused(let error)):
      let error = ControlError(error)
      if case .refused(let refusal) = error, refusal.canBeOverruled, let action = action.overruling,
        let match = screen.match
      {
        keys.ask(.overrule(action), match, at: now())
        break
      }
      keys.say(ScoreKeys.Notice(error.isPerformed ? .done : .refusal, error.message))
    case .failure:
      keys.say(
        ScoreKeys.Notice(
          .refusal, "the connection was lost before an answer: check whether the last key counted"))
    }
    changed()
  }

  /// Describes the effect of an action from its reply.
  static func words(_ reply: [String: JSONValue], to action: Scoreboard.Action) -> String {
    if let note = reply["note"]?.string { return note }
    if let team = reply["team"] {
      let name = team["name"]?.string ?? team["id"]?.string ?? "?"
      guard case .addScore(_, let points) = action else {
        return "\(name) \(team["score"]?.integer ?? 0)"
      }
      return "\(points < 0 ? "" : "+")\(points): \(name) \(team["score"]?.integer ?? 0)"
    }
    let mark = action == .undo ? "undone: " : action == .redo ? "redone: " : ""
    return reply["what"]?.string.map { mark + $0 } ?? "nothing changed"
  }
}
