// SPDX-License-Identifier: Apache-2.0

import Glibc
import MQTT
import Remotes

extension MQTTFailure {
  /// What people are told on the phone.
  var problem: MQTTInterface.Problem {
    switch self {
    case .unresolved: .unresolved
    case .system(let errno) where errno.rawValue == ECONNREFUSED: .refused
    case .system(let errno) where [ETIMEDOUT, EHOSTUNREACH, ENETUNREACH].contains(errno.rawValue): .noAnswer
    case .tls: .tls
    case .timedOut, .silent: .noAnswer
    // Bad user name or password; not authorized, which mosquitto says with MQTT 5.
    case .refused(0x86), .refused(0x87): .wrongPassword
    case .refused(0x85), .ended(0x8e), .unstable: .taken
    case .garbled: .notMQTT
    case .system, .refused, .ended, .lost, .other: .failed
    }
  }
}
