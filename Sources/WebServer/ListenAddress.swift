// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import LinuxSystem

/// Where a server listens: `192.168.1.5:8080`, `[::1]:8080`, or only a port for all addresses of the machine.
package struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
  package struct Malformed: Error, Hashable, Sendable {
    /// What is wrong, and what to write instead.
    package let message: String
  }

  /// An IPv4 or IPv6 address without brackets; nil: all addresses.
  package var host: String?
  package var port: UInt16

  package init(host: String? = nil, port: UInt16) {
    self.host = host
    self.port = port
  }

  package init(parsing text: String) throws(Malformed) {
    let hint = "write '8080', '192.168.1.5:8080' or '[fd00::5]:8080'"
    let colon = text.lastIndex(of: ":")
    let digits = colon.map { text[text.index(after: $0)...] } ?? text[...]
    guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let port = UInt16(digits)
    else {
      throw Malformed(message: "'\(text)' has no port from 0 to 65535; \(hint)")
    }
    var host = colon.map { String(text[..<$0]) } ?? ""
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = String(host.dropFirst().dropLast())
      guard PeerAddress(host) != nil, host.contains(":") else {
        throw Malformed(message: "'\(host)' is not an IPv6 address; \(hint)")
      }
    } else if host.contains(":") {
      throw Malformed(message: "an IPv6 address has to be in brackets: '[\(host)]:\(port)'")
    } else if host == "localhost" {
      host = "127.0.0.1"
    } else if !host.isEmpty, host != "*", PeerAddress(host) == nil {
      throw Malformed(message: "'\(host)' is not an IP address; \(hint)")
    }
    self.init(host: host.isEmpty || host == "*" ? nil : host, port: port)
  }

  package var description: String {
    guard let host else { return "port \(port)" }
    return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  /// A listening socket, non-blocking and close-on-exec. For all addresses it is one socket for IPv4 and
  /// IPv6, or only for IPv4 where the kernel has no IPv6. The corresponding C functions are `bind` and
  /// `listen`.
  package func open() throws(SystemError) -> FileDescriptor {
    if let host { return try open(host) }
    do throws(SystemError) { return try open("::") } catch {
      guard [EAFNOSUPPORT, EADDRNOTAVAIL].contains(error.errno.rawValue) else { throw error }
      return try open("0.0.0.0")
    }
  }

  private func open(_ host: String) throws(SystemError) -> FileDescriptor {
    let subject = description
    var four = sockaddr_in()
    var six = sockaddr_in6()
    let isIPv6 = inet_pton(AF_INET6, host, &six.sin6_addr) == 1
    if !isIPv6, inet_pton(AF_INET, host, &four.sin_addr) != 1 {
      throw SystemError("bind", subject, errno: Errno(rawValue: EINVAL))
    }
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let socket = FileDescriptor(
      owning: try retryingInterrupts("socket", subject) {
        Glibc.socket(isIPv6 ? AF_INET6 : AF_INET, type, 0)
      })
    let descriptor = socket.rawValue
    setSocketOption(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
    let bound: Int32
    if isIPv6 {
      setSocketOption(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, self.host == nil ? 0 : 1)
      six.sin6_family = sa_family_t(AF_INET6)
      six.sin6_port = port.bigEndian
      bound = withUnsafePointer(to: &six) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
        }
      }
    } else {
      four.sin_family = sa_family_t(AF_INET)
      four.sin_port = port.bigEndian
      bound = withUnsafePointer(to: &four) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }
    guard bound == 0 else {
      let error = Errno.current
      let hint =
        error.rawValue == EADDRINUSE
        ? "another program listens there; choose another port with --listen"
        : error.rawValue == EACCES ? "ports below 1024 are for root; choose a higher one with --listen" : nil
      throw SystemError("bind", subject, errno: error, hint: hint)
    }
    _ = try retryingInterrupts("listen", subject) { listen(descriptor, 256) }
    return socket
  }
}
