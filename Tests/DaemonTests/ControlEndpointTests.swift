// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import Daemon
@testable import LinuxSystem

@Suite struct ControlEndpointTests {
  /// A daemon that is not run, in its own directory. If its control socket cannot be created, the endpoint
  /// tries again after short delays.
  private final class Rig {
    let directory: String
    let daemon: FlipclockDaemon
    var path: String { directory + "/sub/control.sock" }
    private(set) var options = DaemonOptions()

    init() throws {
      var template = Array("/tmp/flipclock-endpoint-XXXXXX".utf8CString)
      let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } }
      directory = String(cString: try #require(made))
      options.display = .headless
      options.config = "/dev/null"
      options.stateDirectory = directory + "/state"
      options.socket = directory + "/sub/control.sock"
      daemon = try FlipclockDaemon(options)
    }

    deinit {
      for name in ["/sub/control.sock", "/sub/link"] { unlink(directory + name) }
      for name in ["/sub", "/state", ""] { rmdir(directory + name) }
    }

    func endpoint(_ inherited: [ServiceManager.ListenFileDescriptor] = []) throws -> ControlEndpoint {
      try ControlEndpoint(
        options, inherited: inherited, on: daemon.loop, handler: daemon,
        log: Log(style: .journal, threshold: .emergency),
        delays: ControlEndpoint.Delays(first: 10_000_000, longest: 40_000_000))
    }

    func makeDirectory() { mkdir(directory + "/sub", 0o755) }

    func canConnect() -> Bool { (try? UnixSocket.connect(path, nonblocking: true)) != nil }

    /// Runs the loop for some milliseconds, and returns the number of wakeups.
    func turn(milliseconds: Int64) throws -> UInt64 {
      let before = daemon.loop.wakeups
      let end = SystemClock.monotonic.now.totalNanoseconds + milliseconds * 1_000_000
      while SystemClock.monotonic.now.totalNanoseconds < end { try daemon.loop.turn(timeoutMilliseconds: 20) }
      return daemon.loop.wakeups - before
    }

    /// Creates a listening socket as a service manager does.
    func listener() throws -> Int32 {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      let bytes = Array(path.utf8)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      let length = socklen_t(MemoryLayout<sockaddr_un>.size)
      let bound = withUnsafePointer(to: address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
      }
      try #require(bound == 0)
      try #require(listen(descriptor, 4) == 0)
      return descriptor
    }
  }

  @Test("A missing directory does not end the daemon; the socket is opened once the directory exists")
  func directoryLater() throws {
    let rig = try Rig()
    let endpoint = try rig.endpoint()
    #expect(endpoint.isWaiting)
    #expect(try rig.turn(milliseconds: 300) < 60)
    #expect(!rig.canConnect())
    rig.makeDirectory()
    _ = try rig.turn(milliseconds: 100)
    #expect(!endpoint.isWaiting)
    #expect(rig.canConnect())
    endpoint.close()
    #expect(!rig.canConnect())
  }

  @Test("A socket of another daemon is not replaced until that daemon has closed it")
  func inUse() throws {
    let rig = try Rig()
    rig.makeDirectory()
    let first = try rig.endpoint()
    let second = try rig.endpoint()
    #expect(!first.isWaiting && second.isWaiting)
    #expect(try rig.turn(milliseconds: 100) < 60)
    #expect(rig.canConnect())
    first.close()
    _ = try rig.turn(milliseconds: 100)
    #expect(!second.isWaiting)
    #expect(rig.canConnect())
    second.close()
  }

  @Test("An inherited socket that was shut down is opened again at its path, without spinning")
  func shutDown() throws {
    let rig = try Rig()
    rig.makeDirectory()
    let descriptor = try rig.listener()
    let endpoint = try rig.endpoint([
      ServiceManager.ListenFileDescriptor(rawValue: dup(descriptor), name: "control")
    ])
    #expect(rig.canConnect())
    _ = try rig.turn(milliseconds: 50)
    shutdown(descriptor, Int32(SHUT_RDWR))
    #expect(try rig.turn(milliseconds: 300) < 60)
    #expect(!endpoint.isWaiting)
    #expect(rig.canConnect())
    endpoint.close()
    close(descriptor)
  }

  @Test("An inherited descriptor that is not a listening socket does not end the daemon")
  func noSocket() throws {
    let rig = try Rig()
    rig.makeDirectory()
    let file = open("/dev/null", O_RDONLY)
    let endpoint = try rig.endpoint([ServiceManager.ListenFileDescriptor(rawValue: file, name: "x")])
    _ = try rig.turn(milliseconds: 100)
    #expect(!endpoint.isWaiting)
    #expect(rig.canConnect())
    endpoint.close()
  }

  @Test("A path that is too long is an error at once, because retrying cannot help")
  func tooLong() throws {
    let rig = try Rig()
    var options = DaemonOptions()
    options.socket = "/tmp/" + String(repeating: "x", count: 200)
    #expect(throws: SystemError.self) {
      _ = try ControlEndpoint(
        options, inherited: [], on: rig.daemon.loop, handler: rig.daemon,
        log: Log(style: .journal, threshold: .emergency))
    }
  }
}
