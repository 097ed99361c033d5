// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Testing

@testable import Daemon

/// A directory that is removed, with what is in it, at the end of the test. Paths are relative to it.
final class ScratchDirectory {
  let path: String

  init() throws {
    var template = Array("/tmp/flipclock-scratch-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } != nil }
    try #require(made)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.remove(path) }

  func place(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes as a shell's redirection does: truncates, then writes. False where the directory is missing.
  @discardableResult
  func write(_ name: String, _ text: String) -> Bool {
    (try? writeFile(Array(text.utf8), to: place(name))) != nil
  }

  func remove(_ name: String) { Self.remove(place(name)) }

  func names(in directory: String = "") -> [String] { Self.names(place(directory)).sorted() }

  private static func names(_ path: String) -> [String] {
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
    for name in names(path) { remove("\(path)/\(name)") }
    rmdir(path)
  }
}

extension EventLoop {
  /// Turns for as long as `milliseconds` say, at least once.
  func turn(for milliseconds: Double) throws {
    let end = SystemClock.monotonic.now.totalNanoseconds + Int64(milliseconds * 1e6)
    repeat {
      let left = Double(end - SystemClock.monotonic.now.totalNanoseconds) / 1e6
      try turn(timeoutMilliseconds: Int32(max(left.rounded(.up), 0)))
    } while SystemClock.monotonic.now.totalNanoseconds < end
  }

  /// Turns until `condition` holds; false if it does not within some seconds.
  func turn(until condition: () -> Bool) throws -> Bool {
    let end = SystemClock.monotonic.now.seconds + 20
    while !condition() {
      guard SystemClock.monotonic.now.seconds < end else { return false }
      try turn(timeoutMilliseconds: 20)
    }
    return true
  }
}
