// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ControlCalls
import Scoreboard
import Walls

/// Converts the times of changes from the match's clock to the time of day. A change always gets the same
/// time of day until the wall clock is set, although the two clocks cannot be read at the same instant.
struct HistoryTimes: Hashable {
  private static let second: Int64 = 1_000_000_000

  /// The time of day minus the match's clock, in nanoseconds, as it was when it last changed by a second or
  /// more.
  private var difference: Int64?

  /// The time of day of `time`, in seconds since 1970.
  ///
  /// - Parameters:
  ///   - now: the present time on the match's clock, in nanoseconds like `time`.
  ///   - wall: the present time of day, in nanoseconds since 1970.
  mutating func seconds(of time: Int64, now: Int64, wall: Int64) -> Int64 {
    let current = wall.subtractingReportingOverflow(now).partialValue
    let known = difference ?? current
    let change = current.subtractingReportingOverflow(known).partialValue
    // A change of less than a second is ignored: the clock was adjusted, or time has passed between the two
    // readings.
    let used = change.magnitude < Self.second.magnitude ? known : current
    difference = used
    let (seconds, part) = time.addingReportingOverflow(used).partialValue
      .quotientAndRemainder(dividingBy: Self.second)
    return part < 0 ? seconds - 1 : seconds
  }
}

extension Wall {
  /// The changes of the match that can be undone and redone, the newest first.
  package mutating func history(at now: Moment) -> MatchHistory {
    func report(_ steps: [Match.Step]) -> [MatchStep] {
      steps.reversed().map { step in
        let seconds = historyTimes.seconds(of: step.time, now: now.clock, wall: now.realtime)
        return MatchStep(step, time: Instant(seconds: seconds).rfc3339UTC)
      }
    }
    return MatchHistory(past: report(match.past), future: report(match.future))
  }
}
