// SPDX-License-Identifier: Apache-2.0

import CAllocationCount

/// Counts the heap allocations of a piece of code on the current thread.
package enum Allocations {
  /// False if the allocation counter of the test programs does not replace the allocator, as in builds with a
  /// sanitizer.
  package static var canBeCounted: Bool { allocation_count_is_possible() != 0 }

  /// How many times `body` allocates memory, with malloc or a related function, directly or in functions that
  /// it calls.
  package static func count(_ body: () throws -> Void) rethrows -> Int {
    allocation_count_begin()
    defer { _ = allocation_count_end() }
    try body()
    return Int(allocation_count_end())
  }

  /// Prints the stacks of the next counted allocations, to find out where they are made.
  package static func trace(next allocations: Int) { allocation_count_trace(Int32(allocations)) }
}
