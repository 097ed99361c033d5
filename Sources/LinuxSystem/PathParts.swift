// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A path taken apart at its last slash, by bytes: a combining mark after the slash would make the two
/// one `Character`.
struct PathParts {
  /// What is before the slash; `.` if there is none.
  let directory: String
  /// Something comes after it.
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

/// A NUL would end the C string early and name another file.
func checkPath(_ path: String) throws(SystemError) {
  guard !path.isEmpty else { throw SystemError("open", "the empty path", errno: Errno(rawValue: ENOENT)) }
  guard !path.utf8.contains(0) else {
    throw SystemError("open", "a path", errno: Errno(rawValue: EINVAL), hint: "it holds a NUL character")
  }
}
