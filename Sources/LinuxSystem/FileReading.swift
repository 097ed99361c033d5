// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Reads the regular file at `path`, which may have at most `limit` bytes, without blocking.
///
/// Rejects a directory (EISDIR), a FIFO, socket or device (EINVAL) and a longer file (EFBIG), each with a
/// hint. A device is rejected before it is opened, because opening one may have side effects.
///
/// - Parameter most: reads only the first so many bytes; at least 1.
package func readFile(_ path: String, limit: Int, first most: Int = .max) throws(SystemError) -> [UInt8] {
  try checkPath(path)
  var status = stat()
  _ = try retryingInterrupts("open", path) { stat(path, &status) }
  try checkRegular(status, path)
  // The file may have been replaced after `stat`. Opening must not block if it is no longer a regular file.
  let file = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
  let descriptor = file.rawValue
  _ = try retryingInterrupts("fstat", path) { fstat(descriptor, &status) }
  try checkRegular(status, path)
  guard status.st_size <= limit else { throw tooLong(path, limit) }
  // Files in /proc and /sys report a size of 0, so read until the end.
  return try readAll(from: descriptor, path, limit: limit, first: most, expected: Int(status.st_size))
}

/// Reads a descriptor until its end, at most `limit` bytes (else EFBIG).
///
/// - Parameters:
///   - path: for errors.
///   - most: reads only the first so many bytes; at least 1.
///   - expected: the number of bytes that are probably there.
package func readAll(
  from descriptor: CInt, _ path: String, limit: Int, first most: Int = .max, expected: Int = 0
) throws(SystemError) -> [UInt8] {
  let limit = min(max(limit, 0), Int.max - 1)
  var bytes = [UInt8](repeating: 0, count: min(min(max(expected, 4095), limit) + 1, most))
  var filled = 0
  while true {
    let start = filled
    let count = try retryingInterrupts("read", path) {
      bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress.map { $0 + start }, $0.count - start) }
    }
    filled += count
    guard filled <= limit else { throw tooLong(path, limit) }
    if count == 0 || filled >= most { break }
    if filled == bytes.count {
      bytes.append(contentsOf: repeatElement(0, count: min(bytes.count, limit + 1 - bytes.count)))
    }
  }
  bytes.removeLast(bytes.count - filled)
  return bytes
}

/// Returns the names in a directory, sorted, without `.` and `..`; nil with `errno` set if it cannot be read.
package func fileNames(in directory: String) -> [String]? {
  guard let stream = opendir(directory) else { return nil }
  defer { closedir(stream) }
  var names: [String] = []
  while let entry = readdir(stream) {
    let name = withUnsafeBytes(of: entry.pointee.d_name) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names.sorted()
}

/// The target of a symbolic link as it is written; nil with `errno` set if `path` is not a symbolic link.
package func linkTarget(_ path: String) -> String? {
  var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
  let count = readlink(path, &buffer, buffer.count)
  return count > 0 ? String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
}

private func checkRegular(_ status: stat, _ path: String) throws(SystemError) {
  let kind: String
  switch status.st_mode & S_IFMT {
  case S_IFREG: return
  case S_IFDIR:
    throw SystemError("read", path, errno: Errno(rawValue: EISDIR), hint: "a regular file is needed")
  case S_IFIFO: kind = "a FIFO"
  case S_IFSOCK: kind = "a socket"
  case S_IFCHR, S_IFBLK: kind = "a device"
  default: kind = "of an unknown type"
  }
  throw SystemError(
    "read", path, errno: Errno(rawValue: EINVAL), hint: "it is \(kind), a regular file is needed")
}

private func tooLong(_ path: String, _ limit: Int) -> SystemError {
  SystemError("read", path, errno: Errno(rawValue: EFBIG), hint: "the limit is \(limit) bytes")
}
