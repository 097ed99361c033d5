// SPDX-License-Identifier: Apache-2.0

import Raster
import TestSupport
import Testing

@testable import Layers

@Suite(.enabled(if: Allocations.canBeCounted, "this build cannot count allocations"))
struct AllocationTests {
  @Test("allocations are counted")
  func allocationsAreCounted() {
    var kept: [[Int]] = []
    kept.reserveCapacity(4)
    #expect(Allocations.count { kept.append([Int](repeating: 1, count: kept.count + 100)) } >= 1)
    #expect(
      Allocations.count { UnsafeMutableRawPointer.allocate(byteCount: 100, alignment: 64).deallocate() } == 1)
    #expect(Allocations.count { kept[0][7] = 2 } == 0)
    // Allocations before and after the closure are not counted.
    kept.append([3])
    #expect(Allocations.count {} == 0)
  }
}
