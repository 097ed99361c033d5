// SPDX-License-Identifier: Apache-2.0

import Varlink

/// The interface org.flipclock.Host.
package enum HostInterface {
  package static let name = "org.flipclock.Host"
  package static let environmentVariable = "FLIPCLOCK_HOST_SOCKET"

  /// The interface's type `Wireless`.
  package struct Wireless: Codable, Hashable, Sendable {
    package var name: String
    package var strength: Int
    package var security: String
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
