// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The process at the other end of a unix socket, as the kernel recorded it when the socket was connected
/// (SO_PEERCRED, unix(7)).
package struct PeerProcess: Hashable, Sendable {
  /// 0 if the process is in another PID namespace.
  package var process: Int32
  package var user: UInt32

  package init(process: Int32, user: UInt32) {
    self.process = process
    self.user = user
  }

  /// The peer of a connected socket; nil if the kernel does not report it.
  package init?(of socket: Int32) {
    var process: Int32 = 0
    var user: UInt32 = 0
    guard clinux_peer(socket, &process, &user) == 0 else { return nil }
    self.init(process: process, user: user)
  }

  /// The program's name from /proc/PID/comm, which any program can choose for itself. Nil if the process is
  /// unknown or has ended, or if it belongs to another user and the service may not see it (`ProtectProc=` of
  /// systemd.exec(5)).
  package var name: String? {
    guard process > 0, let bytes = try? readFile("/proc/\(process)/comm", limit: 64) else { return nil }
    let name = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return name.isEmpty ? nil : name
  }

  /// The user's name in /etc/passwd (passwd(5)); nil if it is not there. Other databases are not asked,
  /// because they may make the caller wait for a network.
  package var userName: String? {
    guard let bytes = try? readFile("/etc/passwd", limit: 1 << 20) else { return nil }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let fields = line.split(separator: ":", omittingEmptySubsequences: false)
      if fields.count > 2, UInt32(fields[2]) == user { return String(fields[0]) }
    }
    return nil
  }
}

extension PeerProcess: CustomStringConvertible {
  /// E.g. `flipclockctl (process 812, user root)`.
  package var description: String {
    "\(name ?? "a program") (process \(process), user \(userName ?? "\(user)"))"
  }
}
