// SPDX-License-Identifier: Apache-2.0

import Control
import Glibc
import LinuxSystem

/// Where clients come in: the sockets that systemd handed over, or one of our own.
final class ControlDoor {
  let server: ControlServer
  private var listeners: [UnixListener] = []

  static let identity = ServiceIdentity(
    vendor: "flipclock", product: "flipclockd", version: Release.version, url: "https://varlink.org/")

  init(
    _ options: DaemonOptions, inherited: [ServiceManager.ListenFileDescriptor], on loop: EventLoop,
    handler: any ControlHandler, log: Log
  ) throws(SystemError) {
    let server = try ControlServer(on: loop, handler: handler, identity: Self.identity)
    self.server = server
    // Written out: Swift 6.0.3 takes `$0` for borrowed.
    let admit = { (connection: consuming FileDescriptor) in server.admit(connection) }
    for descriptor in inherited {
      listeners.append(
        try UnixListener(adopting: FileDescriptor(owning: descriptor.rawValue), on: loop, handler: admit))
    }
    guard listeners.isEmpty else { return }
    let path = Self.path(options)
    let listener = try UnixListener(path: path, mode: 0o660, on: loop, handler: admit)
    listeners.append(listener)
    log.info("control socket: \(path)")
  }

  /// The first place whose directory is there, or can be made, and can be written.
  private static func path(_ options: DaemonOptions) -> String {
    let candidates = SocketPath.candidates(option: options.socket, environment: environmentVariable)
    for path in candidates {
      let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
      if !directory.isEmpty, options.socket == nil { _ = mkdir(directory, 0o755) }
      if access(directory.isEmpty ? "/" : directory, W_OK | X_OK) == 0 { return path }
    }
    return candidates.last ?? SocketPath.system
  }

  func close() {
    for listener in listeners { listener.close() }
    server.close()
  }
}
