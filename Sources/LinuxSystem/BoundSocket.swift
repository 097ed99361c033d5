// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// A bound and listening unix stream socket, and the identity of its socket file.
struct BoundSocket: ~Copyable {
  private let socket: FileDescriptor
  let fileIdentity: (device: dev_t, inode: ino_t)

  init(path: String, mode: mode_t) throws(SystemError) {
    let address = try UnixAddress(path: path)
    let socket = try UnixSocket.open(nonblocking: true)
    let descriptor = socket.rawValue
    // Two daemons that start at the same time could each take the other's new socket for a stale one. A lock
    // on the directory leaves no file behind and is released with its descriptor.
    let directory = PathParts(path).directory
    let lock: Int32
    do throws(SystemError) {
      lock = try FileDescriptor(opening: directory, O_RDONLY | O_DIRECTORY).release()
    } catch {
      throw SystemError(
        "open", directory, errno: error.errno,
        hint: "the control socket's directory must exist and be writable; choose another path with --socket")
    }
    defer { close(lock) }
    do {
      _ = try retryingInterrupts("flock", directory) { clinux_lock(lock) }
    } catch {
      guard error.errno.rawValue == EWOULDBLOCK else { throw error }
      throw SystemError(
        "bind", path, errno: Errno(rawValue: EADDRINUSE), hint: "another daemon is starting there")
    }
    var bound = address.withPointer { bind(descriptor, $0, $1) }
    if bound != 0, errno == EADDRINUSE {
      try Self.removeStale(path)
      bound = address.withPointer { bind(descriptor, $0, $1) }
    }
    guard bound == 0 else { throw SystemError("bind", path) }
    do {
      var status = stat()
      _ = try retryingInterrupts("lstat", path) { lstat(path, &status) }
      // No client can connect before `listen`, so the permissions are set in time.
      _ = try retryingInterrupts("chmod", path) { chmod(path, mode) }
      _ = try retryingInterrupts("listen", path) { listen(descriptor, 16) }
      fileIdentity = (status.st_dev, status.st_ino)
      self.socket = socket
    } catch {
      unlink(path)
      throw error
    }
  }

  consuming func take() -> FileDescriptor { socket }

  /// Removes the socket file at `path`. Fails with EADDRINUSE if a process listens on it, and with EEXIST if
  /// it is not a socket.
  private static func removeStale(_ path: String) throws(SystemError) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return }
      throw SystemError("lstat", path)
    }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw SystemError(
        "bind", path, errno: Errno(rawValue: EEXIST),
        hint: "it is not a socket; remove it or choose another path")
    }
    do {
      _ = try UnixSocket.connect(path, nonblocking: true)
    } catch {
      switch error.errno.rawValue {
      case ECONNREFUSED: break
      case ENOENT: return
      // The backlog is full, so a process is listening.
      case EAGAIN: throw inUse(path)
      default: throw error
      }
      if unlink(path) != 0, errno != ENOENT { throw SystemError("unlink", path) }
      return
    }
    throw inUse(path)
  }

  private static func inUse(_ path: String) -> SystemError {
    SystemError(
      "bind", path, errno: Errno(rawValue: EADDRINUSE),
      hint: "another program is listening there; stop it, or give this one another socket")
  }
}
