// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import TestSupport
import Testing

@testable import LinuxSystem

struct UnixListenerTests {
  @Test("Connections are passed to the handler, open in both directions, until the listener is closed")
  func connects() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/control"
    let loop = try EventLoop()
    var accepted: [Int32] = []
    let listener = try UnixListener(path: path, mode: 0o640, on: loop) {
      (connection: consuming FileDescriptor) in
      accepted.append(connection.release())
    }
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o640)

    let client = try UnixSocket.connect(path)
    let other = try UnixSocket.connect(path, nonblocking: true)
    #expect(try loop.turn { accepted.count == 2 })
    #expect(clinux_fcntl(accepted[0], F_GETFL, 0) & O_NONBLOCK != 0)
    #expect(clinux_fcntl(accepted[0], F_GETFD, 0) == FD_CLOEXEC)
    #expect(clinux_fcntl(client.rawValue, F_GETFL, 0) & O_NONBLOCK == 0)
    #expect(clinux_fcntl(other.rawValue, F_GETFL, 0) & O_NONBLOCK != 0)
    #expect(write(client.rawValue, "hello", 5) == 5)
    var bytes = [UInt8](repeating: 0, count: 8)
    #expect(read(accepted[0], &bytes, 8) == 5)
    for end in accepted { close(end) }

    listener.close()
    listener.close()
    #expect(directory.names() == [])
    #expect(failure { _ = try UnixSocket.connect(path) } == ENOENT)
  }

  @Test("A stale socket is replaced; one in use is rejected and keeps working")
  func stale() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/control"
    let loop = try EventLoop()
    // The state after kill -9: bound, without a listener.
    let left = try UnixSocket.open(nonblocking: false)
    let address = try UnixAddress(path: path)
    #expect(address.withPointer { bind(left.rawValue, $0, $1) } == 0)
    var accepted = 0
    let listener = try UnixListener(path: path, on: loop) { _ in accepted += 1 }
    let error = thrown { _ = try UnixListener(path: path, on: loop) { _ in } }
    #expect(error?.errno.rawValue == EADDRINUSE)
    #expect(error?.hint?.contains("another program is listening") == true)
    #expect(directory.names() == ["control"])
    let client = try UnixSocket.connect(path)
    _ = client.rawValue
    // Before it failed, the second listener made a connection too, to check whether another daemon is
    // running.
    #expect(try loop.turn { accepted == 2 })
    listener.close()
  }

  @Test("A file that is not a socket is left alone")
  func noSocket() throws {
    let directory = try TemporaryDirectory()
    let loop = try EventLoop()
    try AtomicFile.write([1, 2], to: directory.path + "/control")
    let error = thrown {
      _ = try UnixListener(path: directory.path + "/control", on: loop) { _ in }
    }
    #expect(error?.errno.rawValue == EEXIST)
    #expect(try readFile(directory.path + "/control", limit: 9) == [1, 2])
  }

  @Test("While another daemon is starting in the directory, listening fails")
  func starting() throws {
    let directory = try TemporaryDirectory()
    let lock = try FileDescriptor(opening: directory.path, O_RDONLY | O_DIRECTORY)
    #expect(clinux_lock(lock.rawValue) == 0)
    let loop = try EventLoop()
    let error = thrown {
      _ = try UnixListener(path: directory.path + "/control", on: loop) { _ in }
    }
    #expect(error?.errno.rawValue == EADDRINUSE)
    #expect(directory.names() == [])
    _ = lock.rawValue
  }

  @Test("A listener does not remove its successor's socket")
  func successor() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/control"
    let loop = try EventLoop()
    let first = try UnixListener(path: path, on: loop) { _ in }
    #expect(rename(path, path + ".old") == 0)
    let second = try UnixListener(path: path, on: loop) { _ in }
    first.close()
    #expect(directory.names() == ["control", "control.old"])
    second.close()
    #expect(directory.names() == ["control.old"])
  }

  @Test("Paths are limited to the length of a socket address", arguments: [106, 107, 108, 4000])
  func pathLimit(_ length: Int) throws {
    let directory = try TemporaryDirectory()
    let name = String(repeating: "s", count: length - directory.path.utf8.count - 1)
    let path = directory.path + "/" + name
    let loop = try EventLoop()
    if length <= 107 {
      let listener = try UnixListener(path: path, on: loop) { _ in }
      #expect(directory.names() == [name])
      listener.close()
    } else {
      let error = thrown { _ = try UnixListener(path: path, on: loop) { _ in } }
      #expect(error?.errno.rawValue == ENAMETOOLONG)
      #expect(error?.hint == "a socket path has at most 107 bytes, this one has \(length)")
      #expect(failure { _ = try UnixSocket.connect(path) } == ENAMETOOLONG)
    }
  }

  @Test("A socket that another process opened is adopted, and its file is left alone")
  func adopts() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/activated"
    let loop = try EventLoop()
    let socket = try UnixSocket.open(nonblocking: false)
    let address = try UnixAddress(path: path)
    #expect(address.withPointer { bind(socket.rawValue, $0, $1) } == 0)
    #expect(listen(socket.rawValue, 4) == 0)
    var accepted = 0
    let listener = try UnixListener(adopting: socket, on: loop) { _ in accepted += 1 }
    let client = try UnixSocket.connect(path)
    _ = client.rawValue
    #expect(try loop.turn { accepted == 1 })
    listener.close()
    #expect(directory.names() == ["activated"])

    let unbound = try UnixSocket.open(nonblocking: false).release()
    #expect(
      failure {
        _ = try UnixListener(adopting: FileDescriptor(owning: unbound), on: loop) { _ in }
      } == EINVAL)
    let file = try FileDescriptor(opening: "/proc/self/status", O_RDONLY).release()
    #expect(
      failure {
        _ = try UnixListener(adopting: FileDescriptor(owning: file), on: loop) { _ in }
      } == ENOTSOCK)
  }

  @Test(
    "If no descriptors are left, the backlog waits, without a busy loop", arguments: [EMFILE, ENFILE, ENOMEM])
  func exhausted(_ number: Int32) throws {
    let directory = try TemporaryDirectory()
    let loop = try EventLoop()
    var attempts = 0
    var accepted = 0
    let listener = try UnixListener(
      path: directory.path + "/control", mode: 0o600, on: loop,
      accept: { descriptor in
        attempts += 1
        guard attempts > 1 else {
          errno = number
          return -1
        }
        return clinux_accept(descriptor)
      },
      handler: { _ in accepted += 1 })
    let client = try UnixSocket.connect(directory.path + "/control")
    _ = client.rawValue
    for _ in 0..<5 { try loop.turn(timeoutMilliseconds: 0) }
    #expect(attempts == 1)
    #expect(try loop.turn { accepted == 1 })
    // The call that failed, one for the connection, and one for the empty backlog after it.
    #expect(attempts == 3)
    listener.close()
  }

  @Test("A handler may close the listener while more connections wait")
  func closesItself() throws {
    let directory = try TemporaryDirectory()
    let loop = try EventLoop()
    var accepted = 0
    var listener: UnixListener?
    listener = try UnixListener(path: directory.path + "/control", on: loop) { _ in
      accepted += 1
      listener?.close()
    }
    let clients = try (0..<3).map { _ in try UnixSocket.connect(directory.path + "/control").release() }
    try loop.turn(timeoutMilliseconds: 1000)
    try loop.turn(timeoutMilliseconds: 0)
    #expect(accepted == 1)
    for client in clients { close(client) }
    listener = nil
  }

  @Test("Closing an adopted listener leaves the socket and its backlog to the other copies")
  func closedCopyStaysUsable() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/activated"
    let loop = try EventLoop()
    // The descriptor that systemd would keep. Each daemon gets a copy, as it would by `exec`.
    let kept = try UnixSocket.open(nonblocking: false)
    let address = try UnixAddress(path: path)
    #expect(address.withPointer { bind(kept.rawValue, $0, $1) } == 0)
    #expect(listen(kept.rawValue, 4) == 0)
    for _ in 0..<3 {
      var accepted = 0
      var failures = 0
      let listener = try UnixListener(
        adopting: FileDescriptor(owning: dup(kept.rawValue)), on: loop, failed: { _ in failures += 1 },
        handler: { _ in accepted += 1 })
      let client = try UnixSocket.connect(path)
      _ = client.rawValue
      #expect(try loop.turn { accepted == 1 })
      listener.close()
      #expect(failures == 0)
    }
    // A client that connects between two daemons is served by the second one.
    let between = try UnixSocket.connect(path)
    _ = between.rawValue
    var accepted = 0
    let last = try UnixListener(adopting: kept, on: loop) { _ in accepted += 1 }
    #expect(try loop.turn { accepted == 1 })
    last.close()
  }

  @Test(
    "A socket that was shut down is reported as failed once, without a busy loop",
    arguments: [true, false])
  func hangup(_ isAdopted: Bool) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/control"
    let loop = try EventLoop()
    var failures: [SystemError] = []
    let listener: UnixListener
    let copy: FileDescriptor
    if isAdopted {
      let socket = try UnixSocket.open(nonblocking: false)
      let address = try UnixAddress(path: path)
      #expect(address.withPointer { bind(socket.rawValue, $0, $1) } == 0)
      #expect(listen(socket.rawValue, 4) == 0)
      copy = FileDescriptor(owning: dup(socket.rawValue))
      listener = try UnixListener(
        adopting: socket, on: loop, failed: { failures.append($0) }, handler: { _ in })
    } else {
      listener = try UnixListener(path: path, on: loop, failed: { failures.append($0) }, handler: { _ in })
      copy = FileDescriptor(owning: dup(try #require(listener.watch).fileDescriptor))
    }
    #expect(shutdown(copy.rawValue, Int32(SHUT_RDWR)) == 0)
    for _ in 0..<20 { try loop.turn(timeoutMilliseconds: 1) }
    #expect(failures.map(\.errno.rawValue) == [EINVAL])
    // Nothing is ready, so a turn sleeps until its timeout.
    let wakeups = loop.wakeups
    let begin = SystemClock.monotonic.now.totalNanoseconds
    try loop.turn(timeoutMilliseconds: 50)
    #expect(SystemClock.monotonic.now.totalNanoseconds - begin > 40_000_000)
    #expect(loop.wakeups == wakeups + 1)
    listener.close()
    #expect(failures.count == 1)
  }

  @Test(
    "Any other error of accept closes the listener, without a busy loop",
    arguments: [EINVAL, ENOTSOCK, EBADF, EOPNOTSUPP, EPERM, EFAULT, EPROTO])
  func unknownFailure(_ number: Int32) throws {
    let directory = try TemporaryDirectory()
    let loop = try EventLoop()
    var attempts = 0
    var failures: [Int32] = []
    let listener = try UnixListener(
      path: directory.path + "/control", mode: 0o600, on: loop,
      accept: { _ in
        attempts += 1
        errno = number
        return -1
      },
      failed: { failures.append($0.errno.rawValue) }, handler: { _ in })
    let client = try UnixSocket.connect(directory.path + "/control")
    _ = client.rawValue
    for _ in 0..<20 { try loop.turn(timeoutMilliseconds: 0) }
    #expect(attempts == 1)
    #expect(failures == [number])
    #expect(directory.names() == [])
    listener.close()
  }
}
