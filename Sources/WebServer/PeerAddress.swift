// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// The address of a client, without its port. An IPv4 address and the IPv6 address to which it is mapped are
/// the same.
package struct PeerAddress: Hashable, Sendable, CustomStringConvertible {
  private let high: UInt64
  private let low: UInt64

  private static let mappedPrefix: UInt64 = 0xffff_0000_0000

  private init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// - Parameter ipv4: the address in host byte order.
  package init(ipv4: UInt32) {
    high = 0
    low = Self.mappedPrefix | UInt64(ipv4)
  }

  private init(ipv6: in6_addr) {
    var address = ipv6
    (high, low) = withUnsafeBytes(of: &address) { bytes in
      (
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }
  }

  /// 127.0.0.1
  package static let loopback = PeerAddress(ipv4: 0x7f00_0001)

  /// Reads an IPv4 or IPv6 address, without brackets and without a zone; nil if the text is neither.
  package init?(_ text: String) {
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      self.init(ipv4: UInt32(bigEndian: four.s_addr))
    } else if inet_pton(AF_INET6, text, &six) == 1 {
      self.init(ipv6: six)
    } else {
      return nil
    }
  }

  /// The other end of a connected socket; nil if it is not an IP socket. The corresponding C function is
  /// `getpeername`.
  package init?(ofPeer socket: Int32) {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let outcome = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(socket, $0, &length) }
    }
    guard outcome == 0 else { return nil }
    self.init(storage)
  }

  /// The address and the port to which a socket is bound; nil if it is not an IP socket. The corresponding C
  /// function is `getsockname`.
  package static func local(of socket: Int32) -> (address: PeerAddress, port: UInt16)? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let outcome = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
    }
    guard outcome == 0, let address = PeerAddress(storage) else { return nil }
    // The port has the same place in the addresses of both kinds.
    let port = withUnsafeBytes(of: &storage) { $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self) }
    return (address, UInt16(bigEndian: port))
  }

  init?(_ storage: sockaddr_storage) {
    let found = withUnsafePointer(to: storage) { pointer -> PeerAddress? in
      switch Int32(storage.ss_family) {
      case AF_INET:
        pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          PeerAddress(ipv4: UInt32(bigEndian: $0.pointee.sin_addr.s_addr))
        }
      case AF_INET6:
        pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
          PeerAddress(ipv6: $0.pointee.sin6_addr)
        }
      default: nil
      }
    }
    guard let found else { return nil }
    self = found
  }

  package var ipv4: UInt32? {
    high == 0 && low & ~UInt64(UInt32.max) == Self.mappedPrefix ? UInt32(truncatingIfNeeded: low) : nil
  }

  /// The first address of the IPv6 network (/64) in which a client can choose its address (RFC 8981); an IPv4
  /// address itself.
  package var network: PeerAddress { ipv4 == nil ? prefix(64) : self }

  /// The first `bits` of the 128; the others are 0.
  func prefix(_ bits: Int) -> PeerAddress {
    PeerAddress(high: high & ~(.max >> min(bits, 64)), low: low & ~(.max >> max(bits - 64, 0)))
  }

  package var description: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let found: UnsafePointer<CChar>?
    if let ipv4 {
      var address = in_addr(s_addr: ipv4.bigEndian)
      found = inet_ntop(AF_INET, &address, &text, socklen_t(text.count))
    } else {
      var words = (high.bigEndian, low.bigEndian)
      found = inet_ntop(AF_INET6, &words, &text, socklen_t(text.count))
    }
    guard found != nil else { return "?" }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
