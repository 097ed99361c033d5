// SPDX-License-Identifier: Apache-2.0

import Raster
import TestSupport
import Testing

@testable import Layers

extension Scene {
  /// The running animations: a frame with the same value as the last one is not the first frame of any animation.
  var running: [String] {
    var running: [String] = []
    func visit(_ layer: Layer) {
      for active in layer.animations {
        let state = active.hasEnded ? "over" : active.begin <= time ? "runs" : "waits"
        running.append("\(ObjectIdentifier(layer)) \(active.name ?? "") \(active.begin) \(state)")
      }
      for layer in layer.sublayers { visit(layer) }
    }
    visit(root)
    return running.sorted()
  }
}

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
    // Allocations before and after do not count.
    kept.append([3])
    #expect(Allocations.count {} == 0)
  }
}
