// SPDX-License-Identifier: Apache-2.0

/// An estimate of the offset of another wall's clock. The walls have no common clock, so it is made from
/// messages alone.
///
/// Each message gives an upper bound of the offset, because it was sent before it arrived. A ping and its
/// answer give the offset to within half of the time that both needed (NTP, RFC 5905, section 8). Of the last
/// answers, the one with the smallest error is used. Instants are in nanoseconds.
package struct ClockEstimate: Hashable, Sendable {
  private struct Sample: Hashable {
    /// What is added to the other clock's instants to get this wall's.
    var offset: Int64
    /// The largest error.
    var error: Int64
    var time: Int64
  }

  private static let limit = 8
  /// The divisor for the drift of two clocks, which is at most 100 ppm.
  private static let drift: Int64 = 10_000
  /// Pings whose answers took longer than this, in nanoseconds, are not used.
  private static let longest: Int64 = 1_000_000_000

  /// The offsets according to the last messages. Their errors are not known.
  private var received: [Int64] = []
  /// The offsets according to the last answers to pings.
  private var answers: [Sample] = []

  package init() {}

  /// - Parameters:
  ///   - sent: the other clock's instant.
  ///   - now: this wall's, when the message arrived.
  package mutating func received(sent: Int64, at now: Int64) {
    received = received.suffix(Self.limit - 1) + [now &- sent]
  }

  /// The answer to a ping.
  ///
  /// - Parameters:
  ///   - ping: when it was sent, by this wall's clock.
  ///   - received: when it arrived, by the other clock.
  ///   - sent: when the answer was sent, by the other clock.
  package mutating func answered(ping: Int64, received: Int64, sent: Int64, at now: Int64) {
    let way = (now &- ping) &- (sent &- received)
    guard way >= 0, way < Self.longest else { return }
    let sample = Sample(offset: (ping &- received) &+ way / 2, error: way / 2, time: now)
    answers = answers.suffix(Self.limit - 1) + [sample]
  }

  /// What is added to the other clock's instants to get this wall's; nil: unknown.
  package func offset(at now: Int64) -> Int64? {
    func error(_ sample: Sample) -> Int64 { sample.error &+ (now &- sample.time) / Self.drift }
    // Each of `received` is too large by the time that the message took, so the smallest is the best.
    return answers.min { error($0) < error($1) }?.offset ?? received.min()
  }
}
