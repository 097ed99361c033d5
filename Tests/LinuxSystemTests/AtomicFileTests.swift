// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import TestSupport
import Testing

@testable import LinuxSystem

struct AtomicFileTests {
  @Test("Written bytes are read back, for any length", arguments: [0, 1, 4095, 4096, 4097, 1 << 20])
  func roundTrip(_ count: Int) throws {
    let directory = try TemporaryDirectory()
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try AtomicFile.write(Array("old and longer".utf8), to: directory.path + "/state")
    try AtomicFile.write(bytes, to: directory.path + "/state")
    #expect(try readFile(directory.path + "/state", limit: count) == bytes)
    #expect(directory.names() == ["state"])
  }

  @Test("The mode is exact, regardless of the umask", arguments: [0o600, 0o640, 0o666, 0o444] as [mode_t])
  func mode(_ mode: mode_t) throws {
    let directory = try TemporaryDirectory()
    try AtomicFile.write([1], to: directory.path + "/state", mode: mode)
    var status = stat()
    #expect(stat(directory.path + "/state", &status) == 0)
    #expect(status.st_mode & 0o7777 == mode)
  }

  @Test("A link is replaced, and its target is left alone")
  func link() throws {
    let directory = try TemporaryDirectory()
    try AtomicFile.write([1], to: directory.path + "/target")
    #expect(symlink("target", directory.path + "/link") == 0)
    try AtomicFile.write([2], to: directory.path + "/link")
    #expect(try readFile(directory.path + "/target", limit: 10) == [1])
    #expect(try readFile(directory.path + "/link", limit: 10) == [2])
  }

  @Test("A failure names the call and leaves no temporary file")
  func failures() throws {
    let directory = try TemporaryDirectory()
    try AtomicFile.write([1], to: directory.path + "/file")
    mkdir(directory.path + "/directory", 0o755)
    let cases: [(name: String, operation: String, number: Int32)] = [
      ("/missing/state", "open", ENOENT), ("/file/state", "open", ENOTDIR), ("/directory", "rename", EISDIR),
      ("/directory/", "write", EISDIR), ("/a\0b", "open", EINVAL),
      ("/" + String(repeating: "n", count: 256), "rename", ENAMETOOLONG),
    ]
    for (name, operation, number) in cases {
      let error = thrown { try AtomicFile.write([2], to: directory.path + name) }
      #expect(error?.operation == operation)
      #expect(error?.errno.rawValue == number)
    }
    #expect(thrown { try AtomicFile.write([2], to: "") }?.errno.rawValue == ENOENT)
    #expect(directory.names() == ["directory", "file"])
  }

  @Test("A path is split by bytes")
  func parts() {
    let cases: [(String, String, Bool)] = [
      ("state", ".", true), ("/state", "/", true), ("/a/b", "/a", true), ("a/", "a", false),
      ("/a/\u{301}x", "/a", true), ("", ".", false),
    ]
    for (path, directory, hasName) in cases {
      #expect(PathParts(path).directory == directory)
      #expect(PathParts(path).hasName == hasName)
    }
  }
}
