// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Exclusive use of a directory, by flock(2) on a file in it that says who has it. The kernel drops the lock
/// with the process, however that ends; the file stays.
public final class DirectoryLock {
  /// Why there is no lock.
  public enum Failure: Error, Hashable, Sendable {
    /// Another process has it: its number and program, as far as they are known.
    case held(pid: Int32?, program: String?)
    case system(SystemError)
  }

  public static let fileName = "lock"

  private let file: Int32

  /// Never waits. The lock file is made if it is missing.
  public init(_ directory: String) throws(Failure) {
    let path = "\(directory)/\(Self.fileName)"
    let descriptor: Int32
    do throws(SystemError) {
      // O_NOFOLLOW: in a directory that others may write to, a link could name any file.
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
    // Only for the message of another daemon: on a full disk the lock holds all the same.
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
