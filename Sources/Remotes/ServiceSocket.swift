// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import Glibc
import LinuxSystem
import Varlink
import VarlinkSockets

/// The control socket of a program that connects the daemon with something.
package final class ServiceSocket {
  private let server: VarlinkServer
  private var listener: UnixListener?

  /// - Parameters:
  ///   - program: the name of the program.
  ///   - paths: where to listen: the first of them whose directory can be used.
  package init(
    _ interface: any VarlinkInterface, of program: String, at paths: [String], on loop: EventLoop
  ) throws(SystemError) {
    let identity = ServiceIdentity(
      vendor: "flipclock", product: program, version: Release.version, url: "https://varlink.org/")
    server = try VarlinkServer(on: loop, service: VarlinkService(identity: identity, interface: interface))
    for path in paths {
      let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
      _ = mkdir(directory, 0o755)
      guard access(directory, W_OK | X_OK) == 0 else { continue }
      listener = try UnixListener(path: path, mode: 0o660, on: loop) {
        [weak self] (connection: consuming FileDescriptor) in self?.server.admit(connection)
      }
      return
    }
    throw SystemError("listen", paths.first, errno: Errno(rawValue: EACCES))
  }

  package func close() {
    listener?.close()
    server.close()
  }
}
