// SPDX-License-Identifier: Apache-2.0

/// Converts a sender's instants to this wall's clocks.
///
/// Both clocks are used if they are synchronized and agree: a message that seems to have needed more than a few seconds,
/// or to come from the future, shows that they do not. Then the message counts as sent when it arrives.
package struct WallClocks: Hashable, Sendable {
  /// The largest difference between two clocks that count as synchronized, in nanoseconds.
  package static let tolerance: Int64 = 2_000_000_000

  /// Whether the sender's instants were used as they are.
  package private(set) var agrees: Bool
  /// What is added to the sender's instants to get this wall's match time, in nanoseconds.
  package private(set) var offset: Int64
  /// When to show the state, in match time.
  package private(set) var showAt: Int64

  /// - Parameters:
  ///   - isLive: whether the message was sent while this wall was listening. A retained message may be old.
  ///   - isSynchronized: whether this wall's clock is synchronized.
  ///   - realtime: this wall's CLOCK_REALTIME, in nanoseconds.
  ///   - matchTime: its match time at the same moment.
  package init(
    _ message: WallMessage, isLive: Bool, isSynchronized: Bool, realtime: Int64, matchTime: Int64
  ) {
    let (age, overflow) = realtime.subtractingReportingOverflow(message.sent)
    let isPlausible =
      !overflow && age > -Self.tolerance && (age < Self.tolerance || !isLive)
    agrees = message.isSynchronized && isSynchronized && isPlausible
    let base = agrees ? realtime : message.sent
    offset = matchTime.subtractingReportingOverflow(base).partialValue
    let wanted = message.showAt.addingReportingOverflow(offset)
    let latest = matchTime.addingReportingOverflow(Self.tolerance).partialValue
    showAt = agrees && isLive && !wanted.overflow ? min(wanted.partialValue, latest) : matchTime
  }
}
