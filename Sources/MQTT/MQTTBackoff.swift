// SPDX-License-Identifier: Apache-2.0

/// The delays between attempts to connect. They are random, so that many clients do not reconnect to a
/// restarted broker at the same time. Their upper bound doubles with each attempt, up to `longest`.
package struct MQTTBackoff: Hashable, Sendable {
  /// The first and the largest upper bound of the delay, in nanoseconds.
  package var first: Int64
  package var longest: Int64
  private var next: Int64

  package init(first: Int64 = 1_000_000_000, longest: Int64 = 60_000_000_000) {
    self.first = max(first, 1)
    self.longest = max(longest, self.first)
    next = self.first
  }

  /// The delay before the next attempt, in nanoseconds: between half of the upper bound and the upper bound.
  package mutating func delay(using random: inout some RandomNumberGenerator) -> Int64 {
    defer { next = min(next * 2, longest) }
    return Int64.random(in: (next - next / 2)...next, using: &random)
  }

  /// Sets the upper bound of the next delay to `first`.
  package mutating func reset() { next = first }
}
