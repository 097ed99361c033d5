// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import JSON
import Varlink
import VarlinkSockets

/// The interface org.flipclock.MQTT of flipclock-mqtt, with which its broker is chosen without a file.
/// `Sources/MQTTRemote` serves it.
package enum MQTTInterface {
  package static let name = "org.flipclock.MQTT"

  /// The sockets to try, in order.
  package static func candidates(environment: (String) -> String?) -> [String] {
    SocketPath.candidates(
      option: nil, variable: "FLIPCLOCK_MQTT_SOCKET", directory: "flipclock-mqtt", environment: environment)
  }

  package static func call(_ method: String, _ parameters: [String: JSONValue] = [:]) -> VarlinkCall {
    VarlinkCall(method: "\(name).\(method)", parameters: parameters)
  }

  package enum Phase: String, Codable, CaseIterable, Hashable, Sendable {
    /// No broker is set.
    case off
    case connecting
    case connected
  }

  /// Why there is no connection.
  package enum Problem: String, Codable, CaseIterable, Hashable, Sendable {
    case unresolved
    case refused
    case noAnswer = "no_answer"
    case wrongPassword = "wrong_password"
    case tls
    case notMQTT = "not_mqtt"
    case taken
    case failed
  }

  package enum Password: String, Codable, CaseIterable, Hashable, Sendable {
    case none
    case settings
    /// For another broker.
    case stored
    case config
  }

  /// The interface's type `State`.
  package struct State: Codable, Hashable, Sendable {
    package var phase: Phase
    package var broker: String?
    package var problem: Problem?
    package var details: String?
    package var password: Password
    package var passwordPlace: String?

    package init(
      phase: Phase, broker: String? = nil, problem: Problem? = nil, details: String? = nil,
      password: Password = .none, passwordPlace: String? = nil
    ) {
      (self.phase, self.broker, self.problem, self.details) = (phase, broker, problem, details)
      (self.password, self.passwordPlace) = (password, passwordPlace)
    }

    private enum CodingKeys: String, CodingKey {
      case phase, broker, problem, details, password
      case passwordPlace = "password_place"
    }
  }
}
