// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Writes files so that they are either complete or unchanged, even after a power failure.
package enum AtomicFile {
  /// What `write` does, in this order.
  package enum Step: CaseIterable, Sendable {
    case create
    case write
    case synchronize
    case rename
    case synchronizeDirectory
  }

  /// Called before each step; if the check throws, the step is not performed. For tests.
  package typealias Check = @Sendable (Step) throws(SystemError) -> Void

  /// Writes `bytes` to a temporary file in the same directory, calls `fsync`, renames it over `path` and
  /// calls `fsync` on the directory. When it returns, the bytes are on the disk. When it throws, `path` has
  /// its previous content; only if the last step failed, it has the new content, which is then not guaranteed
  /// to be durable.
  ///
  /// `mode` is set exactly, regardless of the umask. A symbolic link at `path` is replaced, not followed.
  /// With `isDurable` false, nothing waits for the disk: after a power failure `path` may be empty or
  /// truncated.
  package static func write(
    _ bytes: [UInt8], to path: String, mode: mode_t = 0o644, isDurable: Bool = true,
    before check: Check = { _ in }
  ) throws(SystemError) {
    try checkPath(path)
    let parts = PathParts(path)
    guard parts.hasName else { throw SystemError("write", path, errno: Errno(rawValue: EISDIR)) }

    var from = ""
    try check(.create)
    let temporary = try makeTemporary(in: parts.directory, path: &from)
    let descriptor = temporary.rawValue
    do {
      try check(.write)
      try writeAll(bytes, to: descriptor, from)
      _ = try retryingInterrupts("fchmod", from) { fchmod(descriptor, mode) }
      if isDurable {
        try check(.synchronize)
        _ = try retryingInterrupts("fsync", from) { fsync(descriptor) }
      }
      try check(.rename)
      _ = try retryingInterrupts("rename", path) { rename(from, path) }
    } catch {
      unlink(from)
      throw error
    }
    if isDurable {
      try check(.synchronizeDirectory)
      try synchronize(directory: parts.directory)
    }
  }

  /// Makes the entries of `directory` durable. EINVAL is ignored, because it means that the file system does
  /// not support this.
  package static func synchronize(directory: String) throws(SystemError) {
    let descriptor = try FileDescriptor(opening: directory, O_RDONLY | O_DIRECTORY)
    do {
      _ = try retryingInterrupts("fsync", directory) { fsync(descriptor.rawValue) }
    } catch {
      guard error.errno.rawValue == EINVAL else { throw error }
    }
  }

  /// Removes the temporary files that killed writers left in `directory`. The caller must be the only writer
  /// there. Returns the number of removed files.
  package static func removeTemporaries(in directory: String) -> Int {
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

  /// Creates a file with a unique name and stores its path in `path`.
  ///
  /// The path is an inout parameter and not part of a returned struct, because the optimiser of Swift 6.0.3
  /// has problems with a `FileDescriptor` inside another noncopyable struct.
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
}
