// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// Follows a schedule: knows what holds now and when to look again. The owner calls `update` at `nextSwitch`, after each
/// step of the wall clock and after a suspend; calls at other times are allowed.
package struct ScheduleController: Hashable, Sendable {
  /// What an update has changed.
  package struct Update: Hashable, Sendable {
    /// What has another value or another entry.
    package var properties: Set<Schedule.Property> = []
    /// Whether the change is a switch that has just taken place, so that it may be eased. Otherwise the clock was set, the
    /// machine slept, or the schedule is another one, and what holds now is to be shown at once.
    package var isOnTime = false

    package init() {}
  }

  package private(set) var schedule: Schedule
  package private(set) var state: Schedule.State
  /// The next time at which the state changes; nil: never.
  package private(set) var nextSwitch: Schedule.Switch?
  /// The time of the last update.
  private var last: Instant

  /// How late an update may be to count as on time, in seconds.
  private static let tolerance: Int64 = 5
  /// After so many seconds without a switch the owner looks again, because `Schedule.nextSwitch` looks only so far.
  private static let patience: Int64 = 300 * 86_400

  package init(_ schedule: Schedule = Schedule(), at now: Instant) {
    self.schedule = schedule
    state = schedule.state(at: now)
    nextSwitch = schedule.nextSwitch(after: now)
    last = now
  }

  /// When to call `update`; nil: the schedule is empty.
  package var wake: Instant? {
    schedule.entries.isEmpty ? nil : nextSwitch?.time ?? Instant(seconds: last.seconds + Self.patience)
  }

  /// Changes to the state at `now`.
  package mutating func update(at now: Instant) -> Update {
    // Nothing has changed since the last update.
    if last <= now, let wake, now < wake { return Update() }
    var update = Update()
    if let due = nextSwitch?.time, last <= now, due <= now, now.seconds - due.seconds <= Self.tolerance {
      update.isOnTime = true
    }
    let before = state
    advance(to: now)
    update.properties = state.differences(from: before)
    return update
  }

  /// Follows another schedule from now on.
  package mutating func replace(_ schedule: Schedule, at now: Instant) -> Update {
    if schedule == self.schedule { return update(at: now) }
    self.schedule = schedule
    let before = state
    advance(to: now)
    var update = Update()
    update.properties = state.differences(from: before)
    return update
  }

  private mutating func advance(to now: Instant) {
    state = schedule.state(at: now)
    nextSwitch = schedule.nextSwitch(after: now)
    last = now
  }

  // MARK: Manual settings

  /// A hold for something that is set by hand now.
  ///
  /// - Parameter milliseconds: how long it holds; nil: until the schedule next changes `property`.
  package func hold(_ property: Schedule.Property, milliseconds: Int?, at now: Instant) -> ManualHold {
    guard let milliseconds else {
      return ManualHold(until: schedule.nextSwitch(after: now, of: property)?.time, isTimed: false)
    }
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
    let nanoseconds = now.nanoseconds + Int32(rest) * 1_000_000
    return ManualHold(
      until: Instant(
        seconds: now.seconds.addingReportingOverflow(Int64(seconds)).partialValue, nanoseconds: nanoseconds),
      isTimed: true)
  }
}

/// How long something that was set by hand has precedence over the schedule.
package struct ManualHold: Hashable, Sendable {
  /// Nil: until it is set again.
  package var until: Instant?
  /// Whether the end was given with the command; otherwise it is a switch of the schedule.
  package var isTimed: Bool

  package init(until: Instant?, isTimed: Bool) {
    self.until = until
    self.isTimed = isTimed
  }

  package func isOver(at now: Instant) -> Bool { until.map { $0 <= now } ?? false }
}
