// SPDX-License-Identifier: Apache-2.0

/// A time zone: the offset from UTC at every instant, past and future.
///
/// Reads the zone database once, when it is created.
public struct TimeZone: Hashable, Sendable {
  public static let utc = TimeZone(
    name: "UTC", data: TZif(type: LocalTimeType(utcOffset: 0, isDST: false, abbreviation: "UTC")))

  /// The IANA name if known, else what the zone was created from.
  public let name: String
  let data: TZif

  init(name: String, data: TZif) {
    self.name = name
    self.data = data
  }

  /// Reads a POSIX TZ string, e.g. `CET-1CEST,M3.5.0,M10.5.0/3`.
  public init(posix rule: String) throws(TimeZoneError) {
    self.init(name: rule, data: TZif(rule: try POSIXRule(parsing: Array(rule.utf8)[...])))
  }

  /// The civil date and time at `instant`.
  public func civil(_ instant: Instant) -> CivilFields {
    CivilFields(instant, in: type(at: instant))
  }

  /// The next instant strictly after `after` at which the offset, the daylight flag or the abbreviation changes;
  /// nil when there are no more changes.
  public func nextTransition(after: Instant) -> Instant? {
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
