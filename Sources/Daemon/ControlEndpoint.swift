// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import ControlServer
import Glibc
import LinuxSystem
import VarlinkSockets

/// The control sockets: those inherited from systemd, or one that the daemon opens itself, and their server.
///
/// A socket that cannot be opened, or that fails later, is opened again with growing delays; the daemon shows
/// the clock meanwhile.
final class ControlEndpoint {
  /// The delays between attempts, in nanoseconds.
  struct Delays {
    var first: Int64 = 1_000_000_000
    var longest: Int64 = 60_000_000_000
  }

  let server: VarlinkServer
  let service: ControlService
  private let options: DaemonOptions
  private let loop: EventLoop
  private let log: Log
  private let delays: Delays
  private var listeners: [(number: Int, path: String?, listener: UnixListener)] = []
  private var nextNumber = 0
  private var retry: LoopTimer?
  /// The paths to open at the next attempt; nil: the path that the options select then.
  private var closed: [String?] = []
  private var delay: Int64 = 0
  private var lastFailure: Int64?
  /// The last reason that was logged. It is not logged again until a socket has been opened.
  private var reported: String?

  /// The path of the first socket that is open.
  var path: String? { listeners.first?.path }

  /// Whether a socket is waiting to be opened again.
  var isWaiting: Bool { !closed.isEmpty }

  /// Fails if the socket's path is too long. If opening the socket fails for another reason, it is tried
  /// again later.
  init(
    _ options: DaemonOptions, inherited: [ServiceManager.ListenFileDescriptor], on loop: EventLoop,
    handler: any ControlHandler, log: Log, delays: Delays = Delays()
  ) throws(SystemError) {
    service = ControlService(handler: handler, log: log)
    let identity = ServiceIdentity(
      vendor: "flipclock", product: "flipclockd", version: Release.version, url: "https://varlink.org/")
    server = try VarlinkServer(
      on: loop, service: VarlinkService(identity: identity, interface: service))
    self.options = options
    self.loop = loop
    self.log = log
    self.delays = delays
    retry = try LoopTimer(.monotonic, on: loop) { [weak self] _ in self?.openAgain() }
    for descriptor in inherited { adopt(descriptor.rawValue) }
    guard inherited.isEmpty else { return }
    do throws(SystemError) { try open(Self.path(options)) } catch {
      if error.errno.rawValue == ENAMETOOLONG { throw error }
      failed(nil, error)
    }
  }

  private func adopt(_ descriptor: Int32) {
    let path = UnixSocket.path(of: descriptor)
    let number = takeNumber()
    do throws(SystemError) {
      listeners.append(
        (
          number, path,
          try UnixListener(
            adopting: FileDescriptor(owning: descriptor), on: loop,
            failed: { [weak self] in self?.failed(number, path, $0) }, handler: admit)
        ))
    } catch {
      failed(path, error)
    }
  }

  private func open(_ path: String) throws(SystemError) {
    let number = takeNumber()
    let listener = try UnixListener(
      path: path, mode: 0o660, on: loop, failed: { [weak self] in self?.failed(number, path, $0) },
      handler: admit)
    listeners.append((number, path, listener))
    reported = nil
    log.info("control socket: \(path)")
  }

  private func takeNumber() -> Int {
    nextNumber += 1
    return nextNumber
  }

  // The parameter is written out because Swift 6.0.3 treats `$0` as borrowed.
  private var admit: (consuming FileDescriptor) -> Void {
    { [server] (connection: consuming FileDescriptor) in server.admit(connection) }
  }

  private func failed(_ number: Int, _ path: String?, _ error: SystemError) {
    listeners.removeAll { $0.number == number }
    failed(path, error)
  }

  private func failed(_ path: String?, _ error: SystemError) {
    let now = SystemClock.monotonic.now.totalNanoseconds
    let isNew = lastFailure.map { now - $0 > 2 * delays.longest } ?? true
    delay = isNew ? delays.first : min(2 * delay, delays.longest)
    lastFailure = now
    closed.append(path)
    retry?.arm(at: ClockTime(totalNanoseconds: now + delay))
    let reason = error.description
    guard reason != reported else { return }
    reported = reason
    log.error("control socket: \(reason); trying again until it works")
  }

  private func openAgain() {
    let paths = closed
    closed = []
    for path in paths {
      do throws(SystemError) { try open(path ?? Self.path(options)) } catch { failed(path, error) }
    }
  }

  /// The first candidate whose directory exists or can be created, and is writable; if there is none, the
  /// last one.
  private static func path(_ options: DaemonOptions) -> String {
    let candidates = SocketPath.candidates(option: options.socket, environment: environmentVariable)
    for path in candidates {
      let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
      if !directory.isEmpty, options.socket == nil { _ = mkdir(directory, 0o755) }
      if access(directory.isEmpty ? "/" : directory, W_OK | X_OK) == 0 { return path }
    }
    return candidates.last ?? SocketPath.system
  }

  /// Accepts no more clients; those that are connected are still served.
  func stopListening() {
    retry?.cancel()
    retry = nil
    for (_, _, listener) in listeners { listener.close() }
    listeners = []
  }

  func close() {
    stopListening()
    server.close()
  }
}
