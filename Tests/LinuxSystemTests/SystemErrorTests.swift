// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Testing

@testable import LinuxSystem

struct SystemErrorTests {
  @Test("An error's description has the call, the object, the reason and the hint")
  func text() {
    let cases: [(SystemError, String)] = [
      (SystemError("open", "/x", errno: Errno(rawValue: ENOENT)), "open /x: No such file or directory"),
      (SystemError("fork", errno: Errno(rawValue: EAGAIN)), "fork: Resource temporarily unavailable"),
      (
        SystemError("bind", "/s", errno: Errno(rawValue: EADDRINUSE), hint: "stop it"),
        "bind /s: Address already in use; stop it"
      ),
      (SystemError("x", errno: Errno(rawValue: 99_999)), "x: error 99999"),
    ]
    for (error, text) in cases { #expect("\(error)" == text) }
  }

  @Test("Interrupted calls are repeated, other failures are thrown")
  func interrupts() throws {
    var results: [(Int32, Int32)] = [(-1, EINTR), (-1, EINTR), (7, 0)]
    let call = { () -> Int32 in
      let (result, number) = results.removeFirst()
      errno = number
      return result
    }
    let result = try retryingInterrupts("x", nil, call)
    #expect(result == 7)
    results = [(-1, EINTR), (-1, EIO)]
    #expect(failure { _ = try retryingInterrupts("x", nil, call) } == EIO)
  }

  @Test("A descriptor is closed with its owner, unless it was released")
  func ownership() throws {
    func opened() throws -> Int32 {
      let file = try FileDescriptor(opening: "/proc/self/status", O_RDONLY)
      #expect(clinux_fcntl(file.rawValue, F_GETFD, 0) == FD_CLOEXEC)
      return file.release()
    }
    let raw = try opened()
    #expect(clinux_fcntl(raw, F_GETFD, 0) == FD_CLOEXEC)
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    do { _ = FileDescriptor(owning: ends[1]) }
    var byte: UInt8 = 0
    #expect(read(ends[0], &byte, 1) == 0)
    close(ends[0])
    close(raw)
    #expect(
      failure { _ = try FileDescriptor(opening: "/nowhere/x", O_RDONLY) } == ENOENT)
  }
}
