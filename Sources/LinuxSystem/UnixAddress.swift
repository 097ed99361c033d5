// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// An address of a unix socket (`struct sockaddr_un`, unix(7)).
package struct UnixAddress {
  private var address = sockaddr_un()
  private let length: socklen_t

  /// The maximum length of a path in bytes: `sun_path` has 108, one of them for the NUL.
  package static let pathLimit = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  /// The address of a socket in the file system. Fails with ENAMETOOLONG beyond `pathLimit`.
  init(path: String) throws(SystemError) {
    try checkPath(path)
    try self.init(bytes: Array(path.utf8), terminated: true, for: path)
  }

  /// The address of a socket in the abstract namespace, which has no file. `name` does not include the
  /// leading NUL (`@`).
  init(abstract name: String) throws(SystemError) {
    try self.init(bytes: [0] + Array(name.utf8), terminated: false, for: "@" + name)
  }

  private init(bytes: [UInt8], terminated: Bool, for subject: String) throws(SystemError) {
    guard bytes.count <= Self.pathLimit else {
      throw SystemError(
        "socket address", subject, errno: Errno(rawValue: ENAMETOOLONG),
        hint: "a socket path has at most \(Self.pathLimit) bytes, this one has \(bytes.count)")
    }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
    length = socklen_t(offset + bytes.count + (terminated ? 1 : 0))
  }

  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }
}

/// Stream sockets in the file system.
package enum UnixSocket {
  /// Connects to the socket at `path`. While the listener's backlog is full, a blocking connect waits and a
  /// non-blocking one fails with EAGAIN. The corresponding C functions are `socket` and `connect`.
  ///
  /// - Parameter timeoutSeconds: how long connecting and each later `send` may wait (SO_SNDTIMEO, unix(7));
  ///   nil: no limit.
  package static func connect(
    _ path: String, nonblocking: Bool = false, timeoutSeconds: Int? = nil
  ) throws(SystemError) -> FileDescriptor {
    let address = try UnixAddress(path: path)
    let socket = try open(nonblocking: nonblocking)
    let descriptor = socket.rawValue
    if let timeoutSeconds {
      var timeout = timeval(tv_sec: timeoutSeconds, tv_usec: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }
    _ = try retryingInterrupts("connect", path) {
      address.withPointer { Glibc.connect(descriptor, $0, $1) }
    }
    return socket
  }

  /// Returns the path to which a socket is bound; nil if it has none. The corresponding C function is
  /// `getsockname`.
  package static func path(of descriptor: Int32) -> String? {
    var address = sockaddr_un()
    var length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    guard result == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
    let bytes = withUnsafeBytes(of: address.sun_path) { Array($0.prefix { $0 != 0 }) }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  static func open(nonblocking: Bool) throws(SystemError) -> FileDescriptor {
    var type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    if nonblocking { type |= Int32(SOCK_NONBLOCK.rawValue) }
    return FileDescriptor(owning: try retryingInterrupts("socket") { socket(AF_UNIX, type, 0) })
  }
}
