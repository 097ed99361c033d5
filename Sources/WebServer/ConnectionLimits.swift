// SPDX-License-Identifier: Apache-2.0

/// How many connections a server has, in total and from each network, and whether there is room for another.
///
/// Many clients may have one address (a router between two networks, a proxy), and one client may open many
/// connections to keep others out. So an address gets any number while there is room for others, and each of
/// the others gets its share. The addresses of an IPv6 network count as one, because a client can use any of
/// them.
package struct ConnectionLimits: Hashable, Sendable {
  /// How many connections are accepted although there is no room for them. Their requests may show that they
  /// come from a paired device; others get no event stream.
  package static let margin = 64

  /// All connections.
  package var total: Int
  /// A network with fewer connections than this may also use the reserve.
  package var share: Int
  private var counts: [PeerAddress: Int] = [:]
  package private(set) var count = 0

  package init(total: Int = 512, share: Int = 32) {
    self.total = total
    self.share = share
  }

  /// The last quarter of the connections is for addresses within their share.
  private var reserve: Int { total / 4 }

  /// The number of connections of the address's network.
  package func count(of address: PeerAddress) -> Int { counts[address.network, default: 0] }

  /// - Parameters:
  ///   - isCounted: whether the connection is one of those that are counted already.
  ///   - margin: how many more connections there may be.
  package func hasRoom(for address: PeerAddress, isCounted: Bool = false, margin: Int = 0) -> Bool {
    let own = isCounted ? 1 : 0
    let limit = count(of: address) - own < share ? total : total - reserve
    return count - own < limit + margin
  }

  package mutating func opened(_ address: PeerAddress) {
    counts[address.network, default: 0] += 1
    count += 1
  }

  package mutating func closed(_ address: PeerAddress) {
    guard let before = counts[address.network] else { return }
    counts[address.network] = before > 1 ? before - 1 : nil
    count -= 1
  }
}
