// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// A backlight that this process may set. Its original value is restored when the object is released.
package final class BacklightControl {
  package let backlight: Backlight
  private let file: FileDescriptor
  private let path: String
  private let original: Int
  private var value: Int

  /// Opens the backlight for writing. Changes nothing yet.
  package init(_ backlight: Backlight, in directory: String = Backlight.directory) throws(SystemError) {
    self.backlight = backlight
    path = "\(directory)/\(backlight.name)/brightness"
    let bytes = try readFile(path, limit: 4096)
    guard let value = Int(String(decoding: bytes.prefix { $0 > UInt8(ascii: " ") }, as: UTF8.self)) else {
      throw SystemError("read", path, errno: Errno(rawValue: EINVAL), hint: "it does not contain a number")
    }
    file = try FileDescriptor(opening: path, O_WRONLY)
    original = value
    self.value = value
  }

  /// Sets the value, unless it equals the last value that this object set. A value that another program has
  /// set in the meantime then stays.
  package func set(_ value: Int) throws(SystemError) {
    guard value != self.value else { return }
    try write(value)
    self.value = value
  }

  private func write(_ value: Int) throws(SystemError) {
    let bytes = Array("\(value)\n".utf8)
    // A write to a file in sysfs must contain the whole value; the offset is ignored.
    _ = try retryingInterrupts("write", path) { pwrite(file.rawValue, bytes, bytes.count, 0) }
  }

  deinit { if value != original { try? write(original) } }
}
