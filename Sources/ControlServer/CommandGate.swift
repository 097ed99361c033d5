// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import JSON
import Scoreboard

/// Lets a command pass if its terms hold: it is not too old, the match has the revision that its sender saw,
/// and it was not performed before.
package final class CommandGate {
  package typealias Completion = (Result<[String: JSONValue], ControlError>) -> Void

  /// The commands that are being performed, by id, with the completions of later senders of the same command.
  private var running: [String: [Completion]] = [:]

  package init() {}

  /// The gate's decision about a command.
  package enum Verdict {
    /// The command is to be performed; then `finish` is called.
    case perform
    /// The same command is being performed already; its answer is passed to `completion`.
    case waits
    /// The command was performed or refused.
    case known(CommandAnswer)
    case refuse(ControlError)
  }

  /// - Parameters:
  ///   - performed: the commands that were performed or refused.
  ///   - now: the match time.
  ///   - check: why the command is refused if it is meant for a revision, or nil.
  ///   - completion: called when the command that it waits for is answered.
  package func admit(
    on terms: Terms, _ performed: PerformedCommands, at now: Int64, _ check: (Int) -> ControlError?,
    completion: @escaping Completion
  ) -> Verdict {
    if let id = terms.id {
      // Checked first, because a change is in `performed` before it is saved, but its answer is due only
      // afterwards.
      if running[id] != nil {
        running[id]?.append(completion)
        return .waits
      }
      if let answer = performed[id].flatMap({ CommandAnswer(reading: $0) }) { return .known(answer) }
    }
    if let time = terms.time {
      let (age, overflow) = now.subtractingReportingOverflow(time)
      guard !overflow, (-Terms.patience...Terms.patience).contains(age) else {
        if let gap = performed.gap, time < gap.end { return .refuse(.mayCount(board: gap.board)) }
        return .refuse(.tooLate(milliseconds: overflow ? .max : Int(age / 1_000_000)))
      }
    }
    if let revision = terms.revision, let refusal = check(revision) { return .refuse(refusal) }
    if let id = terms.id { running[id] = [] }
    return .perform
  }

  /// Ends a command: passes the result of `perform` to all who wait for it.
  package func finish(_ id: String?, _ result: Result<[String: JSONValue], ControlError>) {
    guard let id, let waiting = running.removeValue(forKey: id) else { return }
    for completion in waiting { completion(result) }
  }
}

extension ControlHandler {
  /// Performs a change if its terms hold. If the same command was performed or refused before, only answers
  /// again.
  ///
  /// - Parameter completion: called once, at once or when the change is durable, with the parameters of the
  ///   reply.
  package func perform(_ change: Change, on terms: Terms, completion: @escaping CommandGate.Completion) {
    if case .match = change, forwardsChanges {
      return perform(change, on: terms) { (result: Result<ChangeReply, ControlError>) in
        completion(result.flatMap { $0.parameters(to: change) })
      }
    }
    let check: (Int) -> ControlError? = { [matchState] in
      let revision = matchState().revision
      return $0 == revision ? nil : .matchChanged(revision: revision)
    }
    let isAdmitted = admit(on: terms, check, completion: completion) { [weak self, matchState] answer in
      let repeated = { completion(answer.result(of: change, matchState)) }
      guard answer.isSaved, let self else { return repeated() }
      self.ensureSaved { result in
        if case .failure(let error) = result { completion(.failure(error)) } else { repeated() }
      }
    }
    guard isAdmitted else { return }
    perform(change, on: terms) { [weak self] (result: Result<ChangeReply, ControlError>) in
      let reply = result.flatMap { $0.parameters(to: change) }
      guard let self else { return completion(reply) }
      let finish = {
        self.gate.finish(terms.id, reply)
        completion(reply)
      }
      // The answer was kept with the change.
      if case .success(.match) = result { finish() } else { self.keep(reply, to: terms.id, then: finish) }
    }
  }

  /// Performs a change of settings if its terms hold. Its revision is that of the settings. If the same
  /// command was performed or refused before, only answers again.
  ///
  /// - Parameters:
  ///   - keys: the keys that are changed; nil: all that are set. A repeated answer has them as they are then,
  ///     because answers that are kept have to be small.
  ///   - completion: as above.
  ///   - change: makes the change.
  package func performSettings(
    of keys: [String]?, on terms: Terms, completion: @escaping CommandGate.Completion,
    _ change: (@escaping (Result<SettingsChange, ControlError>) -> Void) -> Void
  ) {
    let check: (Int) -> ControlError? = { [settings] in
      let revision = settings().revision
      return $0 == revision ? nil : .settingsChanged(revision: revision)
    }
    let isAdmitted = admit(on: terms, check, completion: completion) { answer in
      let result = answer.result ?? .failure(.failed(reason: "the id is that of a command"))
      completion(
        result.map { [settings] kept in
          let shown = settings().settings.filter { keys?.contains($0.key) ?? ($0.source == .settings) }
          return kept.merging(["settings": (try? JSONValue(encoding: shown)) ?? .array([])]) { $1 }
        })
    }
    guard isAdmitted else { return }
    change { [weak self] result in
      let reply = result.map { (try? JSONValue(encoding: $0))?.object ?? [:] }
      guard let self else { return completion(reply) }
      self.keep(reply.map { $0.filter { $0.key != "settings" } }, to: terms.id) {
        self.gate.finish(terms.id, reply)
        completion(reply)
      }
    }
  }

  /// Whether a command is to be performed. If not, `completion` is called, or `known` with the answer of the
  /// first time.
  private func admit(
    on terms: Terms, _ check: (Int) -> ControlError?, completion: @escaping CommandGate.Completion,
    known: (CommandAnswer) -> Void
  ) -> Bool {
    switch gate.admit(on: terms, performed, at: matchTime, check, completion: completion) {
    case .perform: return true
    case .waits: break
    case .known(let answer): known(answer)
    case .refuse(let error):
      if let id = terms.id, case .tooLate = error {
        performed.keep(CommandAnswer(error), to: id)
        saveRefusal { completion(.failure(error)) }
      } else {
        completion(.failure(error))
      }
    }
    return false
  }

  /// Keeps the answer to a command, if it has an id, and calls `finish` when it is saved.
  private func keep(
    _ reply: Result<[String: JSONValue], ControlError>, to id: String?, then finish: @escaping () -> Void
  ) {
    switch reply {
    case .success(let parameters):
      performed.keep(CommandAnswer(reply: parameters), to: id)
      if id == nil { finish() } else { saveCommands(completion: finish) }
    case .failure(let error):
      // Only final errors are kept. After another error, the same command may succeed when it is sent again.
      if error.isFinal { performed.keep(CommandAnswer(error), to: id) }
      finish()
    }
  }
}

extension PerformedCommands {
  /// Keeps the answer to a command, if it has an id.
  package mutating func keep(_ answer: CommandAnswer, to id: String?) {
    if let id { add([.init(id: id, answer: answer.text)]) }
  }
}
