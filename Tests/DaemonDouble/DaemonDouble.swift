// SPDX-License-Identifier: Apache-2.0

import ControlServer
import LinuxSystem
import VarlinkSockets

/// The control socket of a daemon without a display, on the loop of a test. It can be stopped and started
/// again, as systemd does with the real one.
package final class DaemonDouble {
  package let handler: RefereeHandler
  private let path: String
  private let loop: EventLoop
  private var running: (service: ControlService, server: VarlinkServer, listener: UnixListener)?

  package init(
    at path: String, on loop: EventLoop, _ handler: RefereeHandler = RefereeHandler()
  ) throws(SystemError) {
    self.handler = handler
    self.path = path
    self.loop = loop
    try start()
    handler.changed = { [weak self] in
      self?.running?.service.matchChanged { handler.matchState() }
    }
    handler.displayChanged = { [weak self] in
      self?.running?.service.displayChanged { handler.displayState() }
    }
  }

  package func start() throws(SystemError) {
    let service = ControlService(handler: handler)
    let identity = ServiceIdentity(vendor: "flipclock", product: "flipclockd", version: "1", url: "u")
    let server = try VarlinkServer(on: loop, service: VarlinkService(identity: identity, interface: service))
    // The parameter is written out because Swift 6.0.3 treats `$0` as borrowed.
    let listener = try UnixListener(path: path, on: loop) { (connection: consuming FileDescriptor) in
      server.admit(connection)
    }
    running = (service, server, listener)
  }

  /// Closes the socket and all connections.
  package func stop() {
    running?.listener.close()
    running?.server.close()
    running = nil
  }
}
