// SPDX-License-Identifier: Apache-2.0

/// What a change did.
package enum ChangeReply: Hashable, Sendable {
  case match(MatchChange)
  /// The page that is shown.
  case page(String)
  /// The text that is shown, and for how long; 0: until it is cleared. It may wait until an invitation is
  /// closed.
  case message(String, milliseconds: Int, waits: Bool = false)
  /// The text that was removed, if there was one.
  case cleared(String?)
  case board(BoardReply)
  /// The text that was removed from a board; nil: it had none beside that of the config.
  case clearedBoard(String?)
  case reported
  /// The countdown as it is now, and the page that shows it, or would; nil: no page does.
  case countdown(CountdownState, page: String?)
  /// Whether there was such a countdown.
  case clearedCountdown(Bool)
  /// Whether the display was switched.
  case blank(changed: Bool)
  /// Whether the display is off now.
  case toggledBlank(isBlank: Bool)
  /// Percent.
  case brightness(Int)
  case invited(InvitationReply)
  /// Whether this wall has begun to lead; false: it led already.
  case led(changed: Bool)
  /// Whether there was an invitation.
  case invitationEnded(Bool)
}

/// What became of a text for a board.
package struct BoardReply: Encodable, Hashable, Sendable {
  package var board: String
  /// The page that is shown for it, or that would show it; nil: no page has the board.
  package var page: String?
  /// The lines for which the board has no place.
  package var leftOut: [String]
  /// The lines and the cells of tables whose end is cut off.
  package var cut: [String]
  /// The letters that the board cannot show.
  package var missing: [String]

  package init(
    board: String, page: String?, leftOut: [String] = [], cut: [String] = [], missing: [String] = []
  ) {
    self.board = board
    self.page = page
    self.leftOut = leftOut
    self.cut = cut
    self.missing = missing
  }
}

/// The invitation with which phones are paired.
package struct InvitationReply: Hashable, Sendable {
  /// The address for people to type, with the port.
  package var address: String
  /// What people can type.
  package var codes: [String]
  /// How long it is shown.
  package var milliseconds: Int

  package init(address: String, codes: [String], milliseconds: Int) {
    self.address = address
    self.codes = codes
    self.milliseconds = milliseconds
  }
}
