// SPDX-License-Identifier: Apache-2.0

import Commands
import Glibc
import Scoreboard
import TestSupport
import Testing

@testable import ControlCalls
@testable import ControlClient
@testable import ControlServer
@testable import LinuxSystem
@testable import VarlinkSockets

func contents(of path: String) throws -> [UInt8] {
  let file = try FileDescriptor(opening: path, O_RDONLY)
  var bytes = [UInt8](repeating: 0, count: 4 << 20)
  let count = read(file.rawValue, &bytes, bytes.count)
  return Array(bytes.prefix(max(0, count)))
}

/// A listening socket at a path.
func listening(at path: String) throws -> FileDescriptor {
  FileDescriptor(owning: try listeningSocket(at: path))
}

/// A server on its own thread, listening in a temporary directory until it is deinitialized.
final class TestDaemon {
  let directory: TemporaryDirectory
  var socket: String { directory.file("control.sock") }
  private var thread = pthread_t()
  private let stopEnd: FileDescriptor

  /// The arguments of the thread.
  private final class Start: Sendable {
    let listener: Int32
    let stop: Int32
    let configure: @Sendable (TestHandler) -> Void

    init(listener: Int32, stop: Int32, configure: @escaping @Sendable (TestHandler) -> Void) {
      self.listener = listener
      self.stop = stop
      self.configure = configure
    }

    /// Serves until `stop` becomes readable.
    func serve() throws {
      let listener = FileDescriptor(owning: listener)
      let stop = FileDescriptor(owning: stop)
      let loop = try EventLoop()
      let handler = TestHandler()
      configure(handler)
      let service = ControlService(handler: handler)
      let server = try VarlinkServer(
        on: loop, service: VarlinkService(identity: .test, interface: service))
      handler.changed = { [weak handler, weak service] in
        service?.matchChanged { handler?.matchState() ?? MatchState(Match(Scoreboard(teams: [])), at: 0) }
      }
      let descriptor = listener.rawValue
      let accepting = try loop.watch(descriptor, for: .readable) { _ in
        let connection = accept(descriptor, nil, nil)
        if connection >= 0 { server.admit(FileDescriptor(owning: connection)) }
      }
      let stopping = try loop.watch(stop.rawValue, for: .readable) { _ in loop.stop() }
      try loop.run()
      accepting.cancel()
      stopping.cancel()
      server.close()
    }
  }

  init(_ configure: @escaping @Sendable (TestHandler) -> Void = { _ in }) throws {
    directory = try TemporaryDirectory()
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    stopEnd = FileDescriptor(owning: ends[1])
    let listener = try listening(at: directory.file("control.sock"))
    let start = Start(listener: listener.release(), stop: ends[0], configure: configure)
    let context = Unmanaged.passRetained(start).toOpaque()
    let created = pthread_create(
      &thread, nil,
      { context in
        if let context { try? Unmanaged<Start>.fromOpaque(context).takeRetainedValue().serve() }
        return nil
      }, context)
    try #require(created == 0)
  }

  deinit {
    var byte: UInt8 = 1
    _ = write(stopEnd.rawValue, &byte, 1)
    pthread_join(thread, nil)
  }

  /// Runs a request as flipclockctl does.
  func run(
    _ request: ClientRequest, json: Bool = false, write: ([UInt8]) -> Bool = { _ in false }
  ) -> CommandResult {
    do throws(VarlinkClientError) {
      var client = try VarlinkClient(candidates: [socket], timeoutSeconds: 20)
      return request.run(on: &client, json: json, write: write)
    } catch {
      return CommandResult(error)
    }
  }

  func run(_ command: Command, json: Bool = false) -> CommandResult { run(.command(command), json: json) }
  func run(_ change: Change, json: Bool = false) -> CommandResult { run(.change(change), json: json) }
  func run(_ action: Scoreboard.Action, json: Bool = false) -> CommandResult {
    run(.match(action), json: json)
  }
}

extension ServiceIdentity {
  static let test = ServiceIdentity(
    vendor: "flipclock", product: "flipclockd", version: "0.1.0", url: "https://varlink.org")
}

extension CommandResult {
  var text: String { String(decoding: output, as: UTF8.self) }
}
