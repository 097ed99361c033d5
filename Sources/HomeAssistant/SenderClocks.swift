// SPDX-License-Identifier: Apache-2.0

import Commands

/// When a message was sent, by the clock of its sender.
package struct Stamp: Hashable, Sendable {
  /// In milliseconds; the clock may show any time.
  package var time: Int64
  /// The name of the clock; empty: the sender has not named it.
  package var sender = ""
}

/// Finds the age of messages by their stamps, although the clocks of the senders are not synchronized with
/// this machine's.
///
/// The difference between a message's arrival and its time is the offset of the sender's clock plus the delay
/// of the message. The smallest difference is that of the message with the least delay. The age of another
/// message is how much larger its difference is. So a message seems younger than it is: by that least delay,
/// and by at most 0.8 s because clocks drift.
///
/// Nothing is known of a clock before its first message. If this machine's clock is synchronized, it decides
/// about that message. Otherwise the message is taken for fresh, except while messages may have queued up.
///
/// All times are in milliseconds, and arrivals are those of CLOCK_BOOTTIME.
package struct SenderClocks: Hashable, Sendable {
  private struct Clock: Hashable {
    /// The smallest difference, and when it was seen.
    var least: Int64
    var seen: Int64
    /// When the last message arrived.
    var last: Int64
    /// Until when messages are refused because the first ones may have queued up.
    var unknownUntil: Int64 = .min
    /// The late messages since the last one that was not late; nil: there are none.
    var late: Late?

    struct Late: Hashable {
      var least: Int64
      var since: Int64
    }

    /// The difference of a message without a delay. The sender's clock may be slower than this machine's.
    func floor(at arrival: Int64) -> Int64 { least + (arrival - seen) / SenderClocks.driftTime }
  }

  private static let patience = Terms.patience / 1_000_000
  /// The time in which two clocks drift apart by a millisecond: 200 ppm.
  private static let driftTime: Int64 = 5_000
  /// How long a clock is remembered after its last message.
  private static let memory: Int64 = 30 * 60_000
  /// If all messages of this time were late, the sender's clock was set back.
  private static let resetTime: Int64 = 60_000
  /// How much the delays of messages differ that have not queued up: a second, and the drift.
  private static let jitter: Int64 = 1_800
  private static let limit = 64
  /// The times that stamps may have; sums of a few do not overflow.
  static let times: ClosedRange<Int64> = -(1 << 53)...(1 << 53)

  private var clocks: [String: Clock] = [:]

  package init() {}

  /// Returns the age of a message, in milliseconds. Fails if the age may be more than `Terms.patience`.
  ///
  /// - Parameters:
  ///   - now: the time of this machine's clock; nil: it is not synchronized.
  ///   - isSettled: whether messages that may have queued up have arrived.
  package mutating func age(
    of stamp: Stamp, arrival: Int64, now: Int64?, isSettled: Bool
  ) throws(OrderRefusal) -> Int64 {
    let difference = arrival - stamp.time
    let known = clocks[stamp.sender].flatMap { arrival - $0.last <= Self.memory ? $0 : nil }
    var clock = known ?? Clock(least: difference, seen: arrival, last: arrival)
    let gain = clock.floor(at: arrival) - difference
    let pause = arrival - clock.last
    clock.last = arrival
    if gain > 0 { (clock.least, clock.seen) = (difference, arrival) }
    defer { keep(clock, of: stamp.sender) }

    if known == nil || arrival < clock.unknownUntil {
      let age = now.map { $0 - stamp.time }
      if let age, (-Self.patience...Self.patience).contains(age) {
        clock.unknownUntil = .min
        return max(age, 0)
      }
      if age == nil, known == nil, isSettled { return 0 }
      if known == nil { clock.unknownUntil = arrival + Self.patience }
      throw age.map { .otherClock(seconds: Int($0 / 1_000)) } ?? .unsettled
    }
    var age = max(-gain, 0)
    if age <= Self.patience {
      clock.late = nil
      // The message before was older than it seemed. A queue is being delivered, and this message may come
      // from it, too.
      if gain > Self.jitter, pause < Self.patience { throw .unsettled }
      return age
    }
    let late = clock.late ?? Clock.Late(least: difference, since: arrival)
    clock.late = Clock.Late(least: min(late.least, difference), since: late.since)
    if arrival - late.since >= Self.resetTime {
      (clock.least, clock.seen, clock.late) = (min(late.least, difference), arrival, nil)
      age = difference - clock.least
    }
    guard age <= Self.patience else { throw .stale(seconds: Int(age / 1_000)) }
    return age
  }

  private mutating func keep(_ clock: Clock, of sender: String) {
    clocks[sender] = clock
    guard clocks.count > Self.limit, let oldest = clocks.min(by: { $0.value.last < $1.value.last }) else {
      return
    }
    clocks[oldest.key] = nil
  }
}
