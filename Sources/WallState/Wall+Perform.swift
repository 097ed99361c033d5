// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import Scoreboard
import Walls

/// A text over the page.
package struct Message: Hashable, Sendable {
  package var text: String
  /// When it disappears, in match time; nil: when it is cleared.
  package var ends: Int64?
}

/// Changes by command.
extension Wall {
  /// Performs a change that this wall can perform by itself: all but `lead`, `restore` and `invite`, for which the owner has
  /// to look at other walls, files and addresses.
  package mutating func perform(
    _ change: Change, at now: Moment, _ effects: inout Effects
  ) throws(ControlError) -> ChangeReply {
    effects.formUnion(advance(to: now))
    try change.check(pages: pages)
    if case .held(let change, let milliseconds) = change {
      return try perform(change, for: milliseconds, &effects)
    }
    return try perform(change, for: nil, &effects)
  }

  private mutating func perform(
    _ change: Change, for milliseconds: Int?, _ effects: inout Effects
  ) throws(ControlError) -> ChangeReply {
    switch change {
    case .match(let action):
      let outcome = try perform(action, at: now, &effects)
      return .match(MatchChange(outcome, match, at: now.clock))
    case .show(let page):
      show(page: page, for: milliseconds)
      return .page(page)
    case .message(let text, let milliseconds):
      let milliseconds = milliseconds ?? Change.messageMilliseconds
      message = Message(
        text: text, ends: milliseconds == 0 ? nil : now.clock + Int64(milliseconds) * 1_000_000)
      return .message(text, milliseconds: milliseconds)
    case .clearMessage:
      defer { message = nil }
      return .cleared(message?.text)
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
    case .held(let change, _): return try perform(change, for: milliseconds, &effects)
    case .lead: throw .noSharedBoard
    case .restore(let id): throw .unknownMatch(match: id, known: [])
    case .invite: throw .failed(reason: "an invitation needs an address")
    }
  }

  /// Performs a change of the match.
  package mutating func perform(
    _ action: Scoreboard.Action, at now: Moment, _ effects: inout Effects
  ) throws(ControlError) -> Match.Outcome {
    effects.formUnion(advance(to: now))
    do throws(Scoreboard.Refusal) {
      let outcome = try match.apply(action, at: now.clock)
      effects.formUnion(advance(to: now))
      return outcome
    } catch {
      throw ControlError(error, of: match.board)
    }
  }
}

extension ChangeReply {
  /// Whether the change is kept across restarts.
  package var isSaved: Bool {
    switch self {
    case .match, .page, .brightness: true
    case .message, .cleared, .blank, .toggledBlank, .invited, .led, .invitationEnded: false
    }
  }
}
