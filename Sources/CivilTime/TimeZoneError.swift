// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// Why a time zone could not be read.
public enum TimeZoneError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name does not have the form `Area/Location`.
  case invalidName(String)
  /// The zone database has no such file, or there is no database.
  case unknownZone(String)
  /// The file exists but cannot be read; `errno` is from the call that failed.
  case unreadable(path: String, errno: Int32)
  /// The bytes are not a TZif file, or the text is not a POSIX TZ string. The value describes the problem.
  case malformed(String)

  public var description: String {
    switch self {
    case .invalidName(let name):
      return "'\(name)' is not a time zone name; names look like Europe/London"
    case .unknownZone(let name):
      return "unknown time zone '\(name)'; `timedatectl list-timezones` lists them (package tzdata)"
    case .unreadable(let path, let errno):
      return "\(path): \(Errno(rawValue: errno))"
    case .malformed(let what):
      return "malformed time zone: \(what)"
    }
  }
}
