// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Testing

@testable import KMS

@Suite("Commit failures")
struct CommitFailureTests {
  @Test(
    "Each errno has its class",
    arguments: [
      (11, CommitFailure.busy), (16, .busy), (4, .busy), (1, .notMaster), (13, .notMaster), (19, .cardGone),
      (6, .cardGone), (12, .tooMuch), (28, .tooMuch), (22, .refused), (2, .refused), (38, .refused),
      (5, .refused),
    ] as [(Int32, CommitFailure)])
  func table(errno: Int32, failure: CommitFailure) {
    #expect(CommitFailure(SystemError("x", errno: Errno(rawValue: errno))) == failure)
  }
}
