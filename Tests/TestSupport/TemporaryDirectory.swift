// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A directory that is removed with its content at the end of the test. Names are relative to it.
package final class TemporaryDirectory: Sendable {
  package let path: String

  package init() throws {
    var template = Array("/tmp/flipclock-test-XXXXXX".utf8CString)
    guard template.withUnsafeMutableBufferPointer({ $0.baseAddress.flatMap { mkdtemp($0) } }) != nil else {
      throw TestSetupError(errno)
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.remove(path) }

  package func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Truncates and writes a file, like a shell's redirection. Returns false on an error, e.g. if its
  /// directory does not exist.
  @discardableResult
  package func write(_ name: String, _ text: String) -> Bool { Self.write(Array(text.utf8), to: file(name)) }

  /// The path of `name`, after creating the directories above it.
  package func place(_ name: String) -> String {
    var directory = path
    for part in name.split(separator: "/").dropLast() {
      directory += "/\(part)"
      mkdir(directory, 0o755)
    }
    return file(name)
  }

  /// Writes a file, after creating the directories above it, and returns its path.
  @discardableResult
  package func put(_ name: String, _ bytes: [UInt8]) -> String {
    let path = place(name)
    Self.write(bytes, to: path)
    return path
  }

  @discardableResult
  package func put(_ name: String, _ text: String) -> String { put(name, Array(text.utf8)) }

  /// Creates a symbolic link, which replaces an existing file, and returns its path.
  @discardableResult
  package func link(_ name: String, to target: String) -> String {
    let path = place(name)
    unlink(path)
    symlink(target, path)
    return path
  }

  @discardableResult
  private static func write(_ bytes: [UInt8], to path: String) -> Bool {
    guard let file = fopen(path, "w") else { return false }
    let count = fwrite(bytes, 1, bytes.count, file)
    return fclose(file) == 0 && count == bytes.count
  }

  package func remove(_ name: String) { Self.remove(file(name)) }

  /// The names in a directory, sorted.
  package func names(in directory: String = "") -> [String] { Self.names(file(directory)).sorted() }

  /// The names in the directory at `path`.
  package static func names(_ path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  private static func remove(_ path: String) {
    if unlink(path) == 0 || errno == ENOENT { return }
    chmod(path, 0o700)
    for name in names(path) { remove("\(path)/\(name)") }
    rmdir(path)
  }
}

/// A system call of a test's set-up failed, with its errno.
package struct TestSetupError: Error {
  package let code: Int32
  package init(_ code: Int32) { self.code = code }
}

/// A listening socket at `path`, which the caller closes.
package func listeningSocket(at path: String) throws -> Int32 {
  let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  let bound = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
  guard bound == 0, listen(socket, 16) == 0 else { throw TestSetupError(errno) }
  return socket
}
