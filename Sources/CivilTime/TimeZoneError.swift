// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// Why there is no zone.
public enum TimeZoneError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Not of the shape `Area/Location`.
  case invalidName(String)
  /// No file of that name in the zone database, or there is no database.
  case unknownZone(String)
  /// The file is there and cannot be read; `errno` of the call that failed.
  case unreadable(path: String, errno: Int32)
  /// The bytes are no TZif file, or the text no POSIX TZ string; says what is wrong.
  case malformed(String)

  public var description: String {
    switch self {
    case .invalidName(let name):
      return "'\(name)' is not the name of a time zone; names look like Europe/London"
    case .unknownZone(let name):
      return "unknown time zone '\(name)'; `timedatectl list-timezones` lists them (package tzdata)"
    case .unreadable(let path, let errno):
      return "\(path): \(Errno(rawValue: errno))"
    case .malformed(let what):
      return "malformed time zone: \(what)"
    }
  }
}
