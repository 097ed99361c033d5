// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// A listening unix stream socket on the loop.
package final class UnixListener {
  /// The socket's path; nil if the listener took over an existing socket.
  package let path: String?
  /// Owns the socket.
  private(set) var watch: EventLoop.Watch?
  private var isOpen = true
  private var retry: LoopTimer?
  private let handler: (consuming FileDescriptor) -> Void
  private let failed: (SystemError) -> Void
  private let acceptCall: (Int32) -> Int32
  /// The identity of the file that `bind` created, so that no other file is removed.
  private let fileIdentity: (device: dev_t, inode: ino_t)?

  /// How long to wait before accepting again when the process or the system is out of descriptors.
  static let retryNanoseconds: Int64 = 250_000_000
  /// The maximum number of connections accepted per turn, so that many clients cannot delay frames.
  static let acceptsPerTurn = 16

  /// Binds and listens at `path` with exactly the permissions `mode`; `handler` gets each connection,
  /// non-blocking and close-on-exec.
  ///
  /// A socket file without a listener is removed first. Fails with EADDRINUSE if a process listens on it, and
  /// with EEXIST if the file is not a socket. The corresponding C functions are `bind`, `chmod` and `listen`.
  ///
  /// - Parameter failed: called at most once, after the listener has closed itself because its socket no
  ///   longer accepts connections.
  package convenience init(
    path: String, mode: mode_t = 0o660, on loop: EventLoop,
    failed: @escaping (SystemError) -> Void = { _ in },
    handler: @escaping (consuming FileDescriptor) -> Void
  ) throws(SystemError) {
    try self.init(
      path: path, mode: mode, on: loop, accept: clinux_accept, failed: failed, handler: handler)
  }

  init(
    path: String, mode: mode_t, on loop: EventLoop, accept: @escaping (Int32) -> Int32,
    failed: @escaping (SystemError) -> Void = { _ in }, handler: @escaping (consuming FileDescriptor) -> Void
  ) throws(SystemError) {
    let bound = try BoundSocket(path: path, mode: mode)
    self.path = path
    fileIdentity = bound.fileIdentity
    acceptCall = accept
    self.failed = failed
    self.handler = handler
    try start(bound.take(), on: loop)
  }

  /// Takes over a listening socket (systemd's socket activation). `close` leaves its file, and other
  /// processes' copies of the socket, alone.
  ///
  /// - Parameter failed: called as for a socket that the listener created.
  package init(
    adopting descriptor: consuming FileDescriptor, on loop: EventLoop,
    failed: @escaping (SystemError) -> Void = { _ in }, handler: @escaping (consuming FileDescriptor) -> Void
  ) throws(SystemError) {
    let raw = descriptor.rawValue
    path = nil
    fileIdentity = nil
    acceptCall = clinux_accept
    self.failed = failed
    self.handler = handler
    var listening: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    _ = try retryingInterrupts("getsockopt", "descriptor \(raw)") {
      getsockopt(raw, SOL_SOCKET, SO_ACCEPTCONN, &listening, &length)
    }
    guard listening != 0 else {
      throw SystemError(
        "listen", "descriptor \(raw)", errno: Errno(rawValue: EINVAL), hint: "it is not a listening socket")
    }
    _ = try retryingInterrupts("fcntl") {
      clinux_fcntl(raw, F_SETFL, clinux_fcntl(raw, F_GETFL, 0) | O_NONBLOCK)
    }
    _ = try retryingInterrupts("fcntl") { clinux_fcntl(raw, F_SETFD, FD_CLOEXEC) }
    try start(descriptor, on: loop)
  }

  deinit { close() }

  /// Stops listening, and removes the socket file if this listener created it.
  ///
  /// Does not call `shutdown`, which would end the socket for every process that holds a copy of it; systemd
  /// passes the same socket to the next daemon.
  package func close() {
    retry = nil
    watch = nil
    guard isOpen else { return }
    isOpen = false
    if let path, let fileIdentity { Self.removeSocket(path, fileIdentity) }
  }

  /// Closes the listener, because the loop would report a failing socket again and again.
  private func fail(_ error: SystemError) {
    close()
    failed(error)
  }

  private static func removeSocket(_ path: String, _ identity: (device: dev_t, inode: ino_t)) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_dev == identity.device, status.st_ino == identity.inode
    else { return }
    unlink(path)
  }

  private func start(_ socket: consuming FileDescriptor, on loop: EventLoop) throws(SystemError) {
    // The timer is created now, because there may be no free descriptor when it is needed.
    retry = try LoopTimer(.monotonic, on: loop) { [weak self] _ in
      try? self?.watch?.update(.readable)
    }
    watch = try loop.watch(owning: socket, for: .readable) { [weak self] in self?.take($0) }
  }

  private func take(_ readiness: EventLoop.Readiness) {
    guard readiness.isDisjoint(with: [.hangup, .failed]) else {
      return fail(
        SystemError(
          "accept", path, errno: Errno(rawValue: EINVAL), hint: "another process has shut the socket down"))
    }
    acceptAll()
  }

  private func acceptAll() {
    for _ in 0..<Self.acceptsPerTurn {
      guard let watch else { return }
      let connection = acceptCall(watch.fileDescriptor)
      if connection >= 0 {
        handler(FileDescriptor(owning: connection))
        continue
      }
      switch errno {
      case EINTR, ECONNABORTED: continue
      case EMFILE, ENFILE, ENOBUFS, ENOMEM:
        // The connection stays in the backlog and the socket stays readable, so continuing would be a busy
        // loop.
        try? watch.update([])
        retry?.arm(inNanoseconds: Self.retryNanoseconds)
        return
      case EAGAIN: return
      default: return fail(SystemError("accept", path))
      }
    }
  }
}
