// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import KMS

@Suite("Recovery ladder")
struct RecoveryLadderTests {
  @Test("Modeset, reopen, then increasing waits up to a minute")
  func steps() {
    var ladder = RecoveryLadder()
    var steps: [RecoveryLadder.Step] = []
    for _ in 0..<11 { steps.append(ladder.flipWasLost(mayReopen: true)) }
    let waits: [Int64] = [1, 2, 4, 8, 16, 32, 60, 60, 60]
    #expect(steps == [.modeset, .reopen] + waits.map { .giveUp(retryAfter: $0 * 1_000_000_000) })
  }

  @Test("A single completed flip changes nothing; three in a row reset the ladder")
  func recovery() {
    var ladder = RecoveryLadder()
    _ = ladder.flipWasLost(mayReopen: true)
    ladder.flipCompleted()
    ladder.flipCompleted()
    #expect(ladder.flipWasLost(mayReopen: true) == .reopen)
    for _ in 0..<3 { ladder.flipCompleted() }
    #expect(ladder.flipWasLost(mayReopen: true) == .modeset)
  }
}
