// SPDX-License-Identifier: Apache-2.0

import WebServer

/// The host and the port of a URL, as in the header fields `Host` and `Origin` (RFC 3986 §3.2).
package struct Authority: Hashable, Sendable {
  package enum Host: Hashable, Sendable {
    case address(PeerAddress)
    /// In lower case, without a dot at the end.
    case name(String)
  }

  package var host: Host
  package var port: UInt16

  /// Nil unless the text is a host, optionally with a port. Without one the port is 80, as for `http`.
  package init?(_ text: String) {
    let text = text.lowercased()
    var host = text[...]
    var port: Substring?
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      host = text[text.index(after: text.startIndex)..<end]
      let rest = text[text.index(after: end)...]
      if rest.hasPrefix(":") { port = rest.dropFirst() } else if !rest.isEmpty { return nil }
      guard host.contains(":"), let address = PeerAddress(String(host)) else { return nil }
      self.host = .address(address)
    } else {
      if let colon = text.firstIndex(of: ":") {
        host = text[..<colon]
        port = text[text.index(after: colon)...]
      }
      if host.hasSuffix(".") { host.removeLast() }
      guard !host.isEmpty, host.utf8.count <= 253, host.utf8.allSatisfy(Self.isNameCharacter) else {
        return nil
      }
      self.host = PeerAddress(String(host)).map { .address($0) } ?? .name(String(host))
    }
    guard let port else {
      self.port = 80
      return
    }
    guard (1...5).contains(port.utf8.count), port.utf8.allSatisfy(Self.isDigit), let number = UInt16(port)
    else {
      return nil
    }
    self.port = number
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isNameCharacter(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_")].contains(byte)
  }
}

/// The names by which this machine may be addressed.
///
/// A page from elsewhere can make its own name resolve to this machine ("DNS rebinding"). Its requests then
/// have that name in `Host`, so other names are refused. An address cannot be rebound.
package struct HostNames: Hashable, Sendable {
  private let names: Set<String>
  /// The host name that the daemon's config has for phones, in lower case; nil: none.
  package var configured: String?

  /// - Parameter hostName: the machine's name, with or without a domain.
  package init(hostName: String) {
    let name = hostName.lowercased()
    let label = name.prefix { $0 != "." }
    names = ["localhost", name, String(label), "\(label).local"]
  }

  package func contains(_ authority: Authority) -> Bool {
    switch authority.host {
    case .address: true
    case .name(let name): names.contains(name) || name == configured
    }
  }
}

extension Authority {
  /// Whether `origin`, the value of a header field `Origin`, is that of a page of this host and port. The
  /// scheme may be `https` if a proxy encrypts.
  package func isOrigin(_ origin: String) -> Bool {
    for (scheme, port) in [("http://", UInt16(80)), ("https://", 443)] where origin.hasPrefix(scheme) {
      let rest = String(origin.dropFirst(scheme.count))
      guard var other = Authority(rest) else { return false }
      // Without a port, each scheme has its own.
      if !rest.hasSuffix(":\(other.port)") { other.port = port }
      return other == self
        || (scheme == "https://" && port == other.port && other.host == host && self.port == 80)
    }
    return false
  }
}
