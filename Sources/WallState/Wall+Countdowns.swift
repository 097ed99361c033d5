// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Commands
import ControlCalls
import Scoreboard
import Settings
import Walls

// Countdowns with names.
extension Wall {
  mutating func setCountdown(
    _ name: String, to setting: CountdownSetting
  ) throws(ControlError) -> ChangeReply {
    let limit = Countdown.maximumNumber
    guard countdowns.entries[name] != nil || countdowns.entries.count < limit else {
      throw .tooManyCountdowns(limit: limit)
    }
    let page = configuration.page(withCountdown: name)
    if setting.showsPage, page == nil { throw .countdownNotShown(countdown: name) }
    let course: Countdown.Course
    switch setting.end {
    case .after(let milliseconds): course = .running(end: now.clock + Int64(milliseconds) * 1_000_000)
    case .timeOfDay(let second):
      let end = schedule.schedule.zone.next(second: second, after: now.instant)
      course = .timed(end: end.seconds * 1_000_000_000)
    }
    let reply = try put(
      name,
      Countdown(course, label: setting.label, source: setting.source, since: now.milliseconds))
    if setting.showsPage, let page, page != shownPage { show(page: page, for: nil) }
    return reply
  }

  mutating func controlCountdown(
    _ name: String, _ control: CountdownControl
  ) throws(ControlError) -> ChangeReply {
    guard var countdown = countdowns.entries[name] else { throw unknownCountdown(name) }
    switch control {
    case .pause: countdown.pause(clock: now.clock, realtime: now.realtime)
    case .resume: countdown.resume(clock: now.clock)
    case .toggle:
      return try controlCountdown(name, countdown.isRunning ? .pause : .resume)
    case .add(let milliseconds):
      countdown.add(Int64(milliseconds) * 1_000_000, clock: now.clock, realtime: now.realtime)
    }
    return try put(name, countdown)
  }

  /// - Returns: whether it was set.
  mutating func clearCountdown(_ name: String) throws(ControlError) -> Bool {
    guard countdowns.clear(name) == nil else { return true }
    guard configuration.countdowns.contains(name) else { throw unknownCountdown(name) }
    return false
  }

  private mutating func put(_ name: String, _ countdown: Countdown) throws(ControlError) -> ChangeReply {
    if let wait = countdowns.set(name, to: countdown, at: now.clock) {
      throw .tooManyChanges(countdown: name, milliseconds: Int(wait / 1_000_000) + 1)
    }
    return .countdown(state(of: name, countdown), page: configuration.page(withCountdown: name))
  }

  private func unknownCountdown(_ name: String) -> ControlError {
    .unknownCountdown(countdown: name, known: countdowns.entries.keys.sorted())
  }

  /// The countdowns of the config's timers in its order, whether or not they are set, then the others.
  package func countdownStates(at now: Moment) -> [CountdownState] {
    let configured = configuration.countdowns
    let others = countdowns.entries.keys.filter { !configured.contains($0) }.sorted()
    return (configured + others).map { name in
      countdowns.entries[name].map { state(of: name, $0, at: now) } ?? CountdownState(name: name)
    }
  }

  private func state(of name: String, _ countdown: Countdown, at now: Moment? = nil) -> CountdownState {
    let now = now ?? self.now
    let timer = MatchState.Timer(countdown.reading(clock: now.clock, realtime: now.realtime))
    var end: Int64?
    if case .timed(let moment) = countdown.course { end = moment }
    return CountdownState(
      name: name, label: countdown.label, milliseconds: timer.milliseconds, running: timer.running,
      ended: timer.ended,
      until: end.map { Moment(clock: 0, realtime: $0).instant.rfc3339UTC }, from: countdown.source,
      since: Instant(milliseconds: countdown.since).rfc3339UTC)
  }
}
