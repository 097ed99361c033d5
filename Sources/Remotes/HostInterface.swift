// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import JSON
import Varlink
import VarlinkSockets

/// The interface org.flipclock.Host of flipclock-host, which sets the machine's network and clock.
/// `Sources/HostRemote` serves it.
package enum HostInterface {
  package static let name = "org.flipclock.Host"

  /// The sockets to try, in order.
  package static func candidates(environment: (String) -> String?) -> [String] {
    SocketPath.candidates(
      option: nil, variable: "FLIPCLOCK_HOST_SOCKET", directory: "flipclock-host", environment: environment)
  }

  package static func call(_ method: String, _ parameters: [String: JSONValue] = [:]) -> VarlinkCall {
    VarlinkCall(method: "\(name).\(method)", parameters: parameters)
  }

  package static func error(_ error: String, _ parameters: [String: JSONValue] = [:]) -> VarlinkError {
    VarlinkError(name: "\(name).\(error)", parameters: parameters)
  }

  /// The interface's type `Wireless`.
  package struct Wireless: Codable, Hashable, Sendable {
    package var name: String
    package var strength: Int
    package var security: String

    package init(name: String, strength: Int, security: String) {
      (self.name, self.strength, self.security) = (name, strength, security)
    }
  }

  /// The interface's type `State`.
  package struct State: Codable, Hashable, Sendable {
    package var phase: String
    package var network: String?
    package var accessPoint: String?
    package var address: String?
    package var problem: String?
    package var failed: String?
    package var country: String?
    package var fallback: Bool
    package var hasWireless: Bool
    package var timeConfirmed: Bool

    package init(
      phase: String, network: String?, accessPoint: String?, address: String?, problem: String?,
      failed: String?, country: String?, fallback: Bool, hasWireless: Bool, timeConfirmed: Bool
    ) {
      (self.phase, self.network, self.accessPoint) = (phase, network, accessPoint)
      (self.address, self.problem, self.failed) = (address, problem, failed)
      (self.country, self.fallback) = (country, fallback)
      (self.hasWireless, self.timeConfirmed) = (hasWireless, timeConfirmed)
    }

    private enum CodingKeys: String, CodingKey {
      case phase, network, address, problem, failed, country, fallback
      case accessPoint = "access_point"
      case hasWireless = "has_wireless"
      case timeConfirmed = "time_confirmed"
    }
  }

  package enum Failure: DeclaredErrors {
    package static let interfaceName = HostInterface.name

    case badNetwork(field: String, reason: String)
    case noWireless
    case busy
    case timeIsKnown
    case failed(operation: String, reason: String)
  }
}
