// SPDX-License-Identifier: Apache-2.0

import JSON
import MachineNetwork
import Varlink

/// The call `ReportNetwork` of org.flipclock.Control, with which the wall shows a card about the network.
enum NetworkReport {
  /// - Parameter card: nil removes the card.
  static func call(_ card: NetworkSetup.Card?, _ identity: AccessPointIdentity) -> VarlinkCall {
    var members: [String: JSONValue] = [:]
    func add(_ failure: NetworkSetup.Failure) {
      members["network"] = .string(failure.network.text)
      members["problem"] = .string(failure.problem.rawValue)
    }
    switch card {
    case .accessPoint(let failure):
      members["phase"] = .string("access_point")
      members["name"] = .string(identity.name)
      members["password"] = .string(identity.password.secret)
      members["address"] = .string(NetworkProfiles.address)
      if let failure { add(failure) }
    case .joining(let network):
      members["phase"] = .string("joining")
      members["network"] = .string(network.text)
    case .joined(let network, let address):
      members["phase"] = .string("joined")
      members["network"] = .string(network.text)
      if let address { members["address"] = .string(address) }
    case .failed(let failure):
      members["phase"] = .string("failed")
      add(failure)
    case nil: break
    }
    return VarlinkCall(
      method: "org.flipclock.Control.ReportNetwork",
      parameters: card == nil ? [:] : ["network": .object(members)])
  }
}
