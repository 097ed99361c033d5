// SPDX-License-Identifier: Apache-2.0

import CAllocationCount

/// What a piece of a program asks of the heap, on the thread it runs on.
public enum Allocations {
  /// False where the test programs' counter does not stand before the allocator: in builds with a sanitizer.
  public static var canBeCounted: Bool { allocation_count_is_possible() != 0 }

  /// How many times `body` asks the heap for memory (malloc and all its relatives, by whomever it calls).
  public static func count(_ body: () throws -> Void) rethrows -> Int {
    allocation_count_begin()
    defer { _ = allocation_count_end() }
    try body()
    return Int(allocation_count_end())
  }

  /// To find out where they come from: prints the stacks of the next ones that are counted.
  public static func trace(next allocations: Int) { allocation_count_trace(Int32(allocations)) }
}
