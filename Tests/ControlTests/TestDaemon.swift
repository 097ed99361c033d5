// SPDX-License-Identifier: Apache-2.0

import Glibc
import Scoreboard
import Testing

@testable import Control
@testable import LinuxSystem

/// A directory that goes with this value.
final class TemporaryDirectory: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/flipclock-test-XXXXXX".utf8CString)
    path = try #require(mkdtemp(&template).map { String(cString: $0) })
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The names in it, sorted.
  var names: [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  deinit {
    for name in names { unlink(file(name)) }
    rmdir(path)
  }
}

func contents(of path: String) throws -> [UInt8] {
  let file = try FileDescriptor(opening: path, O_RDONLY)
  var bytes = [UInt8](repeating: 0, count: 4 << 20)
  let count = read(file.rawValue, &bytes, bytes.count)
  return Array(bytes.prefix(max(0, count)))
}

/// A listening socket at a path.
func listening(at path: String) throws -> FileDescriptor {
  let socket = FileDescriptor(owning: Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  let bound = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(socket.rawValue, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
  try #require(bound == 0 && listen(socket.rawValue, 16) == 0)
  return socket
}

/// A server on a thread of its own, at a socket in a temporary directory, until it goes.
final class TestDaemon {
  let directory: TemporaryDirectory
  var socket: String { directory.file("control.sock") }
  private var thread = pthread_t()
  private let stopEnd: FileDescriptor

  /// What the thread needs.
  private final class Start: Sendable {
    let listener: Int32
    let stop: Int32
    let configure: @Sendable (TestHandler) -> Void

    init(listener: Int32, stop: Int32, configure: @escaping @Sendable (TestHandler) -> Void) {
      self.listener = listener
      self.stop = stop
      self.configure = configure
    }

    /// Serves until the other end of `stop` is closed.
    func serve() throws {
      let listener = FileDescriptor(owning: listener)
      let stop = FileDescriptor(owning: stop)
      let loop = try EventLoop()
      let handler = TestHandler()
      configure(handler)
      let server = try ControlServer(on: loop, handler: handler, identity: ServiceIdentity(version: "0.1.0"))
      handler.changed = { [weak handler, weak server] in
        server?.matchChanged { handler?.matchState() ?? MatchState(Match(Scoreboard(teams: [])), at: 0) }
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

  /// Runs `command` as flipclockctl does.
  func run(_ command: ControlCommand, json: Bool = false) -> CommandResult {
    do throws(ControlClientError) {
      var client = try ControlClient(candidates: [socket], timeoutSeconds: 20)
      return command.run(on: &client, json: json)
    } catch {
      return CommandResult(error)
    }
  }
}

extension CommandResult {
  var text: String { String(decoding: output, as: UTF8.self) }
}
