// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import TestSupport
import Testing

@testable import LinuxSystem

struct FileReadingTests {
  @Test("A file of exactly the limit is read; one more byte is rejected")
  func limit() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/file"
    try AtomicFile.write([UInt8](repeating: 7, count: 10_000), to: path)
    #expect(try readFile(path, limit: 10_000).count == 10_000)
    #expect(try readFile(path, limit: Int.max).count == 10_000)
    #expect(failure { _ = try readFile(path, limit: 9_999) } == EFBIG)
    #expect(failure { _ = try readFile(path, limit: -1) } == EFBIG)
  }

  @Test("Only the beginning of a file is read if that was asked for")
  func beginning() throws {
    let directory = try TemporaryDirectory()
    let path = directory.put("file", (0..<100_000).map { UInt8($0 % 251) })
    for count in [1, 251, 5000, 99_999, 100_000, 200_000] {
      let expected = (0..<min(count, 100_000)).map { UInt8($0 % 251) }
      #expect(try readFile(path, limit: 100_000, first: count) == expected)
    }
    #expect(failure { _ = try readFile(path, limit: 99_999, first: 1) } == EFBIG)
  }

  @Test("Files in /proc, which report no size, are read to the end, and the limit applies")
  func proc() throws {
    #expect(try readFile("/proc/self/status", limit: 1 << 20).count > 100)
    #expect(failure { _ = try readFile("/proc/self/status", limit: 100) } == EFBIG)
    // This file is longer than the first buffer of 4 KiB, so the buffer must grow.
    let long = try readFile("/proc/self/smaps", limit: 64 << 20)
    #expect(long.count > 8192)
  }

  @Test("The target of a link is read as it is written, whether it exists or not")
  func links() throws {
    let directory = try TemporaryDirectory()
    symlink("../nowhere/ü", directory.path + "/link")
    #expect(linkTarget(directory.path + "/link") == "../nowhere/ü")
    #expect(linkTarget(directory.path) == nil && linkTarget(directory.path + "/missing") == nil)
  }

  @Test("Anything but a regular file is rejected at once, with its kind")
  func kinds() throws {
    let directory = try TemporaryDirectory()
    let loop = try EventLoop()
    mkfifo(directory.path + "/fifo", 0o600)
    mkdir(directory.path + "/directory", 0o700)
    let listener = try UnixListener(path: directory.path + "/socket", on: loop) { _ in }
    defer { listener.close() }
    symlink("nowhere", directory.path + "/dangling")
    let cases: [(String, Int32, String?)] = [
      (directory.path + "/fifo", EINVAL, "it is a FIFO, a regular file is needed"),
      (directory.path + "/socket", EINVAL, "it is a socket, a regular file is needed"),
      ("/dev/zero", EINVAL, "it is a device, a regular file is needed"),
      (directory.path + "/directory", EISDIR, "a regular file is needed"),
      (directory.path + "/dangling", ENOENT, nil),
      (directory.path + "/missing", ENOENT, nil),
    ]
    for (path, number, hint) in cases {
      let error = thrown { _ = try readFile(path, limit: 100) }
      #expect(error?.errno.rawValue == number, "\(path)")
      #expect(error?.hint == hint, "\(path)")
      #expect(error?.subject == path)
    }
  }
}
