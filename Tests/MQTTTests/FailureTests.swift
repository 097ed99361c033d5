// SPDX-License-Identifier: Apache-2.0

import CMosquitto
import LinuxSystem
import Testing

@testable import MQTT

@Suite struct FailureTests {
  @Test(
    "OpenSSL's reasons are explained",
    arguments: [
      (
        "OpenSSL Error[0]: error:0A000086:SSL routines::certificate verify failed",
        "not signed by the authorities"
      ),
      ("Error: host name verification failed.", "another name than 'host'"),
      (
        "OpenSSL Error[0]: error:0A00010B:SSL routines::wrong version number", "does not encrypt on this port"
      ),
      (
        "OpenSSL Error[0]: error:0A000418:SSL routines::tlsv1 alert unknown ca", "TLS: tlsv1 alert unknown ca"
      ),
    ])
  func tls(complaint: String, words: String) {
    let failure = MQTTFailure(result: Int32(MOSQ_ERR_TLS.rawValue), error: 0, complaint: complaint)
    #expect(failure.description.contains(words))
  }

  @Test("Every result of the library has a description")
  func results() {
    for result in Int32(-5)...40 where result != 0 {
      for error in [0, ECONNREFUSED, EHOSTUNREACH] as [Int32] {
        let failure = MQTTFailure(result: result, error: error, complaint: nil)
        #expect(!failure.description.isEmpty)
      }
    }
    for code in Int32(0)...255 { #expect(!MQTTFailure.refused(code).description.isEmpty) }
  }
}
