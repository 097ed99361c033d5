// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Schedule
import Scoreboard
import Settings
import Walls

/// One wall as a value: the match, and everything that decides what its displays show. It has no clock, no files and no
/// displays: its owner says what happens and when, does what the returned effects say, shows `shown`, and calls `advance` at
/// `nextClock` and `nextInstant`. So a night, a match and a reload can be tested, or drawn by `flipclockd render`, at once.
package struct Wall {
  /// A display, as far as it matters for what is shown.
  package struct Display: Hashable, Sendable {
    /// The connector.
    package var name: String
    /// The table of `[outputs]` that applies to it.
    package var settings: OutputSettings?

    package init(name: String, settings: OutputSettings? = nil) {
      self.name = name
      self.settings = settings
    }
  }

  /// What the owner is to do after a change, beside showing `shown`.
  package struct Effects: Hashable, Sendable {
    /// Whether a timer of the match has reached its warning or its end, or a penalty has ended.
    package var matchReached = false
    /// Whether a running match is to be saved.
    package var saves = false
    /// Lines for the log.
    package var notes: [String] = []

    package init() {}

    mutating func formUnion(_ other: Effects) {
      matchReached = matchReached || other.matchReached
      saves = saves || other.saves
      notes += other.notes
    }
  }

  /// What the displays show beside the model of the page.
  package struct Shown: Hashable, Sendable {
    package var page: String
    /// Nil: as configured.
    package var theme: String?
    package var lights: Lights
    /// Whether the levels change gradually now, so that each step is shown at once.
    package var isFading: Bool
  }

  package private(set) var configuration: Configuration
  package var match: Match
  package internal(set) var displays: [Display] = []
  /// The page that was last set by command or reached by rotation; nil: the first one.
  package internal(set) var page: String?
  package internal(set) var holds: Holds
  package internal(set) var schedule: ScheduleController
  /// Nil: the light does not change gradually now.
  var transition: LightTransition?
  package internal(set) var message: Message?
  var invitations = Invitations()
  var invitationAddress = RemoteAddress(host: "", readable: "", port: 0)
  var refused = RefusedAttempts()
  /// The moment for which everything holds.
  package internal(set) var now: Moment
  /// Since when the page is shown that rotation replaces, in match time.
  var pageSince: Int64
  /// When the game began that the schedule leaves alone, in match time; nil: no game clock runs.
  var gameStart: Int64?
  /// When a running match is to be saved next, in match time.
  var saveDue: Int64?

  /// - Parameters:
  ///   - schedule: that of the configuration, in the machine's time zone.
  ///   - page: the page that was last set by command.
  package init(
    _ configuration: Configuration, schedule: Schedule, match: Match, page: String? = nil,
    holds: Holds = Holds(),
    at now: Moment
  ) {
    self.configuration = configuration
    self.match = match
    self.page = page
    self.holds = holds
    self.schedule = ScheduleController(at: now.instant)
    self.now = now
    pageSince = now.clock
    adopt(configuration, schedule: schedule, displays: [], at: now)
  }

  /// How long after a save a running match is saved again, in nanoseconds.
  static let saveInterval: Int64 = 10_000_000_000

  // MARK: Time

  /// When to call `advance` at the latest, in match time; nil: never.
  package var nextClock: Int64? {
    [
      match.board.nextEvent(after: now.clock), message?.ends, invitations.open?.ends, transition?.next,
      nextTurn?.time,
      saveDue,
    ].compactMap { $0 }.min()
  }

  /// The same by the wall clock. `advance` is also called when that clock was set.
  package var nextInstant: Instant? {
    [schedule.wake, holds.wake(waits: schedule.isWaiting)].compactMap { $0 }.min()
  }

  /// Goes on to `now`. May be called at any time.
  @discardableResult
  package mutating func advance(to now: Moment) -> Effects {
    var effects = Effects()
    if let event = match.board.nextEvent(after: self.now.clock), event <= now.clock {
      effects.matchReached = true
    }
    self.now = now
    if let ends = message?.ends, ends <= now.clock { message = nil }
    if let ends = invitations.open?.ends, ends <= now.clock { relight { _ = $0.invitations.close() } }
    followSchedule(&effects)
    advanceTransition()
    turnPages()
    if !isRunning {
      saveDue = nil
    } else if saveDue.map({ $0 <= now.clock }) ?? true {
      effects.saves = saveDue != nil
      saveDue = now.clock + Self.saveInterval
    }
    return effects
  }

  /// Whether one of the match's timers runs.
  private var isRunning: Bool { match.board.runningSince(at: now.clock) != nil }

  // MARK: Configuration and displays

  package var shown: Shown {
    var isFading = false
    if case .fade = transition { isFading = true }
    return Shown(page: shownPage, theme: theme, lights: lights, isFading: isFading)
  }

  /// Adopts a configuration, or new time zones, from now on. The owner has adopted it in the match.
  ///
  /// - Parameter displays: the displays with their tables of the configuration.
  @discardableResult
  package mutating func adopt(
    _ new: Configuration, schedule: Schedule, displays: [Display], at now: Moment
  ) -> Effects {
    let effects = advance(to: now)
    relight(isAlways: true) { wall in
      if wall.configuration.display.brightness != new.display.brightness { wall.holds.forgetBrightness() }
      wall.configuration = new
      wall.displays = displays
      wall.replaceSchedule(schedule)
    }
    (page, pageSince) = (commonPage, now.clock)
    return effects
  }

  /// The displays that are connected now; they are lit as the others.
  package mutating func adopt(_ displays: [Display], at now: Moment) -> Effects {
    let effects = advance(to: now)
    let isShown = isCommonPageShown
    self.displays = displays
    if !isShown { pageSince = now.clock }
    return effects
  }
}

extension Moment {
  /// The wall clock's time.
  package var instant: Instant {
    let (seconds, rest) = realtime.quotientAndRemainder(dividingBy: 1_000_000_000)
    return rest < 0
      ? Instant(seconds: seconds - 1, nanoseconds: Int32(rest + 1_000_000_000))
      : Instant(seconds: seconds, nanoseconds: Int32(rest))
  }
}
