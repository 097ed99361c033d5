// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import ControlClient
import JSON
import Scoreboard
import Varlink
import VarlinkSockets

extension ScoreConsole {
  /// Opens both connections and begins to watch the match.
  func connect() throws(VarlinkClientError) {
    let watching = try VarlinkChannel(candidates: candidates, on: loop)
    let calling = try VarlinkChannel(candidates: candidates, on: loop)
    watching.replied = { [weak self] in self?.watched($0) }
    watching.closed = { [weak self] in self?.disconnected($0) }
    calling.replied = { [weak self] in self?.answered($0) }
    calling.closed = { [weak self] in self?.disconnected($0) }
    self.watching = watching
    self.calling = calling
    retryAt = nil
    // Keys do nothing before the first state.
    screen.trouble = "waiting for the match"
    watching.send(VarlinkCall(.watch))
  }

  func reconnect() {
    do throws(VarlinkClientError) { try connect() } catch { disconnected(error) }
  }

  func send(_ action: Scoreboard.Action, at now: Int64) {
    guard let calling, unanswered.count < Self.callLimit else {
      return keys.say(
        ScoreKeys.Notice(.refusal, "the daemon has not answered the last keys yet: this one was ignored"))
    }
    unanswered.append((action, now))
    calling.send(VarlinkCall(.change(.match(action))))
  }

  private func watched(_ reply: VarlinkChannel.Reply) {
    switch reply {
    case .failure(let error): disconnected(error)
    case .success(let parameters):
      guard let state = parameters["state"],
        let match = try? state.decoded(as: MatchState.self)
      else {
        return disconnected(.malformedReply("it has no match; is the daemon from another release?"))
      }
      screen.match = match
      screen.since = now()
      screen.trouble = nil
      changed()
    }
  }

  private func answered(_ reply: VarlinkChannel.Reply) {
    guard !unanswered.isEmpty else { return }
    let action = unanswered.removeFirst().action
    switch reply {
    case .failure(let error): keys.say(ScoreKeys.Notice(.refusal, error.message))
    case .success(let parameters): keys.say(ScoreKeys.Notice(.done, Self.words(parameters, to: action)))
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

  /// Handles a lost or failed connection: keys do nothing until the program is connected again.
  func disconnected(_ error: VarlinkClientError) {
    watching?.close()
    calling?.close()
    watching = nil
    calling = nil
    keys.forget()
    if !unanswered.isEmpty {
      unanswered = []
      keys.say(
        ScoreKeys.Notice(
          .refusal, "the connection was lost before an answer: check whether the last key counted"))
    }
    screen.trouble = "trying again; \(error.message.printable)"
    retryAt = now() + Self.retrySeconds * 1_000_000_000
    changed()
  }
}
