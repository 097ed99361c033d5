// SPDX-License-Identifier: Apache-2.0

import Commands
import JSON

/// A request about the broker of flipclock-mqtt.
package enum MQTTRequest: Hashable, Sendable {
  /// The settings and the state of the connection.
  case read
  /// - Parameter revision: that of the settings which the person saw.
  case change([SettingChange], revision: Int?)
  /// Sets the password; nil: removes it.
  case password(Secret?, revision: Int?)

  /// Reads `{"password": "…"}`; null removes the password. No error contains a part of the body.
  static func password(in json: String) throws(RequestRefusal) -> Secret? {
    let members = try SetupRequest.members(of: json, isOneOf: ["password"])
    switch members["password"] {
    case .null: return nil
    case .string(let text) where !text.isEmpty: return Secret(text)
    default: throw RequestRefusal(400, "'password' is a text, or null to remove the password.")
    }
  }
}
