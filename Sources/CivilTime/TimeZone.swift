// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// A time zone: the offset from UTC at every instant, past and future.
///
/// Reads the zone database once, when it is created.
package struct TimeZone: Hashable, Sendable {
  package static let utc = TimeZone(
    name: "UTC", data: TZif(type: LocalTimeType(utcOffset: 0, isDST: false, abbreviation: "UTC")))

  /// The IANA name if known, else `local`; for a POSIX TZ string, the string.
  package let name: String
  let data: TZif

  init(name: String, data: TZif) {
    self.name = name
    self.data = data
  }

  /// Reads a POSIX TZ string, e.g. `CET-1CEST,M3.5.0,M10.5.0/3`.
  package init(posix rule: String) throws(TimeZoneError) {
    self.init(name: rule, data: TZif(rule: try POSIXRule(parsing: Array(rule.utf8)[...])))
  }

  /// The civil date and time at `instant`.
  package func civil(_ instant: Instant) -> CivilFields {
    CivilFields(instant, in: type(at: instant))
  }

  /// Whether the zone is UTC, which a machine has whose zone nobody has set.
  package func isUTC(at instant: Instant) -> Bool {
    let type = type(at: instant)
    return type.utcOffset == 0 && type.abbreviation == "UTC"
  }

  /// The next instant strictly after `after` at which the offset, the daylight flag or the abbreviation
  /// changes; nil when there are no more changes.
  package func nextTransition(after: Instant) -> Instant? {
    let transitions = data.transitions
    var index = firstTransition(after: after.seconds)
    while index < transitions.count {
      let before = index == 0 ? data.types[0] : data.types[Int(data.transitionTypes[index - 1])]
      let instant = Instant(seconds: transitions[index])
      if type(at: instant) != before { return instant }
      index += 1
    }
    guard let rule = data.rule else { return nil }
    let start = max(after, Instant(seconds: transitions.last ?? .min))
    return rule.nextChange(after: DayTime(start))?.instant
  }

  func type(at instant: Instant) -> LocalTimeType {
    let next = firstTransition(after: instant.seconds)
    if next == data.transitions.count, let rule = data.rule { return rule.type(at: DayTime(instant)) }
    return next == 0 ? data.types[0] : data.types[Int(data.transitionTypes[next - 1])]
  }

  private func firstTransition(after seconds: Int64) -> Int {
    var low = 0
    var high = data.transitions.count
    while low < high {
      let middle = (low + high) / 2
      if data.transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension TimeZone {
  /// A unit of civil time, and its length in seconds.
  package enum Boundary: Int, CaseIterable, Hashable, Sendable {
    case second = 1
    case minute = 60
    case hour = 3_600
    case day = 86_400
  }

  /// The next instant strictly after `after` at which a civil second, minute, hour or day begins or the zone
  /// changes, whichever comes first. Until then, the field of `unit` and all larger fields do not change.
  ///
  /// At the end of `Int64` there is no later instant, and the last one is returned.
  package func nextBoundary(after: Instant, unit: Boundary) -> Instant {
    let local = DayTime(after).adding(type(at: after).utcOffset)
    let remaining = unit.rawValue - local.second % unit.rawValue
    let (seconds, overflow) = after.seconds.addingReportingOverflow(Int64(remaining))
    let boundary = overflow ? Instant.distantFuture : Instant(seconds: seconds)
    // Offsets are whole seconds, so no transition falls within a second.
    guard unit != .second, let transition = nextTransition(after: after) else { return boundary }
    return min(boundary, transition)
  }
}

/// Why a time zone could not be read.
package enum TimeZoneError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No zone can have this name (`isZoneName`).
  case invalidName(String)
  /// The zone database has no such file, or there is no database.
  case unknownZone(String)
  /// The file exists but cannot be read; `errno` is from the call that failed.
  case unreadable(path: String, errno: Int32)
  /// The bytes are not a TZif file, or the text is not a POSIX TZ string. The value describes the problem.
  case malformed(String)

  package var description: String {
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
