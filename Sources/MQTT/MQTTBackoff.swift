// SPDX-License-Identifier: Apache-2.0

/// The delays between attempts to connect: each up to twice as long as the one before, and random, so that many clients
/// do not reconnect to a restarted broker at the same time.
package struct MQTTBackoff: Hashable, Sendable {
  /// The bounds of the delay, in nanoseconds.
  package var first: Int64
  package var longest: Int64
  private var next: Int64

  package init(first: Int64 = 1_000_000_000, longest: Int64 = 60_000_000_000) {
    self.first = max(first, 1)
    self.longest = max(longest, self.first)
    next = self.first
  }

  /// The delay before the next attempt, in nanoseconds: between half of the current bound and the bound.
  package mutating func delay(using random: inout some RandomNumberGenerator) -> Int64 {
    defer { next = min(next * 2, longest) }
    return Int64.random(in: (next - next / 2)...next, using: &random)
  }

  /// The next delay is the first again.
  package mutating func reset() { next = first }
}
