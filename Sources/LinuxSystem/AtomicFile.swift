// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Files that are there whole or not at all, power cut included.
public enum AtomicFile {
  /// Writes `bytes` to `path`: a temporary file in the same directory, all of it, `fsync`, `rename` over
  /// `path`, `fsync` of the directory. When it returns the bytes are on the disk; when it throws, `path`
  /// holds what it held before, or, if only the last step failed, the new bytes without that promise.
  ///
  /// `mode` is exact, whatever the umask. A symbolic link at `path` is replaced, not followed. With
  /// `isDurable` false nothing waits for the disk: after a power cut `path` may hold nothing, or be cut short.
  public static func write(
    _ bytes: [UInt8], to path: String, mode: mode_t = 0o644, isDurable: Bool = true
  ) throws(SystemError) {
    try checkPath(path)
    let parts = PathParts(path)
    guard parts.hasName else { throw SystemError("write", path, errno: Errno(rawValue: EISDIR)) }

    var from = ""
    let temporary = try makeTemporary(in: parts.directory, path: &from)
    let descriptor = temporary.rawValue
    do {
      try write(bytes, to: descriptor, at: from)
      _ = try retryingInterrupts("fchmod", from) { fchmod(descriptor, mode) }
      if isDurable { _ = try retryingInterrupts("fsync", from) { fsync(descriptor) } }
      _ = try retryingInterrupts("rename", path) { rename(from, path) }
    } catch {
      unlink(from)
      throw error
    }
    if isDurable { try synchronize(directory: parts.directory) }
  }

  /// Makes the entries of `directory` durable. A file system that cannot (EINVAL) has no such promise
  /// to give, which is no failure of ours.
  static func synchronize(directory: String) throws(SystemError) {
    let descriptor = try FileDescriptor(opening: directory, O_RDONLY | O_DIRECTORY)
    do {
      _ = try retryingInterrupts("fsync", directory) { fsync(descriptor.rawValue) }
    } catch {
      guard error.errno.rawValue == EINVAL else { throw error }
    }
  }

  /// Removes the temporary files that writers left in `directory` when they were killed. The caller must be the
  /// only writer there. Returns how many there were.
  public static func removeTemporaries(in directory: String) -> Int {
    var removed = 0
    for name in fileNames(in: directory) ?? [] where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
      var status = stat()
      let path = "\(directory)/\(name)"
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      if unlink(path) == 0 { removed += 1 }
    }
    return removed
  }

  private static let prefix = ".flipclock-"
  private static let suffix = ".tmp"

  /// Makes a file of its own name, which it writes to `path`.
  ///
  /// No struct of both: a copy of a descriptor's owner in another noncopyable struct is what the optimiser
  /// of Swift 6.0.3 stumbles over.
  private static func makeTemporary(
    in directory: String, path: inout String
  ) throws(SystemError) -> FileDescriptor {
    var attempts = 0
    while true {
      path = directory + "/" + prefix + String(UInt64.random(in: .min ... .max), radix: 36) + suffix
      let descriptor = clinux_open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      if descriptor >= 0 { return FileDescriptor(owning: descriptor) }
      let error = SystemError("open", path)
      attempts += 1
      guard error.errno.rawValue == EEXIST || error.errno.rawValue == EINTR, attempts < 16 else {
        throw error
      }
    }
  }

  private static func write(
    _ bytes: [UInt8], to descriptor: Int32, at path: String
  ) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let start = done
      let count = try retryingInterrupts("write", path) {
        bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress.map { $0 + start }, $0.count - start) }
      }
      done += count
    }
  }
}
