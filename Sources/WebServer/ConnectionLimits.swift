// SPDX-License-Identifier: Apache-2.0

/// How many connections a server has, in total and from each address, and whether it accepts another.
///
/// Many clients may have one address (a router between two networks, a proxy), and one client may open many connections
/// to keep others out. So an address gets any number while there is room for others, and each of the others gets its
/// share.
package struct ConnectionLimits: Hashable, Sendable {
  package enum Verdict: Hashable, Sendable {
    case accept
    /// Accepts the connection after closing another that has not sent a request yet.
    case replace
    case refuse
  }

  /// All connections.
  package var total: Int
  /// How many connections an address may have in any case.
  package var share: Int
  private var counts: [PeerAddress: Int] = [:]
  package private(set) var count = 0

  package init(total: Int = 512, share: Int = 32) {
    self.total = total
    self.share = share
  }

  /// The last quarter of the connections is for addresses within their share.
  private var reserve: Int { total / 4 }

  /// - Parameter hasSilent: whether there is a connection that has not sent a request yet.
  package func verdict(for address: PeerAddress, hasSilent: Bool) -> Verdict {
    let isWithinShare = counts[address, default: 0] < share
    if count < (isWithinShare ? total : total - reserve) { return .accept }
    return isWithinShare && hasSilent ? .replace : .refuse
  }

  package mutating func opened(_ address: PeerAddress) {
    counts[address, default: 0] += 1
    count += 1
  }

  package mutating func closed(_ address: PeerAddress) {
    guard let before = counts[address] else { return }
    counts[address] = before > 1 ? before - 1 : nil
    count -= 1
  }
}
