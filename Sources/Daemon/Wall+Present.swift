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
  var notice: Notice? {
    switch shown.phoneNotice {
    case .invitation(let invitation, let address)?:
      let heading: Word =
        switch invitation.role {
        case .owner: .setUp
        case .scorer: .keepScore
        case .viewer: .watchScore
        }
      return Notice(invitation.codes, at: address, heading, ends: invitation.ends)
    case .setUp(let codes, let address)?: return Notice(codes, at: address, .setUp)
    case .network(let network, let codes)?: return Notice(network, codes)
    case nil: return nil
    }
  }
}

extension Notice {
  fileprivate init(_ codes: PairingCodes, at address: RemoteAddress, _ heading: Word, ends: Int64? = nil) {
    self = .invitation(
      url: "http://\(address.host):\(address.port)/pair#\(codes.secret)",
      address: "\(address.readable):\(address.port)", codes: codes.typed.map(PairingCode.shown),
      heading: heading, ends: ends)
  }

  /// - Parameter codes: what pairs an owner's phone; nil: nothing does now.
  fileprivate init(_ network: NetworkNotice, _ codes: PairingCodes?) {
    var lines: [Line] = []
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
    guard let accessPoint = network.accessPoint else {
      self.init([Part(lines)])
      return
    }
    lines += [.heading(.joinWiFi), .name(accessPoint.name), .password(accessPoint.password)]
    let typed = (codes?.typed ?? []).map { Line.code(PairingCode.shown($0)) }
    let address = accessPoint.url.dropFirst("http://".count)
    let page = [
      Line.heading(.openPage), .address(String(address.last == "/" ? address.dropLast() : address)),
    ]
    // The redirection to the page keeps what is after the #, and no log contains it.
    let url = accessPoint.url + (codes.map { "#\($0.secret)" } ?? "")
    self.init([Part(code: accessPoint.code, lines), Part(code: url, page + typed)])
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
