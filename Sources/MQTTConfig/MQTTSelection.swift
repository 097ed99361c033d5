// SPDX-License-Identifier: Apache-2.0

import TOMLConfig

/// The keys of flipclock-mqtt's config that people set without a file. None names a file.
package enum MQTTSelection: OwnerSelection {
  package static let keys: [OwnerKey] = keys(
    [
      ("broker", ["host", "port", "tls", "username"]), ("board", ["name"]),
      ("home-assistant", ["discovery"]),
    ], of: MQTTSettingsLoader.format.manual.map { ($0.title, $0.keys) })

  package static let introduction = [
    "# Settings of the phone's page, written by flipclock-mqtt.",
    "# /etc/flipclock/mqtt.toml has precedence.",
    "# After editing it, restart flipclock-mqtt. Other comments are removed.",
  ]

  package static let reader = "flipclock-mqtt"
}

/// What people have set without a file.
package typealias MQTTOwnerSettings = StoredSettings<MQTTSelection>

/// A password that was set without a file. It is sent only to the broker for which it was given.
package struct BrokerPassword: Hashable, Sendable {
  package var text: String
  /// The file in which it is stored.
  package var file: String
  private var host: String
  private var port: Int
  private var tls: Bool

  /// The greatest length in bytes.
  package static let limit = 1_000

  /// - Parameter broker: for which broker it is; it has to have a host.
  package init?(_ text: String, in file: String, for broker: MQTTSettings.Broker) {
    guard let host = broker.host else { return nil }
    self.init(text, in: file, host: host, port: broker.effectivePort, tls: broker.tls)
  }

  package init(_ text: String, in file: String, host: String, port: Int, tls: Bool) {
    (self.text, self.file) = (text, file)
    (self.host, self.port, self.tls) = (host, port, tls)
  }

  package func isFor(_ broker: MQTTSettings.Broker) -> Bool {
    broker.host == host && broker.effectivePort == port && broker.tls == tls
  }

  /// The host, the port and whether the connection is encrypted, for the file.
  package var target: (host: String, port: Int, tls: Bool) { (host, port, tls) }
}

extension BrokerPassword: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "(secret)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
