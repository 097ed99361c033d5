// SPDX-License-Identifier: Apache-2.0

/// A countdown with a name, beside the match: of a length, which can be paused, or to a moment of the wall
/// clock. After its end it counts on below zero. Times are nanoseconds.
package struct Countdown: Hashable, Sendable {
  package enum Course: Hashable, Sendable {
    case paused(left: Int64)
    /// Runs and ends at this match time, so that a step of the wall clock does not change what is left.
    case running(end: Int64)
    /// Runs and ends at this time of CLOCK_REALTIME.
    case timed(end: Int64)
  }

  /// The text above its clock; nil: none.
  package var label: String?
  /// Who or what has set it.
  package var source: String?
  /// When it was set, in milliseconds of CLOCK_REALTIME.
  package var since: Int64
  package private(set) var course: Course

  /// How many countdowns can exist at a time.
  package static let maximumNumber = 16
  /// The lengths that can be set, in milliseconds.
  package static let lengths = 1_000...Int(GameTimer.limit / 1_000_000)

  package init(_ course: Course, label: String? = nil, source: String? = nil, since: Int64) {
    (self.course, self.label, self.source, self.since) = (course, label, source, since)
  }

  /// Whether a text can be the name of a countdown: 1 to 32 letters, digits, hyphens and underscores, so that
  /// it can be a part of an MQTT topic and of the name of an entity.
  package static func isName(_ text: String) -> Bool {
    (1...32).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  /// Whether it ends at a time of the wall clock.
  package var isTimed: Bool { if case .timed = course { true } else { false } }
  package var isRunning: Bool { if case .paused = course { false } else { true } }

  /// What is left, at most `GameTimer.limit`; negative after the end.
  ///
  /// - Parameters:
  ///   - clock: the match time.
  ///   - realtime: CLOCK_REALTIME at the same moment.
  package func left(clock: Int64, realtime: Int64) -> Int64 {
    switch course {
    case .paused(let left): Self.bounded(left)
    case .running(let end): Self.bounded(Self.difference(end, clock))
    case .timed(let end): Self.bounded(Self.difference(end, realtime))
    }
  }

  /// What is left as a timer that counts down.
  ///
  /// - Parameter warning: how long before its end it warns.
  package func reading(clock: Int64, realtime: Int64, warning: Int64 = 0) -> Scoreboard.TimerReading {
    Self.reading(left(clock: clock, realtime: realtime), isRunning: isRunning, warning: warning)
  }

  /// The same for a time that is left.
  package static func reading(
    _ left: Int64, isRunning: Bool = true, warning: Int64
  ) -> Scoreboard.TimerReading {
    Scoreboard.TimerReading(
      value: left, isRunning: isRunning, isWarning: left > 0 && left <= warning, hasEnded: left <= 0,
      direction: .down, limit: nil, warnsAt: warning > 0 ? warning : nil)
  }

  package mutating func pause(clock: Int64, realtime: Int64) {
    course = .paused(left: left(clock: clock, realtime: realtime))
  }

  package mutating func resume(clock: Int64) {
    guard case .paused(let left) = course else { return }
    course = .running(end: clock.addingClamped(Self.bounded(left)))
  }

  /// Adds to what is left. Subtracting more than what is left ends the countdown now.
  package mutating func add(_ time: Int64, clock: Int64, realtime: Int64) {
    let left = left(clock: clock, realtime: realtime)
    let wanted = Self.bounded(max(left.addingClamped(time), min(left, 0)))
    switch course {
    case .paused: course = .paused(left: wanted)
    case .running: course = .running(end: clock.addingClamped(wanted))
    case .timed: course = .timed(end: realtime.addingClamped(wanted))
    }
  }

  private static func bounded(_ time: Int64) -> Int64 { min(max(time, -GameTimer.limit), GameTimer.limit) }

  private static func difference(_ end: Int64, _ now: Int64) -> Int64 {
    let (left, overflow) = end.subtractingReportingOverflow(now)
    return overflow ? (end < now ? .min : .max) : left
  }
}
