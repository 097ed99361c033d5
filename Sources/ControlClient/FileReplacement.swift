// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// Writes a whole file, or leaves the old one unchanged.
enum FileReplacement {
  /// Creates or replaces a regular file by a rename. Writes into anything else that exists (a pipe, a
  /// terminal), except a directory, which is an error.
  static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
    var status = stat()
    if stat(path, &status) == 0 {
      if status.st_mode & S_IFMT == S_IFDIR {
        throw SystemError("write", path, errno: Errno(rawValue: EISDIR), hint: "name the file too")
      }
      if status.st_mode & S_IFMT != S_IFREG {
        let file = try FileDescriptor(opening: path, O_WRONLY)
        return try writeAll(bytes, to: file.rawValue, path)
      }
    }
    let temporary = "\(path).\(getpid()).tmp"
    do {
      let file = try FileDescriptor(opening: temporary, O_WRONLY | O_CREAT | O_EXCL)
      try writeAll(bytes, to: file.rawValue, temporary)
      _ = try retryingInterrupts("rename", path) { rename(temporary, path) }
    } catch {
      // A temporary file that existed before was not created here, so it is not removed.
      if error.errno.rawValue != EEXIST { unlink(temporary) }
      var named = error
      named.subject = path
      if named.hint == nil { named.hint = hint(named.errno.rawValue) }
      throw named
    }
  }

  private static func hint(_ errno: Int32) -> String? {
    switch errno {
    case ENOENT: "does the directory exist? 'mkdir -p' creates it"
    case EACCES, EPERM, EROFS: "name a file in a directory that you may write to"
    case ENOSPC, EDQUOT: "the disk is full"
    default: nil
    }
  }
}
