// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls

/// Decides when to sound, from the states of a match as they arrive. The warning of a break's clock counts as
/// an end, too.
///
/// The end of a running clock is computed from the last state. A clock ends if it reaches its limit and
/// stops; a clock that counts on beyond its end does not end a period. A clock that is paused, set, reset or
/// changed by an undo before its limit has not ended. Instants are nanoseconds of CLOCK_BOOTTIME.
package struct EndWatch: Hashable, Sendable {
  /// Two ends of a clock that are closer than this, in nanoseconds, count as one. A shot clock does not sound
  /// if it ends with the game clock, or less than this time after it.
  package static let separation: Int64 = 100_000_000
  /// An end that is noticed later than this, for example after a suspend, does not sound. On a busy machine
  /// a late horn is better than none.
  package static let lateness: Int64 = 1_500_000_000
  /// How much earlier than the computed end a state that reports it may arrive. Times are rounded to
  /// milliseconds.
  static let slack: Int64 = 3_000_000
  /// The same for a state with the same revision: the clock ended by itself, and an earlier state was
  /// delayed.
  static let delay: Int64 = 1_000_000_000

  /// The sounds to return. All ends are followed nevertheless.
  package var sounds: Set<Sound>
  /// When the running clocks will end.
  private var ends: [Sound: Int64] = [:]
  /// When the clocks have ended last.
  private var past: [Sound: Int64] = [:]
  /// When the running countdowns will end, by their names.
  private var countdownEnds: [String: Int64] = [:]
  private var revision = 0
  private var period = 0

  package init(_ sounds: Set<Sound> = Set(Sound.allCases)) { self.sounds = sounds }

  /// When a sound is due next; nil: no running clock has an end.
  package var next: Int64? {
    let clocks = ends.filter { sounds.contains($0.key) && isEnd($0.key, $0.value) }.values
    let countdowns = sounds.contains(.countdown) ? Array(countdownEnds.values) : []
    return (clocks + countdowns).min()
  }

  /// Adopts the next state of the match. The first one, and the first after `forget`, does not sound.
  ///
  /// - Parameter now: when the state arrived.
  /// - Returns: the sounds that are due.
  package mutating func follow(_ state: MatchState, at now: Int64) -> [Sound] {
    var due = advance(to: now)
    for sound in Sound.allCases {
      guard let end = ends[sound], isReported(sound, end, by: state, at: now) else { continue }
      due += finish(sound, at: now, noticed: now)
    }
    for sound in Sound.allCases {
      ends[sound] = nil
      guard let timer = sound.timer.flatMap({ state.timers[$0] }), let left = sound.left(of: timer) else {
        continue
      }
      let (end, overflow) = now.addingReportingOverflow(left)
      if !overflow, past[sound].map({ end - $0 >= Self.separation }) ?? true { ends[sound] = end }
    }
    (revision, period) = (state.revision, state.period)
    return due
  }

  /// Adopts the next state of the display, with its countdowns. One that is paused or set again before its
  /// end does not sound.
  ///
  /// - Parameter now: when the state arrived.
  /// - Returns: the sounds that are due.
  package mutating func follow(_ display: DisplayState, at now: Int64) -> [Sound] {
    var due = advance(to: now)
    for countdown in display.countdowns where countdown.running && countdown.ended {
      guard let end = countdownEnds[countdown.name], end - now <= Self.slack else { continue }
      due += finishCountdowns(until: end, noticed: now)
    }
    countdownEnds = [:]
    for countdown in display.countdowns where countdown.running && !countdown.ended {
      guard let left = countdown.timer?.left(until: 0) else { continue }
      let (end, overflow) = now.addingReportingOverflow(left)
      if !overflow { countdownEnds[countdown.name] = end }
    }
    return due
  }

  /// Removes the countdowns that have ended. Several that end at the same time sound once.
  private mutating func finishCountdowns(until end: Int64, noticed now: Int64) -> [Sound] {
    let ended = countdownEnds.filter { $0.value <= end }
    for name in ended.keys { countdownEnds[name] = nil }
    let isDue = sounds.contains(.countdown) && ended.values.contains { now - $0 <= Self.lateness }
    return isDue ? [.countdown] : []
  }

  /// Returns the sounds that are due at `now`, in the order of their ends. Each end is returned once.
  package mutating func advance(to now: Int64) -> [Sound] {
    var due: [Sound] = []
    let order = ends.filter { $0.value <= now }.sorted {
      ($0.value, $0.key == .period ? 0 : 1) < ($1.value, $1.key == .period ? 0 : 1)
    }
    for (sound, end) in order { due += finish(sound, at: end, noticed: now) }
    return due + finishCountdowns(until: now, noticed: now)
  }

  /// Called when the connection to the daemon is lost. The clocks are unknown then.
  package mutating func forget() { (ends, countdownEnds) = ([:], [:]) }

  private mutating func finish(_ sound: Sound, at end: Int64, noticed now: Int64) -> [Sound] {
    let isDue = isEnd(sound, end) && now - end <= Self.lateness && sounds.contains(sound)
    past[sound] = end
    ends[sound] = nil
    return isDue ? [sound] : []
  }

  /// Whether the end of a clock counts. That of a shot clock does not if the game clock ends at about the
  /// same time.
  private func isEnd(_ sound: Sound, _ end: Int64) -> Bool {
    guard sound == .shot else { return true }
    return ![ends[.period], past[.period]].contains { game in
      guard let game else { return false }
      return end >= game - Self.slack && end - game < Self.separation
    }
  }

  /// Whether a state reports that a clock which was running has ended by itself.
  private func isReported(_ sound: Sound, _ end: Int64, by state: MatchState, at now: Int64) -> Bool {
    guard let timer = sound.timer.flatMap({ state.timers[$0] }) else { return false }
    let isReached =
      switch sound {
      case .period: !timer.running && (timer.ended || state.period > period)
      case .shot, .breakEnd: !timer.running && timer.ended
      case .breakWarning: timer.warning || timer.ended
      case .countdown: false
      }
    guard isReached else { return false }
    return end - now <= (state.revision == revision ? Self.delay : Self.slack)
  }
}

extension Sound {
  /// The key in `MatchState.timers`; nil: it is no clock of the match.
  fileprivate var timer: String? {
    switch self {
    case .period: "game"
    case .shot: "shot"
    case .breakEnd, .breakWarning: "break"
    case .countdown: nil
    }
  }

  /// The nanoseconds until a running timer reaches what the sound stands for; nil: it does not.
  fileprivate func left(of timer: MatchState.Timer) -> Int64? {
    guard self == .breakWarning else { return timer.left(until: timer.limit) }
    // If a break is not longer than its warning, the clock warns from the beginning, and nothing sounds.
    return timer.left(until: timer.warnsAt).flatMap { $0 > 0 ? $0 : nil }
  }
}

extension MatchState.Timer {
  /// The nanoseconds until a running timer shows a time; nil: it does not.
  fileprivate func left(until limit: Int?) -> Int64? {
    guard running, let limit else { return nil }
    let (left, underflow) = (direction == "down" ? milliseconds : limit).subtractingReportingOverflow(
      direction == "down" ? limit : milliseconds)
    guard !underflow, left >= 0 else { return nil }
    let (nanoseconds, overflow) = Int64(left).multipliedReportingOverflow(by: 1_000_000)
    return overflow ? nil : nanoseconds
  }
}
