// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads config files: whatever a path turns out to be, this neither blocks nor takes much memory.
enum ConfigFile {
  static let maximumSize = 1 << 20

  enum Content {
    case bytes([UInt8])
    case missing
    /// A link to /dev/null (UAPI.6: as if the file and those below it were not there).
    case masked
    /// Why it cannot be read, and what to do.
    case unreadable(message: String, hint: String?)
  }

  static func read(_ path: String) -> Content {
    let fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard fd >= 0 else { return failure(errno, path) }
    defer { close(fd) }
    var status = stat()
    guard fstat(fd, &status) == 0 else { return failure(errno, path) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: return .unreadable(message: "is a directory, not a config file", hint: nil)
    case S_IFIFO: return .unreadable(message: "is a FIFO, not a config file", hint: nil)
    // /dev/null, by whatever name it is reached (Linux: character device 1:3).
    case S_IFCHR where status.st_rdev == 0x103: return .masked
    default: return .unreadable(message: "is a device, not a config file", hint: nil)
    }
    guard status.st_size <= maximumSize else { return tooLarge(Int(status.st_size)) }
    return read(fd, path)
  }

  /// The size that `fstat` told may be wrong by now, and is 0 in /proc: reads to the end, within bounds.
  private static func read(_ fd: Int32, _ path: String) -> Content {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(fd, &chunk, chunk.count)
      if count < 0 {
        if errno == EINTR { continue }
        return failure(errno, path)
      }
      if count == 0 { return .bytes(bytes) }
      bytes += chunk.prefix(count)
      if bytes.count > maximumSize { return tooLarge(bytes.count) }
    }
  }

  /// The directory entries that decide what `path` leads to: one for each part of the path and of every
  /// link on the way, up to the first that is missing. At most 16 links are followed.
  static func entries(onTheWayTo path: String) -> [(directory: String, name: String)] {
    var result: [(directory: String, name: String)] = []
    var prefix = path.hasPrefix("/") ? "" : "."
    var rest = path.split(separator: "/").map(String.init)[...]
    var links = 0
    while let name = rest.popFirst() {
      let next = "\(prefix)/\(name)"
      var status = stat()
      let isThere = lstat(next, &status) == 0
      // Below something that is not a directory there is nothing to watch.
      if !isThere, errno == ENOTDIR { return result }
      result.append((prefix.isEmpty ? "/" : prefix, name))
      guard isThere else { return result }
      if status.st_mode & S_IFMT == S_IFLNK {
        links += 1
        guard links <= 16, let target = target(ofLink: next) else { return result }
        rest = target.split(separator: "/").map(String.init)[...] + rest
        if target.hasPrefix("/") { prefix = "" }
      } else {
        prefix = next
      }
    }
    return result
  }

  private static func target(ofLink path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink(path, &buffer, Int(PATH_MAX))
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The names in a directory, sorted by their bytes; nil with `errno` set when it cannot be read.
  static func names(in directory: String) -> [String]? {
    guard let stream = opendir(directory) else { return nil }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let capacity = MemoryLayout.size(ofValue: entry.pointee.d_name)
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: capacity) { String(cString: $0) }
      }
      names.append(name)
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// What the errno says, as `strerror_r` has it.
  static func text(of errno: Int32) -> String {
    var text = [CChar](repeating: 0, count: 128)
    guard strerror_r(errno, &text, text.count) == 0 else { return "error \(errno)" }
    return text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }

  private static func failure(_ errno: Int32, _ path: String) -> Content {
    var status = stat()
    switch errno {
    case ENOENT, ENOTDIR:
      guard lstat(path, &status) == 0 else { return .missing }
      return .unreadable(message: "is a link to a file that does not exist", hint: nil)
    case EACCES, EPERM:
      return .unreadable(
        message: "cannot be read: \(text(of: errno))", hint: "it must be readable by the user flipclock")
    case ENXIO: return .unreadable(message: "is a socket, not a config file", hint: nil)
    default: return .unreadable(message: "cannot be read: \(text(of: errno))", hint: nil)
    }
  }

  private static func tooLarge(_ size: Int) -> Content {
    let size = size >= 10 << 20 ? "\(size >> 20) MiB" : "\(size >> 10) KiB"
    return .unreadable(message: "\(size) of config; at most 1 MiB is read", hint: nil)
  }
}
