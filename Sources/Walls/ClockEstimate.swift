// SPDX-License-Identifier: Apache-2.0

/// What a wall knows of another wall's clock, without any clock that both have in common.
///
/// A message shows an upper bound: the other clock was at `sent` some time before it arrived. A ping and its answer show
/// the difference to within half of the time that both needed (NTP, RFC 5905, section 8). Of the last measurements the one
/// with the shortest way is used. Instants are in nanoseconds.
package struct ClockEstimate: Hashable, Sendable {
  private struct Sample: Hashable {
    /// What is added to the other clock's instants to get this wall's.
    var offset: Int64
    /// The largest error.
    var error: Int64
    var time: Int64
  }

  private static let limit = 8
  /// How fast two clocks drift apart at worst: 100 ppm.
  private static let drift: Int64 = 10_000
  /// The longest way that says anything.
  private static let longest: Int64 = 1_000_000_000

  /// The last messages that only came: their error is not known.
  private var received: [Int64] = []
  /// The last answers.
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
    // A message that only came is earlier than it seems, so the smallest offset is the best.
    return answers.min { error($0) < error($1) }?.offset ?? received.min()
  }
}
