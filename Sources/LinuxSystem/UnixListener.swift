// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// A listening unix stream socket on the loop.
public final class UnixListener {
  /// The socket's path; nil if it was adopted.
  public let path: String?
  private let socket: FileDescriptor
  private var watch: EventLoop.Watch?
  private var retry: LoopTimer?
  private let handler: (consuming FileDescriptor) -> Void
  private let acceptCall: (Int32) -> Int32
  /// What `bind` made, so that only that is removed.
  private let made: (device: dev_t, inode: ino_t)?

  /// How long to leave the backlog alone when the process or the system is out of descriptors.
  static let retryNanoseconds: Int64 = 250_000_000
  /// A crowd at the door must not keep the loop from its frames.
  static let acceptsPerTurn = 16

  /// Binds and listens at `path` with exactly the permissions `mode`; `handler` gets each connection,
  /// non-blocking and close-on-exec.
  ///
  /// A socket file that nobody listens on is removed first; one that is alive is not touched: that fails
  /// with EADDRINUSE, as does anything there that is no socket with EEXIST. The corresponding C
  /// functions are `bind`, `chmod` and `listen`.
  public convenience init(
    path: String, mode: mode_t = 0o660, on loop: EventLoop,
    handler: @escaping (consuming FileDescriptor) -> Void
  ) throws(SystemError) {
    try self.init(path: path, mode: mode, on: loop, accept: clinux_accept, handler: handler)
  }

  init(
    path: String, mode: mode_t, on loop: EventLoop, accept: @escaping (Int32) -> Int32,
    handler: @escaping (consuming FileDescriptor) -> Void
  ) throws(SystemError) {
    let bound = try BoundSocket(path: path, mode: mode)
    self.path = path
    made = bound.made
    socket = bound.take()
    acceptCall = accept
    self.handler = handler
    try start(on: loop)
  }

  /// Takes over a socket that already listens (systemd's socket activation) and leaves its file alone.
  public init(
    adopting descriptor: consuming FileDescriptor, on loop: EventLoop,
    handler: @escaping (consuming FileDescriptor) -> Void
  ) throws(SystemError) {
    socket = descriptor
    path = nil
    made = nil
    acceptCall = clinux_accept
    self.handler = handler
    var listening: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    let raw = socket.rawValue
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
    try start(on: loop)
  }

  deinit { close() }

  /// Stops listening and removes the socket file if this listener made it.
  public func close() {
    guard let watch else { return }
    watch.cancel()
    self.watch = nil
    retry?.cancel()
    retry = nil
    shutdown(socket.rawValue, Int32(SHUT_RDWR))
    if let path, let made { Self.removeSocket(path, made) }
  }

  private static func removeSocket(_ path: String, _ made: (device: dev_t, inode: ino_t)) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_dev == made.device, status.st_ino == made.inode else { return }
    unlink(path)
  }

  private func start(on loop: EventLoop) throws(SystemError) {
    // Made now: when it is needed there may be no descriptor left for it.
    retry = try LoopTimer(.monotonic, on: loop) { [weak self] _ in
      try? self?.watch?.update(.readable)
    }
    watch = try loop.watch(socket.rawValue, for: .readable) { [weak self] _ in self?.acceptAll() }
  }

  private func acceptAll() {
    for _ in 0..<Self.acceptsPerTurn {
      guard watch != nil else { return }
      let connection = acceptCall(socket.rawValue)
      if connection >= 0 {
        handler(FileDescriptor(owning: connection))
        continue
      }
      switch errno {
      case EINTR, ECONNABORTED: continue
      case EMFILE, ENFILE, ENOBUFS, ENOMEM:
        // The connection stays in the backlog and the socket readable: to go on would be to spin.
        try? watch?.update([])
        retry?.arm(
          at: ClockTime(totalNanoseconds: SystemClock.monotonic.now.totalNanoseconds + Self.retryNanoseconds))
        return
      default: return
      }
    }
  }
}
