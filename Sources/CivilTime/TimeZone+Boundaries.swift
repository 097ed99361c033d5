// SPDX-License-Identifier: Apache-2.0

extension TimeZone {
  /// A unit of civil time, and its length in seconds.
  public enum Boundary: Int, CaseIterable, Hashable, Sendable {
    case second = 1
    case minute = 60
    case hour = 3_600
    case day = 86_400
  }

  /// The next instant strictly after `after` at which a civil second, minute, hour or day begins or the zone
  /// changes, whichever comes first. Until then, the field of `unit` and all larger fields do not change.
  ///
  /// At the end of `Int64` there is no later instant, and the last one is returned.
  public func nextBoundary(after: Instant, unit: Boundary) -> Instant {
    let local = DayTime(after).adding(type(at: after).utcOffset)
    let remaining = unit.rawValue - local.second % unit.rawValue
    let (seconds, overflow) = after.seconds.addingReportingOverflow(Int64(remaining))
    let boundary = overflow ? Instant.distantFuture : Instant(seconds: seconds)
    // Offsets are whole seconds, so no transition falls within one.
    guard unit != .second, let transition = nextTransition(after: after) else { return boundary }
    return min(boundary, transition)
  }
}
