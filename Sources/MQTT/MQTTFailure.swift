// SPDX-License-Identifier: Apache-2.0

import CMosquitto
import Glibc
import LinuxSystem

/// Why there is no connection to the broker.
package enum MQTTFailure: Error, Hashable, Sendable {
  /// The host's name cannot be resolved; the reason of getaddrinfo(3).
  case unresolved(String)
  /// A system call failed.
  case system(Errno)
  /// The encrypted connection could not be made; OpenSSL's reason.
  case tls(String)
  /// The broker did not accept the connection in time.
  case timedOut
  /// The broker refused the connection, with a reason code of MQTT 5.
  case refused(Int32)
  /// The broker ended the connection, with a reason code of MQTT 5.
  case ended(Int32)
  /// The connection was lost.
  case lost
  /// The broker has closed several connections soon after it had accepted them.
  case unstable
  /// The broker did not reply to a ping.
  case silent
  /// The broker does not follow the protocol.
  case garbled
  /// Another error of libmosquitto.
  case other(String)

  /// - Parameters:
  ///   - result: a MOSQ_ERR value.
  ///   - error: `errno` after the call.
  ///   - complaint: the last error or warning that libmosquitto has logged.
  init(result: Int32, error: Int32, complaint: String?) {
    switch Int(result) {
    case Int(MOSQ_ERR_EAI.rawValue), Int(MOSQ_ERR_LOOKUP.rawValue):
      self = .unresolved(String(cString: gai_strerror(error)))
    case Int(MOSQ_ERR_ERRNO.rawValue): self = error == 0 ? .lost : .system(Errno(rawValue: error))
    case Int(MOSQ_ERR_TLS.rawValue), Int(MOSQ_ERR_TLS_HANDSHAKE.rawValue), Int(MOSQ_ERR_OCSP.rawValue):
      self = .tls(Self.reason(complaint))
    case Int(MOSQ_ERR_CONN_LOST.rawValue), Int(MOSQ_ERR_NO_CONN.rawValue): self = .lost
    case Int(MOSQ_ERR_KEEPALIVE.rawValue): self = .silent
    case Int(MOSQ_ERR_PROTOCOL.rawValue), Int(MOSQ_ERR_MALFORMED_PACKET.rawValue),
      Int(MOSQ_ERR_MALFORMED_UTF8.rawValue), Int(MOSQ_ERR_DUPLICATE_PROPERTY.rawValue):
      self = .garbled
    default: self = .other(String(cString: mosquitto_strerror(result)))
    }
  }

  /// OpenSSL's reason: the last part of a complaint such as `OpenSSL Error[0]: error:0A000086:SSL
  /// routines::certificate verify failed`.
  private static func reason(_ complaint: String?) -> String {
    guard let complaint else { return "the handshake failed" }
    guard complaint.hasPrefix("OpenSSL Error"),
      let last = complaint.split(separator: ":").last, !last.isEmpty
    else { return complaint }
    return last.drop { $0 == " " }.description
  }

  /// Converts the code in the reply to a connection to a reason code of MQTT 5. Older versions have the codes
  /// 1 to 5.
  static func code(ofReply code: Int32) -> Int32 {
    switch code {
    case 1: 0x84
    case 2: 0x85
    case 3: 0x88
    case 4: 0x86
    case 5: 0x87
    default: code
    }
  }

  /// Whether the broker refused the version of the protocol.
  var isVersionRefused: Bool { self == .refused(0x84) }
}

extension MQTTFailure: CustomStringConvertible {
  /// The reason; where the likely cause is known, also what to check.
  package var description: String {
    switch self {
    case .unresolved(let reason): "the name cannot be resolved: \(reason); is 'host' right?"
    case .system(let errno) where errno.rawValue == ECONNREFUSED:
      "\(errno); is the broker running, and 'port' right?"
    case .system(let errno): "\(errno)"
    case .tls(let reason): Self.describe(tls: reason)
    case .timedOut: "no reply; is 'port' right, and does the broker expect 'tls'?"
    case .refused(let code): "refused: \(Self.describe(refusal: code))"
    case .ended(0x8e): "another client uses the same 'client-id'"
    case .ended(let code): "the broker ended the connection: \(Self.reason(code))"
    case .lost: "the broker closed the connection"
    case .unstable:
      "the broker soon closes each connection; does another client use the same 'client-id'?"
    case .silent: "the broker does not reply any more"
    case .garbled: "the reply is not MQTT; is 'port' right, and does the broker expect 'tls'?"
    case .other(let reason): reason
    }
  }

  private static func describe(tls reason: String) -> String {
    switch reason {
    case _ where strstr(reason, "certificate verify failed") != nil:
      "TLS: the broker's certificate is not signed by the authorities in 'ca', or is not valid now"
    case _ where strstr(reason, "host name verification failed") != nil:
      "TLS: the broker's certificate is for another name than 'host'"
    case _ where strstr(reason, "wrong version number") != nil:
      "TLS: the broker does not encrypt on this port; is 'port' right?"
    default: "TLS: \(reason)"
    }
  }

  private static func describe(refusal code: Int32) -> String {
    switch code {
    case 0x86: "wrong 'username' or password"
    case 0x87: "this user may not connect; are 'username' and 'password-file' right?"
    case 0x85: "the broker does not accept this 'client-id'"
    default: reason(code)
    }
  }

  private static func reason(_ code: Int32) -> String {
    String(cString: mosquitto_reason_string(code)).lowercased() + " (0x" + String(code, radix: 16) + ")"
  }
}
