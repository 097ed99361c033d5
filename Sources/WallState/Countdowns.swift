// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import Walls

/// The countdowns, by their names.
package typealias Countdowns = NamedEntries<Countdown>

extension Countdowns {
  /// The next ends after `now`: in match time, and in nanoseconds of CLOCK_REALTIME.
  func nextEnds(after now: Moment) -> (clock: Int64?, realtime: Int64?) {
    var next: (clock: Int64?, realtime: Int64?)
    for countdown in entries.values {
      switch countdown.course {
      case .running(let end) where end > now.clock: next.clock = min(next.clock ?? end, end)
      case .timed(let end) where end > now.realtime: next.realtime = min(next.realtime ?? end, end)
      default: break
      }
    }
    return next
  }
}

/// A countdown as it is saved. Its times do not depend on the start of the machine: after a restart, a
/// running countdown ends by the wall clock.
package struct SavedCountdown: Codable, Hashable, Sendable {
  package var label: String?
  package var source: String?
  package var since: Int64
  /// When it ends, in nanoseconds of CLOCK_REALTIME; nil: it is paused.
  package var end: Int64?
  /// What was left when it was saved, in nanoseconds; nil: it was set to end at a time of day.
  package var left: Int64?

  init(_ countdown: Countdown, at now: Moment) {
    (label, source, since) = (countdown.label, countdown.source, countdown.since)
    let left = countdown.left(clock: now.clock, realtime: now.realtime)
    switch countdown.course {
    case .paused: self.left = left
    case .running:
      self.left = left
      end = now.realtime.addingClamped(left)
    case .timed(let moment): end = moment
    }
  }

  /// The countdown after a restart.
  var countdown: Countdown {
    Countdown(
      end.map { .timed(end: $0) } ?? .paused(left: left ?? 0), label: label, source: source, since: since)
  }

  /// Whether the texts are within the limits of commands; a damaged file may have others.
  package var isSound: Bool {
    (label.map { ShownText.problem(in: $0, maximum: ShownText.nameLimit) == nil } ?? true)
      && (end != nil || left != nil)
  }

  /// Pauses it at what was left when it was saved, because the wall clock cannot tell how long ago that was.
  package mutating func pause() { if left != nil { end = nil } }
}
