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
    /// Whether it is the clock of a break that is paused, and has time left.
    var isPaused = false
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
    case .breakClock:
      form = .minutes
      origin = .match(.breakClock)
      tenthsBelow = 0
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
        text: reading.map { TimerText($0, form, tenthsBelow: tenthsBelow) },
        look: TimerLook(reading, of: timer),
        isPaused: timer == .breakClock && reading.map { !$0.isRunning && !$0.hasEnded } ?? false)
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
      guard let clock = model.clock(at: instant),
        let reading = model.scoreboard.reading(of: timer, at: clock),
        let remaining = TimerText.remaining(reading, tenthsBelow: tenthsBelow)
      else { return nil }
      return instant.advanced(nanoseconds: max(remaining, 1))
    case .countdown(let end):
      return instant < end ? min(Instant(seconds: instant.seconds + 1), end) : nil
    }
  }
}

extension StageModel {
  /// Another instant on the scoreboard's clock; nil if it is out of range.
  func clock(at instant: Instant) -> Int64? {
    let (clock, overflow) = clock.addingReportingOverflow(self.instant.nanoseconds(until: instant))
    return overflow ? nil : clock
  }
}
