// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ControlCalls
import Schedule
import Settings
import Walls

/// Follows the schedule, and ends what was set by command for a time.
extension Wall {
  /// Follows the schedule until now.
  mutating func followSchedule(_ effects: inout Effects) {
    noteGame()
    var next = schedule
    let update = next.update(at: now.instant, during: game)
    var holds = holds
    let waiting = next.isWaiting ? Set(Schedule.Property.allCases).subtracting(update.properties) : []
    let ended = holds.expire(at: now.instant, waiting: waiting)
    if !update.properties.isEmpty {
      let entries = next.state.entries
      effects.notes.append(
        "the schedule's entries in effect: \(entries.isEmpty ? "none" : entries.joined(separator: ", "))")
    }
    let isOnTime =
      update.isOnTime
      || (update.properties.isEmpty && ended.values.allSatisfy { now.instant.seconds - $0.seconds <= 5 })
    let page = shownPage
    relight(isGradual: isOnTime && configuration.motion != .none) { ($0.schedule, $0.holds) = (next, holds) }
    if shownPage != page { pageSince = now.clock }
  }

  /// Follows another schedule from now on.
  mutating func replaceSchedule(_ new: Schedule) {
    noteGame()
    _ = schedule.replace(new, at: now.instant, during: game)
    _ = holds.expire(at: now.instant, waiting: schedule.isWaiting ? Set(Schedule.Property.allCases) : [])
    holds.renew(schedule, at: now.instant)
    // If the new schedule has no page, a page that was set by command becomes the common one.
    if let held = holds.page, !held.hold.isTimed, schedule.state.page == nil {
      (page, holds.page) = (held.name, nil)
    }
  }

  private mutating func noteGame() {
    let start = match.scoreboard.runningSince(at: now.clock)
    // A clock that is set while it runs has a new start, but the game began earlier.
    gameStart = start.map { gameStart ?? $0 }
  }

  /// When the game began, by the wall clock; nil: no clock of the match runs.
  private var game: Instant? {
    gameStart.map {
      Moment(clock: $0, realtime: now.realtime &- max(now.clock - $0, 0)).instant
    }
  }

  /// Nil if the config has no schedule and nothing is held for a time.
  package var scheduleStatus: ScheduleStatus? {
    let hasSchedule = !schedule.schedule.entries.isEmpty
    let held = holds.all.filter { hasSchedule || $0.until != nil || $0.what == "page" }
    guard hasSchedule || !held.isEmpty else { return nil }
    return ScheduleStatus(
      entries: schedule.state.entries, held: held, nextSwitch: schedule.nextSwitch?.time.rfc3339UTC,
      waits: schedule.isWaiting ? true : nil,
      latitude: schedule.schedule.place?.latitude, longitude: schedule.schedule.place?.longitude)
  }
}
