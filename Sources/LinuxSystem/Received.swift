// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The result of one read of a socket.
package enum Received: Hashable, Sendable {
  case bytes([UInt8])
  /// Nothing has arrived yet.
  case nothing
  /// The other end sends nothing more.
  case end
  case failed(Errno)

  /// Reads at most `limit` bytes without waiting. The corresponding C function is `recv`.
  package init(from socket: Int32, limit: Int) {
    var count = -1
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, initialized in
      count = recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
      initialized = max(0, count)
    }
    let error = Errno.current
    if count > 0 {
      self = .bytes(bytes)
    } else if count == 0 {
      self = .end
    } else {
      self = error.rawValue == EAGAIN || error.rawValue == EINTR ? .nothing : .failed(error)
    }
  }
}

/// Sets an option whose value is a number. The corresponding C function is `setsockopt`; errors are ignored.
package func setSocketOption(_ socket: Int32, _ level: Int32, _ name: Int32, _ value: Int32) {
  var value = value
  setsockopt(socket, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
}
