// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// Follows a schedule: has its state now, and the time of the next update. The owner calls `update` at
/// `wake`, when a game begins or ends, after each step of the wall clock and after a suspend; calls at other
/// times are allowed.
package struct ScheduleController: Hashable, Sendable {
  /// What an update has changed.
  package struct Update: Hashable, Sendable {
    /// The properties whose value or entry has changed.
    package var properties: Set<Schedule.Property> = []
    /// Whether the change may be gradual, because it is a switch that is due now, or one that has waited for
    /// a game that is over now. Otherwise it is to be shown at once: a game has begun, the clock was set, the
    /// machine slept, or the schedule was replaced.
    package var isOnTime = false

    package init() {}
  }

  package private(set) var schedule: Schedule
  package private(set) var state: Schedule.State
  /// The next time at which the state changes; nil: none is known.
  package private(set) var nextSwitch: Schedule.Switch?
  /// The time of the last update.
  private var last: Instant
  /// When the game that is played now began; nil: none is played.
  private var game: Instant?

  /// How late an update may be to count as on time, in seconds.
  private static let tolerance: Int64 = 5
  /// If no switch is known, the owner calls `update` after this many seconds, because `Schedule.nextSwitch`
  /// looks only about 400 days ahead.
  private static let patience: Int64 = 300 * 86_400
  /// The maximum time that the entries wait for a game, in seconds, because a clock may have been left
  /// running.
  package static let longestGame: Int64 = 12 * 3_600

  /// Whether the entries wait because a game is played.
  package var isWaiting: Bool { game != nil }

  package init(_ schedule: Schedule = Schedule(), at now: Instant) {
    self.schedule = schedule
    state = schedule.state(at: now)
    nextSwitch = schedule.nextSwitch(after: now)
    last = now
  }

  /// When to call `update`; nil: the schedule is empty.
  package var wake: Instant? {
    if schedule.entries.isEmpty { return nil }
    let next = nextSwitch?.time ?? Instant(seconds: last.seconds + Self.patience)
    return game.map { min(next, Instant(seconds: $0.seconds + Self.longestGame)) } ?? next
  }

  /// Updates the state to that at `now`.
  ///
  /// - Parameter game: when the game that is played now began; nil: none is played.
  package mutating func update(at now: Instant, during game: Instant? = nil) -> Update {
    let played = Self.waits(for: game, at: now)
    let hasEnded = isWaiting && played == nil
    // No game has begun or ended, the clock was not set back, and no switch is due.
    if self.game == played, last <= now, let wake, now < wake { return Update() }
    var update = Update()
    if let due = nextSwitch?.time, last <= now, due <= now, now.seconds - due.seconds <= Self.tolerance {
      update.isOnTime = true
    }
    if hasEnded { update.isOnTime = true }
    let before = state
    advance(to: now, during: game)
    update.properties = state.differences(from: before)
    return update
  }

  /// Follows another schedule from now on.
  package mutating func replace(
    _ schedule: Schedule, at now: Instant, during game: Instant? = nil
  ) -> Update {
    if schedule == self.schedule { return update(at: now, during: game) }
    self.schedule = schedule
    let before = state
    advance(to: now, during: game)
    var update = Update()
    update.properties = state.differences(from: before)
    return update
  }

  private mutating func advance(to now: Instant, during game: Instant?) {
    self.game = Self.waits(for: game, at: now)
    state = schedule.state(at: now, during: self.game)
    nextSwitch = schedule.nextSwitch(after: now, during: self.game)
    last = now
  }

  /// The game, if the entries still wait for it.
  private static func waits(for game: Instant?, at now: Instant) -> Instant? {
    game.flatMap { now.seconds - $0.seconds < longestGame ? $0 : nil }
  }

  // MARK: Manual settings

  /// A hold for something that is set by hand now.
  ///
  /// - Parameter milliseconds: how long it holds; nil: until the schedule next changes `property`. If that
  ///   change waits for a game, it holds until the end of the game.
  package func hold(_ property: Schedule.Property, milliseconds: Int?, at now: Instant) -> ManualHold {
    guard let milliseconds else {
      let waits = isWaiting && schedule.state(at: now).differences(from: state).contains(property)
      return ManualHold(
        until: waits ? now : schedule.nextSwitch(after: now, of: property)?.time, isTimed: false)
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
package struct ManualHold: Hashable, Sendable, Codable {
  /// Nil: until it is set again.
  package var until: Instant?
  /// Whether the end was given with the command; otherwise it is a switch of the schedule.
  package var isTimed: Bool

  package init(until: Instant?, isTimed: Bool) {
    self.until = until
    self.isTimed = isTimed
  }

  private enum CodingKeys: CodingKey { case until, isTimed }

  /// `until` in seconds of CLOCK_REALTIME, rounded up.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(until.map { $0.seconds + ($0.nanoseconds > 0 ? 1 : 0) }, forKey: .until)
    try container.encode(isTimed, forKey: .isTimed)
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    until = try container.decodeIfPresent(Int64.self, forKey: .until).map { Instant(seconds: $0) }
    isTimed = try container.decode(Bool.self, forKey: .isTimed)
  }

  /// - Parameter waits: whether the schedule's switches wait for a game.
  package func isOver(at now: Instant, waits: Bool = false) -> Bool {
    !(waits && !isTimed) && until.map { $0 <= now } ?? false
  }
}
