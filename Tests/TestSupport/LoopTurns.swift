// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

extension EventLoop {
  /// Runs the loop until `condition` is true. Returns false after 20 seconds, so that a hung test ends; on a
  /// busy machine not before as many turns as 20 seconds have at least.
  @discardableResult
  package func turn(until condition: () throws -> Bool) throws -> Bool {
    let end = SystemClock.monotonic.now.seconds + 20
    var turns = 0
    while try !condition() {
      guard turns < 1_000 || SystemClock.monotonic.now.seconds < end else { return false }
      try turn(timeoutMilliseconds: 20)
      turns += 1
    }
    return true
  }

  /// Runs the loop for `milliseconds`, at least one turn.
  package func turn(for milliseconds: Double) throws {
    let end = SystemClock.monotonic.now.totalNanoseconds + Int64(milliseconds * 1e6)
    repeat {
      let left = Double(end - SystemClock.monotonic.now.totalNanoseconds) / 1e6
      try turn(timeoutMilliseconds: Int32(max(left.rounded(.up), 0)))
    } while SystemClock.monotonic.now.totalNanoseconds < end
  }
}
