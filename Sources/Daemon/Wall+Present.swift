// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ControlCalls
import LinuxSystem
import Scoreboard
import Walls
import WallState
import Widgets

extension Moment {
  static var now: Moment { Moment(clock: MatchTime.now, realtime: SystemClock.realtime.now.totalNanoseconds) }
}

extension Wall {
  /// What the widgets show.
  ///
  /// - Parameter isUnsaved: whether the last changes are not on the disk.
  func model(at instant: Instant, isUnsaved: Bool = false) -> StageModel {
    let shown = shown
    return StageModel(
      instant: instant, scoreboard: shown.scoreboard.settled(at: now.clock), clock: now.clock,
      message: shown.message, isMessageFull: shown.isMessageFull, invitation: notice, boards: shown.boards,
      countdowns: shown.countdowns, isCutOff: shown.isCutOff, isUnsaved: isUnsaved)
  }

  /// What to show over the page to pair phones.
  var notice: InvitationNotice? {
    invitation.map { invitation, address in
      InvitationNotice(
        url: "http://\(address.host):\(address.port)/pair#\(invitation.codes.secret)",
        address: "\(address.readable):\(address.port)", codes: invitation.codes.typed.map(PairingCode.shown),
        isForScorer: invitation.role != .viewer, ends: invitation.ends)
    }
  }
}

extension Stage {
  /// Changes the page and the theme, if they differ from those of `before`.
  ///
  /// - Parameters:
  ///   - hasOwnPage: whether the stage shows a page of its own.
  ///   - begin: called after a new page was built; returns the scene time at which the change begins.
  func show(
    _ shown: Wall.Shown, insteadOf before: Wall.Shown, ofOwnPage hasOwnPage: Bool = false,
    _ model: StageModel,
    begin: () -> Double
  ) {
    if shown.page != before.page, !hasOwnPage { show(page: shown.page, model, begin: begin) }
    if shown.theme != before.theme { show(theme: shown.theme, model, begin: begin) }
  }
}
