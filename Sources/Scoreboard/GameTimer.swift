// SPDX-License-Identifier: Apache-2.0

/// A timer at rest or running. It stores its start and the value it started with, and derives everything
/// else.
package struct GameTimer: Hashable, Sendable, Codable {
  package enum ID: String, CaseIterable, Hashable, Sendable, Codable {
    case game
    case shot
    /// The clock of a break, which exists only during the break.
    case breakClock = "break"
  }

  /// The largest value of a timer, in nanoseconds: 99:59:59.
  package static let limit: Int64 = 359_999_000_000_000

  /// The value at `since`, or while the timer is at rest; nil: the start value of the current period.
  var value: Int64?
  /// The instant at which the timer was started; nil: it is at rest.
  var since: Int64?

  static func bounded(_ length: Int64) -> Int64 { min(max(length, 0), limit) }

  /// How much the timer has counted since it was started, at most twice the limit.
  private func counted(at now: Int64) -> Int64 {
    guard let since, now > since else { return 0 }
    let (difference, overflow) = now.subtractingReportingOverflow(since)
    return overflow ? 2 * Self.limit : min(difference, 2 * Self.limit)
  }

  /// The value shown at `now`, in nanoseconds; negative where it counts below zero.
  func shown(at now: Int64, _ course: TimerCourse) -> Int64 {
    let value = value ?? course.start
    let shown = course.rule.direction == .down ? value - counted(at: now) : value + counted(at: now)
    // The rules, and with them the bounds, may have changed since the value was set.
    return min(max(shown, course.values.lowerBound), course.values.upperBound)
  }

  /// The instant at which the timer shows `target`. If the timer was already beyond `target` when it was
  /// started, this is its start. Nil while it is at rest.
  func instant(ofShowing target: Int64, _ course: TimerCourse) -> Int64? {
    guard let since else { return nil }
    let value = value ?? course.start
    let distance = course.rule.direction == .down ? value - target : target - value
    let (instant, overflow) = since.addingReportingOverflow(max(distance, 0))
    return overflow ? nil : instant
  }

  /// Stops the timer at the value that it shows.
  mutating func stop(at now: Int64, _ course: TimerCourse) {
    guard since != nil else { return }
    value = shown(at: now, course)
    since = nil
  }

  /// Moves the timer's start by `offset` nanoseconds, to convert it to a clock that was 0 at another time.
  mutating func shift(by offset: Int64) {
    since = since?.addingClamped(offset)
  }

  var isValid: Bool { value.map { (-Self.limit...Self.limit).contains($0) } ?? true }
}

extension Int64 {
  /// The sum, or the limit that it exceeds.
  package func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}

/// The start, the end and the bounds of a timer in one period.
struct TimerCourse {
  let rule: GameRules.Timer
  let start: Int64
  /// The value at which the timer ends; nil: it runs until it is stopped.
  let end: Int64?
  /// The values that the timer can show.
  let values: ClosedRange<Int64>

  init(_ rule: GameRules.Timer, period: Int, of periods: Int) {
    self.rule = rule
    let length = period > periods ? rule.overtimeLength : rule.length
    switch rule.direction {
    case .down:
      start = length
      end = 0
      values = (rule.end == .countOn ? -GameTimer.limit : 0)...GameTimer.limit
    case .up:
      let before = rule.continues ? Self.time(before: period, of: periods, rule) : 0
      start = before
      let end = length > 0 ? min(before + length, GameTimer.limit) : nil
      self.end = end
      values = 0...(rule.end == .countOn ? GameTimer.limit : end ?? GameTimer.limit)
    }
  }

  /// The nominal time of all earlier periods, capped at the limit.
  private static func time(before period: Int, of periods: Int, _ rule: GameRules.Timer) -> Int64 {
    let normal = Int64(min(period - 1, periods))
    let overtimes = Int64(max(period - 1 - periods, 0))
    return min(normal * rule.length + overtimes * rule.overtimeLength, GameTimer.limit)
  }

  /// The value at which the timer stops automatically; nil: none.
  var stop: Int64? { rule.end == .countOn ? nil : end }

  /// The value from which the timer warns; nil: none.
  var warning: Int64? {
    guard let end, rule.warning > 0 else { return nil }
    return rule.direction == .down ? end + rule.warning : max(end - rule.warning, 0)
  }
}
