// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

extension ScoreConsole {
  /// Both connections, to the same daemon.
  func connect() throws(ControlClientError) {
    let watching = try ControlChannel(candidates: candidates, on: loop)
    let calling = try ControlChannel(candidates: candidates, on: loop)
    watching.replied = { [weak self] in self?.watched($0) }
    watching.closed = { [weak self] in self?.disconnected($0) }
    calling.replied = { [weak self] in self?.answered($0) }
    calling.closed = { [weak self] in self?.disconnected($0) }
    self.watching = watching
    self.calling = calling
    retryAt = nil
    // Keys wait for the first state.
    screen.trouble = "waiting for the match"
    watching.send(VarlinkCall(method: "\(ControlInterface.name).Subscribe", more: true))
  }

  func reconnect() {
    do throws(ControlClientError) { try connect() } catch { disconnected(error) }
  }

  func send(_ call: ScoreCall, at now: Int64) {
    guard let calling, unanswered.count < Self.callLimit else {
      return keys.say(
        ScoreKeys.Notice(.refusal, "the daemon has not answered the last keys yet: this one was not taken"))
    }
    unanswered.append((call, now))
    calling.send(VarlinkCall(method: "\(ControlInterface.name).\(call.method)", parameters: call.parameters))
  }

  private func watched(_ reply: ControlChannel.Reply) {
    switch reply {
    case .failure(let error): disconnected(error)
    case .success(let parameters):
      guard let state = parameters["state"],
        let match = try? JSONDecoder().decode(MatchState.self, from: Data(state.text.utf8))
      else {
        return disconnected(.malformedReply("it is no match; is the daemon of another version?"))
      }
      screen.match = match
      screen.since = now()
      screen.trouble = nil
      changed()
    }
  }

  private func answered(_ reply: ControlChannel.Reply) {
    guard !unanswered.isEmpty else { return }
    let call = unanswered.removeFirst().call
    switch reply {
    case .failure(let error): keys.say(ScoreKeys.Notice(.refusal, error.description))
    case .success(let parameters): keys.say(ScoreKeys.Notice(.done, Self.words(parameters, of: call)))
    }
    changed()
  }

  /// What was done, as the daemon tells it.
  static func words(_ reply: [String: JSONValue], of call: ScoreCall) -> String {
    if let note = reply["note"]?.string { return note }
    if let team = reply["team"] {
      let name = team["name"]?.string ?? team["id"]?.string ?? "?"
      guard let points = call.parameters["points"]?.integer else {
        return "\(name) \(team["score"]?.integer ?? 0)"
      }
      return "\(points < 0 ? "" : "+")\(points): \(name) \(team["score"]?.integer ?? 0)"
    }
    let mark = ["Undo": "undone: ", "Redo": "redone: "][call.method] ?? ""
    return reply["what"]?.string.map { mark + $0 } ?? "nothing changed: it was so already"
  }

  /// The connection is lost, or none was made: keys do nothing until there is one again.
  func disconnected(_ error: ControlClientError) {
    watching?.close()
    calling?.close()
    watching = nil
    calling = nil
    keys.forget()
    if !unanswered.isEmpty {
      unanswered = []
      keys.say(
        ScoreKeys.Notice(
          .refusal, "the connection was lost before an answer: look whether the last key counted"))
    }
    screen.trouble = "trying again; \(error.description.printable)"
    retryAt = now() + Self.retrySeconds * 1_000_000_000
    changed()
  }
}
