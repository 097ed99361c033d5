// SPDX-License-Identifier: Apache-2.0

import WebServer

/// Limits attempts, from each network (`PeerAddress.network`) and in total: a number at once, and then one at
/// each interval.
///
/// Its memory is bounded: if there are too many networks, the one that may make the most attempts is
/// forgotten.
package struct AttemptLimiter: Hashable, Sendable {
  package struct Rate: Hashable, Sendable {
    package var burst: Int
    /// Nanoseconds until another attempt is allowed.
    package var interval: Int64

    package init(burst: Int, perMinute: Int) {
      self.burst = burst
      interval = 60_000_000_000 / Int64(max(perMinute, 1))
    }
  }

  /// When all attempts would be available again, from which follows how many are available now.
  private struct Bucket: Hashable, Sendable {
    var fullAt: Int64 = .min

    func isAvailable(_ rate: Rate, now: Int64) -> Bool {
      max(fullAt, now) - now <= Int64(rate.burst - 1) * rate.interval
    }

    mutating func take(_ rate: Rate, now: Int64) { fullAt = max(fullAt, now) + rate.interval }
    mutating func giveBack(_ rate: Rate) { fullAt -= rate.interval }
  }

  package static let networkLimit = 256

  private let each: Rate
  private let all: Rate
  private var buckets: [PeerAddress: Bucket] = [:]
  private var total = Bucket()

  package init(each: Rate, all: Rate) {
    self.each = each
    self.all = all
  }

  /// How many networks are remembered.
  package var networkCount: Int { buckets.count }

  /// Counts an attempt. Returns whether it is allowed; one that is not allowed does not count.
  package mutating func attempt(from address: PeerAddress, now: Int64) -> Bool {
    let network = address.network
    var bucket = buckets[network] ?? Bucket()
    guard bucket.isAvailable(each, now: now), total.isAvailable(all, now: now) else { return false }
    bucket.take(each, now: now)
    total.take(all, now: now)
    if buckets[network] == nil, buckets.count >= Self.networkLimit { forgetOne(now) }
    buckets[network] = bucket
    return true
  }

  /// Takes back an attempt that succeeded: only those that failed count.
  package mutating func succeeded(from address: PeerAddress) {
    buckets[address.network]?.giveBack(each)
    total.giveBack(all)
  }

  private mutating func forgetOne(_ now: Int64) {
    buckets = buckets.filter { $0.value.fullAt > now }
    guard buckets.count >= Self.networkLimit,
      let first = buckets.min(by: { $0.value.fullAt < $1.value.fullAt })
    else { return }
    buckets[first.key] = nil
  }
}
