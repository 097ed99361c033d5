// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Commands
import ControlCalls
import Languages
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
      message: shown.message, isMessageFull: shown.isMessageFull, notice: notice, boards: shown.boards,
      countdowns: shown.countdowns, isCutOff: shown.isCutOff, isUnsaved: isUnsaved,
      isTimeConfirmed: shown.isTimeConfirmed)
  }

  /// What to show for people with a phone.
  var notice: Notice? { shown.phoneNotice.map { Notice($0) } }
}

extension Notice {
  fileprivate init(_ notice: PhoneNotice) {
    let pairing: Part?
    switch (notice.pairing, notice.network?.accessPoint) {
    case (.invitation(let invitation, let address)?, _):
      let heading: Word =
        switch invitation.role {
        case .owner: .setUp
        case .scorer: .keepScore
        case .viewer: .watchScore
        }
      pairing = Part(invitation.codes, at: address, heading, hasEnd: true)
    case (.offer(let codes, _)?, let accessPoint?): pairing = Part(pageOf: accessPoint, codes)
    case (nil, let accessPoint?): pairing = Part(pageOf: accessPoint, nil)
    case (.offer(let codes, let address?)?, nil) where notice.network == nil:
      pairing = Part(codes, at: address, .setUp)
    case (.offer?, nil), (nil, nil): pairing = nil
    }
    var ends: Int64?
    if case .invitation(let invitation, _)? = notice.pairing { ends = invitation.ends }
    self.init([notice.network.map { Part($0) }, pairing].compactMap(\.self), ends: ends)
  }
}

extension Notice.Part {
  /// - Parameter hasEnd: whether the time that is left is shown.
  fileprivate init(
    _ codes: PairingCodes, at address: RemoteAddress, _ heading: Word, hasEnd: Bool = false
  ) {
    self = .pairing(
      url: "http://\(address.host):\(address.port)/pair#\(codes.secret)",
      address: "\(address.readable):\(address.port)", codes: codes.typed.map(PairingCode.shown),
      heading: heading, hasEnd: hasEnd)
  }

  /// The page on the access point.
  ///
  /// - Parameter codes: what pairs an owner's phone; nil: nothing does now.
  fileprivate init(pageOf accessPoint: NetworkNotice.AccessPoint, _ codes: PairingCodes?) {
    let typed = (codes?.typed ?? []).map { Notice.Line.code(PairingCode.shown($0)) }
    let address = accessPoint.url.dropFirst("http://".count)
    let page = [
      Notice.Line.heading(.openPage), .address(String(address.last == "/" ? address.dropLast() : address)),
    ]
    // The redirection to the page keeps what is after the #, and no log contains it.
    self.init(code: accessPoint.url + (codes.map { "#\($0.secret)" } ?? ""), page + typed)
  }

  fileprivate init(_ network: NetworkNotice) {
    var lines: [Notice.Line] = []
    if let name = network.network {
      let problem = network.problem.map { problem -> Word in
        switch problem {
        case .wrongPassword: .wrongPassword
        case .notFound: .notFound
        case .noAddress: .noAddress
        case .failed: .notJoined
        }
      }
      if let problem {
        lines = [.problem(name, problem)]
      } else {
        lines = [.heading(network.phase == .joined ? .joined : .joining), .name(name)]
      }
    }
    if let accessPoint = network.accessPoint {
      lines += [.heading(.joinWiFi), .name(accessPoint.name), .password(accessPoint.password)]
    }
    self.init(code: network.accessPoint?.code, lines)
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
