// SPDX-License-Identifier: Apache-2.0

import WebServer

/// A number of attempts at once, and then one at each interval.
package struct AttemptRate: Hashable, Sendable {
  package var burst: Int
  /// Nanoseconds until another attempt is allowed.
  package var interval: Int64

  package init(burst: Int, perMinute: Int) {
    self.burst = burst
    interval = 60_000_000_000 / Int64(max(perMinute, 1))
  }
}

/// Limits attempts, of each sender and in total. A sender is a network (`PeerAddress.network`), or a device
/// by its id.
///
/// Its memory is bounded: if there are too many senders, the one that may make the most attempts is
/// forgotten.
package struct AttemptLimiter<Sender: Hashable & Sendable>: Hashable, Sendable {
  /// When all attempts would be available again, from which follows how many are available now.
  private struct Bucket: Hashable, Sendable {
    var fullAt: Int64 = .min

    func isAvailable(_ rate: AttemptRate, now: Int64) -> Bool {
      max(fullAt, now) - now <= Int64(rate.burst - 1) * rate.interval
    }

    mutating func take(_ rate: AttemptRate, now: Int64) { fullAt = max(fullAt, now) + rate.interval }
    mutating func giveBack(_ rate: AttemptRate) { fullAt -= rate.interval }
  }

  /// The number of senders that are remembered.
  package static var senderLimit: Int { 256 }

  private let each: AttemptRate
  private let all: AttemptRate
  private var buckets: [Sender: Bucket] = [:]
  private var total = Bucket()

  package init(each: AttemptRate, all: AttemptRate) {
    self.each = each
    self.all = all
  }

  /// How many senders are remembered.
  package var senderCount: Int { buckets.count }

  /// Counts an attempt. Returns whether it is allowed; one that is not allowed does not count.
  package mutating func attempt(by sender: Sender, now: Int64) -> Bool {
    var bucket = buckets[sender] ?? Bucket()
    guard bucket.isAvailable(each, now: now), total.isAvailable(all, now: now) else { return false }
    bucket.take(each, now: now)
    total.take(all, now: now)
    if buckets[sender] == nil, buckets.count >= Self.senderLimit { forgetOne(now) }
    buckets[sender] = bucket
    return true
  }

  /// Takes back an attempt that succeeded: only those that failed count.
  package mutating func succeeded(by sender: Sender) {
    buckets[sender]?.giveBack(each)
    total.giveBack(all)
  }

  private mutating func forgetOne(_ now: Int64) {
    buckets = buckets.filter { $0.value.fullAt > now }
    guard buckets.count >= Self.senderLimit,
      let first = buckets.min(by: { $0.value.fullAt < $1.value.fullAt })
    else { return }
    buckets[first.key] = nil
  }
}

extension AttemptLimiter where Sender == PeerAddress {
  package mutating func attempt(from address: PeerAddress, now: Int64) -> Bool {
    attempt(by: address.network, now: now)
  }

  package mutating func succeeded(from address: PeerAddress) { succeeded(by: address.network) }
}
