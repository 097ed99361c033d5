// SPDX-License-Identifier: Apache-2.0

import Commands
import Scoreboard

/// What a change did.
package enum ChangeReply: Hashable, Sendable {
  case match(MatchChange)
  /// The page that is shown.
  case page(String)
  /// The text that is shown, and for how long; 0: until it is cleared.
  case message(String, milliseconds: Int)
  /// The text that was removed, if there was one.
  case cleared(String?)
  /// Whether the display was switched.
  case blank(changed: Bool)
  /// Whether the display is off now.
  case toggledBlank(isBlank: Bool)
  /// Percent.
  case brightness(Int)
  case invited(InvitationReply)
  /// Whether this wall did not lead before.
  case led(changed: Bool)
  /// Whether there was an invitation.
  case invitationEnded(Bool)
}

extension Change {
  /// Percent.
  package static let brightnesses = 1...100
  /// How long a message is shown by default, in milliseconds.
  package static let messageMilliseconds = 10_000
  private static let messageRange = 0...86_400_000
  /// How long a page, a brightness and blanking may hold, in milliseconds.
  private static let holdRange = 1_000...2_678_400_000

  /// Checks the values of a change that comes from any surface.
  ///
  /// - Parameter pages: the names of the config's pages.
  package func check(pages: [String]) throws(ControlError) {
    switch self {
    case .held(let change, let milliseconds):
      let range = Self.holdRange
      guard range.contains(milliseconds) else {
        throw ControlError(
          ControlError.HoldOutOfRange(
            milliseconds: milliseconds, minimum: range.lowerBound, maximum: range.upperBound))
      }
      try change.check(pages: pages)
    case .show(let page):
      guard pages.contains(page) else {
        throw ControlError(ControlError.UnknownPage(page: page, known: pages))
      }
    case .message(let text, let milliseconds):
      if let problem = ShownText.problem(in: text, maximum: ShownText.messageLimit) {
        throw ControlError(ControlError.BadText(text, problem))
      }
      let range = Self.messageRange
      if let milliseconds, !range.contains(milliseconds) {
        throw ControlError(
          ControlError.DurationOutOfRange(
            milliseconds: milliseconds, minimum: range.lowerBound, maximum: range.upperBound))
      }
    case .setBrightness(let percent, _):
      let range = Self.brightnesses
      if let percent, !range.contains(percent) {
        throw ControlError(
          ControlError.BrightnessOutOfRange(
            percent: percent, minimum: range.lowerBound, maximum: range.upperBound))
      }
    case .match, .clearMessage, .blank, .unblank, .toggleBlank, .addBrightness, .invite, .endInvitation,
      .lead,
      .restore:
      break
    }
  }
}
