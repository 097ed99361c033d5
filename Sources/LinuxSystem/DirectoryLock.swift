// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Exclusive use of a directory by flock(2) on a file in it, which contains the owner's process ID. The
/// kernel releases the lock when the process ends in any way; the file stays.
package final class DirectoryLock {
  /// Why the directory could not be locked.
  package enum Failure: Error, Hashable, Sendable {
    /// Another process holds the lock: its process ID and program, if known.
    case held(pid: Int32?, program: String?)
    /// Another user could replace the directory's files. Thrown only by `StateDirectory.lock`.
    case unsafe(DirectoryHazard)
    case system(SystemError)
  }

  package static let fileName = "lock"

  private let file: Int32

  /// Takes the lock without waiting. Creates the lock file if it is missing.
  package init(_ directory: String) throws(Failure) {
    let path = "\(directory)/\(Self.fileName)"
    let descriptor: Int32
    do throws(SystemError) {
      // O_NOFOLLOW: in a directory that others may write to, a link could point to any file.
      let opened = try FileDescriptor(opening: path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o640)
      descriptor = opened.release()
    } catch {
      throw .system(error)
    }
    do throws(SystemError) {
      _ = try retryingInterrupts("flock", path) { clinux_lock(descriptor) }
    } catch {
      close(descriptor)
      guard error.errno.rawValue == EWOULDBLOCK else { throw .system(error) }
      let holder = Self.holder(path)
      throw .held(pid: holder, program: holder.flatMap(Self.program))
    }
    file = descriptor
    // The process ID is used only in another daemon's error message, so write errors (disk full) are ignored.
    let text = Array("\(getpid())\n".utf8)
    _ = ftruncate(descriptor, 0)
    _ = pwrite(descriptor, text, text.count, 0)
  }

  deinit { close(file) }

  private static func holder(_ path: String) -> Int32? {
    guard let bytes = try? readFile(path, limit: 64) else { return nil }
    return Int32(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }

  /// The process's command line, without its arguments.
  private static func program(_ pid: Int32) -> String? {
    guard let bytes = try? readFile("/proc/\(pid)/cmdline", limit: 1 << 16), !bytes.isEmpty else {
      return nil
    }
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
