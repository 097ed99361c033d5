// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Daemon

@Suite struct SuspensionTests {
  @Test("A suspension is noticed once, whatever the clocks do otherwise")
  func noticed() {
    var (boot, monotonic): (Int64, Int64) = (5_000_000_000, 3_000_000_000)
    var suspension = Suspension(clocks: { (boot, monotonic) })
    #expect(suspension.hasGrown() == false)
    (boot, monotonic) = (boot + 7_000_000_000, monotonic + 7_000_000_000)
    #expect(suspension.hasGrown() == false, "time passes")
    boot += 900
    #expect(suspension.hasGrown() == false, "the clocks are read one after the other")
    boot += 2_000_000_000
    #expect(suspension.hasGrown() == true)
    #expect(suspension.hasGrown() == false)
    boot -= 900
    #expect(suspension.hasGrown() == false)
    boot += 200_000_000
    #expect(suspension.hasGrown() == true)
  }
}
