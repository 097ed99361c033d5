// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A directory that is removed with this value, along with the files in it.
public final class TemporaryDirectory: Sendable {
  public let path: String

  public init() throws {
    var template = Array("/tmp/flipclock-test-XXXXXX".utf8CString)
    guard let path = mkdtemp(&template).map({ String(cString: $0) }) else { throw TestSetupError(errno) }
    self.path = path
  }

  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The names in it, sorted.
  public var names: [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  deinit {
    for name in names { unlink(file(name)) }
    rmdir(path)
  }
}

/// A system call of a test's own failed; its errno.
public struct TestSetupError: Error {
  public let code: Int32
  public init(_ code: Int32) { self.code = code }
}

/// A listening socket at `path`, which the caller closes.
public func listeningSocket(at path: String) throws -> Int32 {
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
