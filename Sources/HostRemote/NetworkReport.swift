// SPDX-License-Identifier: Apache-2.0

import Commands
import MachineNetwork

extension NetworkNotice {
  /// What the daemon is to show.
  ///
  /// - Parameter page: the page to open on a phone in the access point's network.
  init(_ card: NetworkSetup.Card, _ identity: AccessPointIdentity, page: String) {
    switch card {
    case .accessPoint(let failure):
      self.init(
        .accessPoint, network: failure?.network.shown, problem: failure.map { Problem($0.problem) },
        accessPoint: AccessPoint(name: identity.name, password: identity.password.secret, url: page))
    case .joining(let network): self.init(.joining, network: network.shown)
    case .joined(let network, _): self.init(.joined, network: network.shown)
    case .failed(let failure):
      self.init(.failed, network: failure.network.shown, problem: Problem(failure.problem))
    }
  }
}

extension NetworkNotice.Problem {
  init(_ problem: NetworkSetup.Problem) {
    self =
      switch problem {
      case .wrongPassword: .wrongPassword
      case .notFound: .notFound
      case .noAddress: .noAddress
      case .failed: .failed
      }
  }
}

extension NetworkName {
  /// The text as the daemon accepts it: at most 32 bytes, and a question mark for a text that cannot be
  /// shown.
  var shown: String {
    var shown = ""
    for character in text {
      if shown.utf8.count + String(character).utf8.count > Self.limit { break }
      shown.append(character)
    }
    return NetworkNotice(.joining, network: shown).isSound ? shown : "?"
  }
}
