// SPDX-License-Identifier: Apache-2.0

/// How to reach a broker.
package struct MQTTOptions: Hashable, Sendable {
  package struct TLS: Hashable, Sendable {
    /// The file with the certificates of the authorities that may sign the broker's; nil: those of the
    /// system.
    package var authorities: String?
    /// The files of the client's certificate and its key, for a broker that asks for them.
    package var certificate: String?
    package var key: String?

    package init(authorities: String? = nil, certificate: String? = nil, key: String? = nil) {
      self.authorities = authorities
      self.certificate = certificate
      self.key = key
    }
  }

  /// A name or an IP address.
  package var host: String
  package var port: Int
  package var clientID: String
  package var username: String?
  package var password: String?
  /// Nil: the connection is not encrypted.
  package var tls: TLS?
  /// What the broker publishes when the connection ends.
  package var will: MQTTMessage?
  /// The longest time without a message, in seconds. After this time the client pings the broker, and after
  /// the same time without a reply it closes the connection.
  package var keepalive: Int64 = 30
  /// The silence after which the broker is asked for a reply, in seconds.
  package var probeInterval: Int64 = 5
  /// The time in which a connection has to be accepted, in seconds.
  package var connectTimeout: Int64 = 15
  /// The maximum length of a payload that is received, in bytes.
  package var maximumPayload = 32 * 1024
  package var backoff = MQTTBackoff()

  package init(host: String, port: Int, clientID: String) {
    self.host = host
    self.port = port
    self.clientID = clientID
  }
}
