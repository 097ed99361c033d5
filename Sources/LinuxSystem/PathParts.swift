// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A path split at its last slash. It is split by bytes, because a combining mark after the slash would form
/// one `Character` with it.
struct PathParts {
  /// The part before the slash; `/` if there is nothing before it, and `.` if there is no slash.
  let directory: String
  /// Whether there is a name after the slash.
  let hasName: Bool

  init(_ path: String) {
    let bytes = path.utf8
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else {
      directory = "."
      hasName = !bytes.isEmpty
      return
    }
    directory = slash == bytes.startIndex ? "/" : String(decoding: bytes[..<slash], as: UTF8.self)
    hasName = bytes.index(after: slash) != bytes.endIndex
  }
}

/// Rejects an empty path, and one with a NUL, which would end the C string early and name another file.
func checkPath(_ path: String) throws(SystemError) {
  guard !path.isEmpty else { throw SystemError("open", "the empty path", errno: Errno(rawValue: ENOENT)) }
  guard !path.utf8.contains(0) else {
    throw SystemError("open", "a path", errno: Errno(rawValue: EINVAL), hint: "it contains a NUL character")
  }
}
