// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import Scoreboard
import Walls

/// A text below the page.
package struct Message: Hashable, Sendable {
  package var text: String
  /// Whether it fills the display, and may cover scores and clocks.
  package var isFull = false
  /// How long it is to be shown from `since` on, in nanoseconds; nil: until it is cleared.
  var left: Int64?
  /// Since when it is shown, in match time; nil: it waits until an invitation is closed.
  var since: Int64?

  /// When it disappears, in match time; nil: not by itself, or it waits.
  package var ends: Int64? { since.flatMap { since in left.map { since + $0 } } }

  /// Interrupts or continues it. The time during which it waits is not counted.
  mutating func wait(_ waits: Bool, at clock: Int64) {
    guard waits == (since != nil) else { return }
    if let since { left = left.map { $0 - (clock - since) } }
    since = waits ? nil : clock
  }
}

/// Changes by command.
extension Wall {
  /// Performs a change and answers it, at once or when it is durable. A change of a shared match may be sent
  /// to the leading wall instead. Refuses `invite` and `restore`, which need network addresses and files: the
  /// caller uses `invite(_:at:now:_:)` and `.match(.restore)`.
  package mutating func perform(
    _ change: Change, on terms: Terms, for ticket: Ticket, at now: Moment, _ effects: inout Effects
  ) {
    advance(to: now, &effects)
    if case .lead(let anyway) = change { return lead(anyway: anyway, for: ticket, &effects) }
    if case .match(let action) = change, forwardsChanges(at: now.clock) {
      return forward(action, on: terms, for: ticket, &effects)
    }
    do throws(ControlError) {
      let reply = try perform(change, id: terms.id, at: now, &effects)
      // It is saved even if nothing has changed, because the last change may not be durable yet.
      guard reply.isSaved else { return effects.answer(ticket, .success(reply)) }
      effects.saves = true
      effects.pending.append(Pending(ticket: ticket, reply: reply, sending: reply.isOfMatch ? sending : nil))
    } catch {
      effects.answer(ticket, .failure(error))
    }
  }

  /// Continues with what waited for a save: answers it, or waits for the broker.
  package mutating func saved(
    _ pending: [Pending], _ result: Result<Void, ControlError>, at now: Moment, _ effects: inout Effects
  ) {
    advance(to: now, &effects)
    switch result {
    case .success: confirm(pending, &effects)
    case .failure(let error): for waiting in pending { effects.answer(waiting.ticket, .failure(error)) }
    }
  }

  /// Performs a change on this wall, even if another one leads.
  ///
  /// - Parameter id: the sender's id for the command, under which the answer to a change of the match is
  ///   kept.
  package mutating func perform(
    _ change: Change, id: String? = nil, at now: Moment, _ effects: inout Effects
  ) throws(ControlError) -> ChangeReply {
    advance(to: now, &effects)
    try change.check(pages: pages)
    if case .held(let change, let milliseconds) = change {
      return try perform(change, id, for: milliseconds, &effects)
    }
    return try perform(change, id, for: nil, &effects)
  }

  private mutating func perform(
    _ change: Change, _ id: String?, for milliseconds: Int?, _ effects: inout Effects
  ) throws(ControlError) -> ChangeReply {
    switch change {
    case .match(let action): return .match(try perform(action, id, &effects))
    case .show(let page):
      show(page: page, for: milliseconds)
      return .page(page)
    case .message(let text, let milliseconds, let isFull):
      let milliseconds = milliseconds ?? Change.messageMilliseconds
      let waits = invitations.open != nil
      message = Message(
        text: text, isFull: isFull, left: milliseconds == 0 ? nil : Int64(milliseconds) * 1_000_000,
        since: waits ? nil : now.clock)
      return .message(text, milliseconds: milliseconds, waits: waits)
    case .clearMessage:
      defer { message = nil }
      return .cleared(message?.text)
    case .setBoard(let board, let text):
      let reply = try setBoard(board, to: text)
      advance(to: now, &effects)
      return .board(reply)
    case .clearBoard(let board):
      let text = try clearBoard(board)
      advance(to: now, &effects)
      return .clearedBoard(text)
    case .reportProblem(let board, let problem):
      try reportProblem(problem, of: board)
      return .reported
    case .setCountdown(let name, let setting):
      let reply = try setCountdown(name, to: setting)
      advance(to: now, &effects)
      return reply
    case .controlCountdown(let name, let control):
      let reply = try controlCountdown(name, control)
      advance(to: now, &effects)
      return reply
    case .clearCountdown(let name):
      let changed = try clearCountdown(name)
      advance(to: now, &effects)
      return .clearedCountdown(changed)
    case .endInvitation:
      let wasOpen = invitations.open != nil
      relight { _ = $0.invitations.close() }
      return .invitationEnded(wasOpen)
    case .blank(let output): return .blank(changed: try blank(true, output, for: milliseconds, &effects))
    case .unblank(let output): return .blank(changed: try blank(false, output, for: milliseconds, &effects))
    case .toggleBlank(let output):
      let isBlank = try !(display(named: output).map { light(of: $0.name).isDark } ?? isDark)
      _ = try blank(isBlank, output, for: milliseconds, &effects)
      return .toggledBlank(isBlank: isBlank)
    case .setBrightness(let percent, let output):
      return .brightness(try setBrightness(percent, output, for: milliseconds))
    case .addBrightness(let percent, let output):
      // A step beyond an end of the range is limited to that end.
      let present = try brightness(of: display(named: output)?.name)
      let (sum, overflow) = present.addingReportingOverflow(percent)
      let wanted = overflow ? (percent < 0 ? Int.min : Int.max) : sum
      let range = Change.brightnesses
      return .brightness(
        try setBrightness(min(max(wanted, range.lowerBound), range.upperBound), output, for: milliseconds))
    case .held(let change, _): return try perform(change, id, for: milliseconds, &effects)
    case .lead: throw .noSharedBoard
    case .restore(let id): throw .unknownMatch(match: id, known: [])
    case .invite: throw .failed(reason: "an invitation needs an address")
    }
  }

  /// Performs a change of the match. It is shown at once, or when all walls that share the match show it.
  private mutating func perform(
    _ action: Scoreboard.Action, _ id: String?, _ effects: inout Effects
  ) throws(ControlError) -> MatchChange {
    let scoreboard = match.scoreboard
    let outcome: Match.Outcome
    do throws(Scoreboard.Refusal) { outcome = try match.apply(action, at: now.clock) } catch {
      throw ControlError(error, of: scoreboard)
    }
    if outcome != .unchanged, var part {
      part.member.revise(&match)
      self.part = part
    }
    let change = MatchChange(outcome, match, at: now.clock)
    // The answer is saved with the change.
    if let id { performed.add([.init(id: id, answer: CommandAnswer(change).text)]) }
    // The other walls must know a command with an id, even if it has changed nothing.
    let showAt = outcome != .unchanged || id != nil ? publish(&effects) : nil
    if outcome != .unchanged {
      effects.matchChanged = true
      if let showAt { delayed.add(match.scoreboard, showAt: showAt, insteadOf: scoreboard) }
    }
    advance(to: now, &effects)
    return change
  }
}

extension ChangeReply {
  /// Whether the change is kept across restarts.
  package var isSaved: Bool {
    switch self {
    case .match, .page, .brightness: true
    case .message, .cleared, .board, .clearedBoard, .reported, .countdown, .clearedCountdown, .blank,
      .toggledBlank, .invited, .led, .invitationEnded:
      false
    }
  }

  fileprivate var isOfMatch: Bool { if case .match = self { true } else { false } }
}
