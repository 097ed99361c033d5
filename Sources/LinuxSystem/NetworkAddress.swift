// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An address of one of the machine's network interfaces.
package struct NetworkAddress: Hashable, Sendable {
  package var interface: String
  /// The address without a zone: `192.168.1.20`, `2001:db8::1`.
  package var text: String
  package var isIPv6 = false
  package var isLoopback = false
  /// Whether it is valid only on its link (169.254.0.0/16, fe80::/10).
  package var isLinkLocal = false

  /// As the host of a URL (RFC 3986): an IPv6 address is in brackets.
  package var host: String { isIPv6 ? "[\(text)]" : text }

  /// The addresses of all interfaces that are up. The corresponding C functions are `getifaddrs` and
  /// `getnameinfo`.
  package static func all() throws(SystemError) -> [NetworkAddress] {
    var first: UnsafeMutablePointer<ifaddrs>?
    _ = try retryingInterrupts("getifaddrs") { getifaddrs(&first) }
    defer { freeifaddrs(first) }
    var found: [NetworkAddress] = []
    var next = first
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let address = entry.ifa_addr, entry.ifa_flags & UInt32(IFF_UP) != 0 else { continue }
      let family = Int32(address.pointee.sa_family)
      guard family == AF_INET || family == AF_INET6 else { continue }
      let size = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
      var buffer = [CChar](repeating: 0, count: 128)
      guard
        getnameinfo(
          address, socklen_t(size), &buffer, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST) == 0
      else { continue }
      let name = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let text = name.split(separator: "%").first.map(String.init) ?? name
      found.append(
        NetworkAddress(
          interface: String(cString: entry.ifa_name), text: text, isIPv6: family == AF_INET6,
          isLoopback: entry.ifa_flags & UInt32(IFF_LOOPBACK) != 0,
          isLinkLocal: text.hasPrefix("169.254.") || text.hasPrefix("fe8") || text.hasPrefix("fe9")
            || text.hasPrefix("fea") || text.hasPrefix("feb")))
    }
    return found
  }

  /// The address under which another machine of the local network reaches this one: preferably IPv4, and of
  /// the interface with the default route. Nil if there is none.
  ///
  /// - Parameter routes: the text of `/proc/net/route`.
  package static func reachable(_ addresses: [NetworkAddress], routes: String) -> NetworkAddress? {
    let candidates = addresses.filter { !$0.isLoopback && !$0.isLinkLocal }
    let preferred = defaultInterface(routes)
    // `min` returns the first of several equal elements, so the kernel's order decides between them.
    return candidates.min { a, b in
      (a.isIPv6 ? 1 : 0, a.interface == preferred ? 0 : 1) < (
        b.isIPv6 ? 1 : 0, b.interface == preferred ? 0 : 1
      )
    }
  }

  /// The interface of the IPv4 default route with the lowest metric. The format is that of `/proc/net/route`:
  /// a line of headings, then columns, the destination and the mask in hexadecimal.
  static func defaultInterface(_ routes: String) -> String? {
    var best: (interface: String, metric: Int)?
    for line in routes.split(separator: "\n").dropFirst() {
      let columns = line.split { $0 == "\t" || $0 == " " }
      guard columns.count >= 8, columns[1] == "00000000", columns[7] == "00000000",
        let metric = Int(String(columns[6]))
      else { continue }
      if best.map({ metric < $0.metric }) ?? true { best = (String(columns[0]), metric) }
    }
    return best?.interface
  }
}

package enum ListeningPorts {
  /// Whether a TCP socket listens on `port`.
  ///
  /// - Parameter tables: the texts of `/proc/net/tcp` and `/proc/net/tcp6` (proc(5)): a line of headings,
  ///   then columns, the second one `ADDRESS:PORT` in hexadecimal, the fourth one the state; 0A is LISTEN.
  package static func contains(_ port: Int, in tables: [String]) -> Bool {
    tables.contains { table in
      table.split(separator: "\n").dropFirst().contains { line in
        let columns = line.split(separator: " ", maxSplits: 4)
        guard columns.count > 3, columns[3] == "0A", let colon = columns[1].lastIndex(of: ":") else {
          return false
        }
        return Int(columns[1][columns[1].index(after: colon)...], radix: 16) == port
      }
    }
  }
}
