// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Testing

@testable import LinuxSystem

/// Runs a child process. Returns its output, and its status as wait(2) reports it.
enum Child {
  static func run(_ arguments: [String]) throws -> (output: String, status: Int32) {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = clinux_fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
    // Signals that other tests blocked on this thread must not be blocked in the child.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    argv.append(nil)
    defer { for argument in argv { free(argument) } }
    var child = pid_t()
    let spawned = posix_spawnp(&child, arguments[0], &actions, &attributes, argv, environ)
    close(ends[1])
    defer { close(ends[0]) }
    try #require(spawned == 0, "\(arguments[0]): \(Errno(rawValue: spawned))")
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(ends[0], &buffer, buffer.count)
      if count > 0 { output += buffer[..<count] } else if count == 0 || errno != EINTR { break }
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return (String(decoding: output, as: UTF8.self), status)
  }
}

/// A C compiler, if the machine has one; the Swift toolchain includes clang.
enum Compiler {
  static let path: String? = {
    let directories = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin"
    for name in ["clang", "cc", "gcc"] {
      for directory in directories.split(separator: ":") where access("\(directory)/\(name)", X_OK) == 0 {
        return "\(directory)/\(name)"
      }
    }
    return nil
  }()
}

/// The `SystemError` that `body` throws; nil if it throws none. (`#expect(throws:)` returns it only since
/// Swift 6.1.)
func thrown(_ body: () throws -> Void) -> SystemError? {
  do {
    try body()
    return nil
  } catch {
    return error as? SystemError
  }
}

/// The errno of the error that `body` throws.
func failure(_ body: () throws -> Void) -> Int32? { thrown(body)?.errno.rawValue }
