// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import Glibc
import LinuxSystem
import Remotes
import VarlinkSockets
import WebServer

/// The program flipclock-web.
package final class WebRemoteProgram: RemoteProgram {
  package static let name = "flipclock-web"
  package static let options = WebRemoteOptions.row

  /// The name of the socket of flipclock-web-vestaboard.socket (`FileDescriptorName=`).
  private static let vestaboardName = "vestaboard"
  /// The same for flipclock-web-setup.socket.
  private static let setupName = "setup"
  /// How long requests may delay the end, in nanoseconds.
  private static let patience: Int64 = 5_000_000_000

  private let options: WebRemoteOptions
  private let log: Log
  private let loop: EventLoop
  private let manager: ServiceManager
  private let service: RemoteService
  private let control: VarlinkServer
  private let lock: DirectoryLock
  private var controlListeners: [UnixListener] = []
  private var timer: LoopTimer?
  private var signals: SignalWatch?
  private var isInherited = false
  /// When the loop stops at the latest; nil until the program is to end.
  private var end: Int64?
  private var failure: ProgramFailure?

  package static func run(_ options: WebRemoteOptions, log: Log) throws(ProgramFailure) -> Int32 {
    let manager = ServiceManager()
    guard let directory = options.stateDirectory(environment: environmentVariable) else {
      throw ProgramFailure(StateDirectory.missing, exitStatus: EX_CONFIG)
    }
    let lock: DirectoryLock
    do throws(DirectoryLock.Failure) { lock = try StateDirectory.lock(directory, mode: 0o700) } catch {
      throw ProgramFailure(error.text(directory), exitStatus: error.exitStatus)
    }
    let program: WebRemoteProgram
    do throws(SystemError) {
      program = try WebRemoteProgram(options, directory, lock, manager, log)
      try program.listen()
    } catch { throw ProgramFailure(error) }
    try program.run()
    return EXIT_SUCCESS
  }

  private init(
    _ options: WebRemoteOptions, _ directory: String, _ lock: DirectoryLock, _ manager: ServiceManager,
    _ log: Log
  ) throws(SystemError) {
    self.options = options
    self.log = log
    self.lock = lock
    self.manager = manager
    loop = try EventLoop()
    service = try RemoteService(
      options: options, stateDirectory: directory, hostName: HostName.current,
      candidates: SocketPath.candidates(option: options.socket, environment: environmentVariable),
      hostCandidates: HostInterface.candidates(environment: environmentVariable),
      mqttCandidates: MQTTInterface.candidates(environment: environmentVariable), on: loop, log: log)
    control = try VarlinkServer(
      on: loop,
      service: VarlinkService(
        identity: ServiceIdentity(
          vendor: "flipclock", product: Self.name, version: Release.version, url: "https://varlink.org/"
        ),
        interface: WebControl(service)))
    timer = try LoopTimer(.monotonic, on: loop) { [weak self] _ in self?.timePassed() }
    signals = try SignalWatch([SIGTERM, SIGINT, SIGHUP], on: loop)
    signals?.handler = { [weak self] in self?.receive($0.number) }
  }

  // MARK: Sockets

  private func listen() throws(SystemError) {
    var hasControl = false
    for descriptor in manager.listenFileDescriptors() {
      let socket = FileDescriptor(owning: descriptor.rawValue)
      if Self.isUnix(descriptor.rawValue) {
        hasControl = true
        try adopt(socket)
      } else if descriptor.name == Self.vestaboardName {
        if options.vestaboard == nil { try listenForVestaboardPrograms(on: socket) }
      } else if descriptor.name == Self.setupName {
        if options.setup == nil { try listenForSetup(on: socket) }
      } else if options.listen == nil {
        isInherited = true
        try listen(on: socket)
      }
    }
    if !isInherited {
      let address = options.listen ?? ListenAddress(port: WebRemoteOptions.defaultPort)
      try listen(on: try address.open())
      log.info("listening on \(address)")
    }
    if let address = options.vestaboard {
      try listenForVestaboardPrograms(on: try address.open())
      log.info("listening for the Vestaboard Local API on \(address)")
    }
    if let address = options.setup {
      try listenForSetup(on: try address.open())
      log.info("listening for phones on the access point on \(address)")
    }
    if !hasControl { openControl() }
  }

  private static func isUnix(_ socket: Int32) -> Bool {
    var family: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &family, &length) == 0 && family == AF_UNIX
  }

  private func listen(on socket: consuming FileDescriptor) throws(SystemError) {
    if let (_, port) = PeerAddress.local(of: socket.rawValue) { service.setup.pagePort = port }
    try service.server.listen(on: socket) { [weak self] in self?.fail($0) }
  }

  private func listenForVestaboardPrograms(on socket: consuming FileDescriptor) throws(SystemError) {
    try service.listenForVestaboardPrograms(on: socket) { [weak self] in self?.fail($0) }
  }

  private func listenForSetup(on socket: consuming FileDescriptor) throws(SystemError) {
    try service.listenForSetup(on: socket) { [weak self] in self?.fail($0) }
  }

  /// Ends the program because a socket accepts no connections any more.
  private func fail(_ error: SystemError) {
    failure = ProgramFailure(error)
    loop.stop()
  }

  private func adopt(_ socket: consuming FileDescriptor) throws(SystemError) {
    controlListeners.append(
      try UnixListener(adopting: socket, on: loop) { [control] (connection: consuming FileDescriptor) in
        control.admit(connection)
      })
  }

  /// Opens the socket for `flipclockctl remote list`, if its directory exists or can be created. Without it,
  /// the pages work too.
  private func openControl() {
    for path in WebInterface.candidates(option: nil, environment: environmentVariable) {
      let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
      _ = mkdir(directory, 0o755)
      guard access(directory, W_OK | X_OK) == 0 else { continue }
      do throws(SystemError) {
        controlListeners.append(
          try UnixListener(path: path, mode: 0o660, on: loop) {
            [control] (connection: consuming FileDescriptor) in
            control.admit(connection)
          })
        return
      } catch {
        log.warning("control socket: \(error)")
      }
    }
  }

  // MARK: Running

  private func run() throws(ProgramFailure) {
    armIdleTimer()
    manager.ready()
    ThisProcess.releaseProgram()
    do throws(SystemError) { try loop.run() } catch { failure = ProgramFailure(error) }
    manager.stopping()
    service.close()
    control.close()
    for listener in controlListeners { listener.close() }
    if let failure { throw failure }
  }

  /// Arms the timer that ends the program when nobody has used it for ten minutes. systemd starts it again at
  /// the next connection.
  private func armIdleTimer() {
    guard isInherited, end == nil else { return }
    let idleAt = service.isUnused ? service.lastUse : loop.now
    timer?.arm(at: ClockTime(totalNanoseconds: idleAt + RemoteService.idleNanoseconds))
  }

  private func timePassed() {
    if let end {
      if !service.owesAnswers || loop.now >= end { return loop.stop() }
      return timer?.arm(inNanoseconds: 20_000_000) ?? ()
    }
    guard service.isUnused, control.clientCount == 0,
      loop.now - service.lastUse >= RemoteService.idleNanoseconds
    else { return armIdleTimer() }
    log.info("not used for ten minutes")
    loop.stop()
  }

  /// Handles a signal. After the first one, commands that wait for the daemon are still answered; the second
  /// one ends the program at once.
  private func receive(_ signal: Int32) {
    if signal == SIGHUP, isatty(STDIN_FILENO) == 0 { return }
    guard end == nil else { return loop.stop() }
    service.stopListening()
    end = loop.now + Self.patience
    timePassed()
  }
}
