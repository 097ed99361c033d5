// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Scoreboard
import Settings

/// The source of a timer's time: a clock of the match, or a moment to count down to.
struct TimerSource {
  /// What to show. There is no text if the match has no such clock.
  struct Appearance: Hashable {
    var text: TimerText?
    var look = TimerLook.plain
  }

  private enum Origin {
    case match(GameTimer.ID)
    case countdown(Instant)
  }

  let form: TimerText.Form
  private let origin: Origin
  private let tenthsBelow: Int64

  var hasTenths: Bool { tenthsBelow > 0 }

  /// How many seconds before its end a countdown warns.
  private static let countdownWarning: Int64 = 10

  /// - Parameter zone: the zone of the countdown's end, if that has no offset of its own.
  init(_ settings: TimerSettings, zone: TimeZone) {
    switch settings.source {
    case .gameClock:
      form = settings.showHours ? .hours : .minutes
      origin = .match(.game)
      tenthsBelow = settings.tenths ? 60 : 0
    case .shotClock:
      form = .seconds
      origin = .match(.shot)
      tenthsBelow = settings.tenths ? 5 : 0
    case .countdown:
      form = .days
      origin = .countdown(settings.until?.instant(in: zone) ?? Instant(seconds: 0))
      tenthsBelow = 0
    }
  }

  func appearance(_ model: StageModel) -> Appearance {
    switch origin {
    case .match(let timer):
      let reading = model.scoreboard.reading(of: timer, at: model.clock)
      return Appearance(
        text: reading.map { TimerText($0, form, tenthsBelow: tenthsBelow) }, look: TimerLook(reading))
    case .countdown(let end):
      let left = Self.seconds(from: model.instant, to: end)
      let look: TimerLook = left == 0 ? .ended : left <= Self.countdownWarning ? .warning : .plain
      return Appearance(text: TimerText(seconds: left, form), look: look)
    }
  }

  /// The number of whole seconds left, at least 0.
  private static func seconds(from instant: Instant, to end: Instant) -> Int64 {
    // More seconds than there are until the year 9999.
    let far: Int64 = 1 << 40
    return min(max(end.seconds - min(max(instant.seconds, -far), far), 0), far)
  }

  /// The next time, strictly after `instant`, at which the text or the look changes.
  func nextChange(of model: StageModel, after instant: Instant) -> Instant? {
    switch origin {
    case .match(let timer):
      let (clock, overflow) = model.clock.addingReportingOverflow(model.instant.nanoseconds(until: instant))
      guard !overflow, let reading = model.scoreboard.reading(of: timer, at: clock),
        let remaining = TimerText.remaining(reading, tenthsBelow: tenthsBelow)
      else { return nil }
      return instant.advanced(nanoseconds: max(remaining, 1))
    case .countdown(let end):
      return instant < end ? min(Instant(seconds: instant.seconds + 1), end) : nil
    }
  }
}

extension Instant {
  /// Nanoseconds from here to `other`; differences beyond 2³² seconds are clamped.
  func nanoseconds(until other: Instant) -> Int64 {
    let seconds = min(
      max(other.seconds.subtractingReportingOverflow(self.seconds).partialValue, -1 << 32), 1 << 32)
    return seconds * 1_000_000_000 + Int64(other.nanoseconds) - Int64(nanoseconds)
  }

  func advanced(nanoseconds count: Int64) -> Instant {
    let (whole, rest) = count.quotientAndRemainder(dividingBy: 1_000_000_000)
    let sum = Int64(nanoseconds) + rest
    return Instant(
      seconds: seconds + whole + sum / 1_000_000_000,
      nanoseconds: Int32(truncatingIfNeeded: sum % 1_000_000_000))
  }
}
