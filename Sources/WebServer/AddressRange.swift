// SPDX-License-Identifier: Apache-2.0

/// A range of addresses in the notation of CIDR (RFC 4632): `192.168.1.0/24` or `fd00::/8`; `10.0.0.1` is a
/// range of one.
package struct AddressRange: Hashable, Sendable {
  private let first: PeerAddress
  /// How many bits of the 128 its addresses have in common.
  private let bits: Int

  package init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = parts.first.flatMap({ PeerAddress(String($0)) }) else { return nil }
    let width = address.ipv4 == nil ? 128 : 32
    guard let length = parts.count == 1 ? width : UInt8(parts[1]).map(Int.init), length <= width else {
      return nil
    }
    bits = 128 - width + length
    first = address.prefix(bits)
  }

  package func contains(_ address: PeerAddress) -> Bool { address.prefix(bits) == first }
}

extension HTTPRequest {
  /// Accepts what trusted proxies report about the client: `X-Forwarded-For` with the addresses of the hops,
  /// the last one at the end, and `X-Forwarded-Proto`. Clients can send these fields too, so the addresses
  /// are read from the end, and the first one that is not a proxy's is the client's.
  mutating func trust(_ proxies: [AddressRange]) {
    func isProxy() -> Bool { proxies.contains { $0.contains(address) } }
    guard isProxy() else { return }
    isSecure = headers["x-forwarded-proto"]?.lowercased() == "https"
    for hop in (headers["x-forwarded-for"] ?? "").split(separator: ",").reversed() where isProxy() {
      guard let next = PeerAddress(String(hop.filter { !" \t[]".contains($0) })) else { return }
      address = next
    }
  }
}
