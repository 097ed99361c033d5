// SPDX-License-Identifier: Apache-2.0

/// A point in POSIX time (CLOCK_REALTIME): seconds since 1970-01-01T00:00:00Z without leap seconds, and
/// nanoseconds after that second.
package struct Instant: Hashable, Comparable, Sendable {
  package let seconds: Int64
  /// 0 … 999 999 999, before 1970 too.
  package let nanoseconds: Int32

  /// Nanoseconds outside 0 … 999 999 999 are carried into the seconds, which saturate.
  package init(seconds: Int64, nanoseconds: Int32 = 0) {
    var carry = Int64(nanoseconds / 1_000_000_000)
    var rest = nanoseconds % 1_000_000_000
    if rest < 0 {
      rest += 1_000_000_000
      carry -= 1
    }
    let (sum, overflow) = seconds.addingReportingOverflow(carry)
    self.seconds = overflow ? (carry < 0 ? .min : .max) : sum
    self.nanoseconds = rest
  }

  /// - Parameter milliseconds: since 1970-01-01T00:00:00Z.
  package init(milliseconds: Int64) {
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
    self.init(seconds: seconds, nanoseconds: Int32(rest) * 1_000_000)
  }

  /// Nanoseconds from here to `other`; differences beyond 2³² seconds are clamped.
  package func nanoseconds(until other: Instant) -> Int64 {
    let seconds = min(
      max(other.seconds.subtractingReportingOverflow(self.seconds).partialValue, -1 << 32), 1 << 32)
    return seconds * 1_000_000_000 + Int64(other.nanoseconds) - Int64(nanoseconds)
  }

  package func advanced(nanoseconds count: Int64) -> Instant {
    let (whole, rest) = count.quotientAndRemainder(dividingBy: 1_000_000_000)
    let sum = Int64(nanoseconds) + rest
    return Instant(
      seconds: seconds + whole + sum / 1_000_000_000,
      nanoseconds: Int32(truncatingIfNeeded: sum % 1_000_000_000))
  }

  /// The last representable instant.
  static let distantFuture = Instant(seconds: .max, nanoseconds: 999_999_999)

  package static func < (a: Instant, b: Instant) -> Bool {
    (a.seconds, a.nanoseconds) < (b.seconds, b.nanoseconds)
  }
}
