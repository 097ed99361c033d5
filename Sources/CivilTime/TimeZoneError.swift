// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Why a time zone could not be read.
public enum TimeZoneError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name does not have the form `Area/Location`.
  case invalidName(String)
  /// The zone database has no such file, or there is no database.
  case unknownZone(String)
  /// The file exists but cannot be read; `errno` is from the call that failed.
  case unreadable(path: String, errno: Int32)
  /// The bytes are not a TZif file, or the text is not a POSIX TZ string; describes the problem.
  case malformed(String)

  public var description: String {
    switch self {
    case .invalidName(let name):
      return "'\(name)' is not a time zone name; names look like Europe/London"
    case .unknownZone(let name):
      return "unknown time zone '\(name)'; `timedatectl list-timezones` lists them (package tzdata)"
    case .unreadable(let path, let errno):
      var text = [CChar](repeating: 0, count: 128)
      guard strerror_r(errno, &text, text.count) == 0 else { return "\(path): error \(errno)" }
      return "\(path): " + text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    case .malformed(let what):
      return "malformed time zone: \(what)"
    }
  }
}
