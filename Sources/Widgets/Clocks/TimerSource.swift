// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Scoreboard
import Settings

/// The source of a timer's time: a clock of the match, a countdown, or a moment to count down to.
struct TimerSource {
  /// What to show. There is no text if the match has no such clock, or the countdown is not set.
  struct Appearance: Hashable {
    var text: TimerText?
    var look = TimerLook.plain
    /// Whether it is a countdown, or the clock of a break, that is paused and has time left or counts on.
    var isPaused = false
  }

  private enum Origin {
    case match(GameTimer.ID)
    /// A countdown by its name; while it is not set, the time until a moment.
    case countdown(String?, until: Instant?)
  }

  let form: TimerText.Form
  private let origin: Origin
  private let tenthsBelow: Int64

  var hasTenths: Bool { tenthsBelow > 0 }

  /// How long before its end a countdown warns, in nanoseconds.
  private let warning: Int64
  /// Whether a countdown counts on after its end.
  private let countsOn: Bool

  /// - Parameters:
  ///   - zone: the zone of the countdown's end, if that has no offset of its own.
  ///   - isTight: whether the minutes of a game clock have no empty card.
  init(_ settings: TimerSettings, zone: TimeZone, isTight: Bool = false) {
    warning = Int64(settings.warning * 1e9)
    countsOn = settings.overtime
    switch settings.source {
    case .gameClock:
      form = settings.showHours ? .hours : isTight ? .tightMinutes : .minutes
      origin = .match(.game)
      tenthsBelow = settings.tenths ? 60 : 0
    case .shotClock:
      form = .seconds
      origin = .match(.shot)
      tenthsBelow = settings.tenths ? 5 : 0
    case .breakClock:
      form = .tightMinutes
      origin = .match(.breakClock)
      tenthsBelow = 0
    case .countdown:
      form = !settings.seconds ? .daysAndMinutes : settings.countdown == nil ? .days : .hours
      origin = .countdown(settings.countdown, until: settings.until?.instant(in: zone))
      tenthsBelow = 0
    }
  }

  /// The text above the clock of a countdown; nil: none.
  func label(_ model: StageModel) -> String? {
    guard case .countdown(let name?, _) = origin else { return nil }
    return model.countdowns[name]?.label
  }

  /// `TimerText.slack` of the clock by which the source counts.
  private func slack(_ model: StageModel) -> Int64 {
    guard case .countdown(let name, _) = origin else { return TimerText.slack }
    return name.flatMap { model.countdowns[$0] }?.isTimed ?? true ? 0 : TimerText.slack
  }

  private func reading(_ model: StageModel) -> Scoreboard.TimerReading? {
    switch origin {
    case .match(let timer): return model.scoreboard.reading(of: timer, at: model.clock)
    case .countdown(let name, let end):
      var reading = name.flatMap { model.countdowns[$0] }?.reading(
        clock: model.clock, realtime: model.instant.realtime, warning: warning)
      if reading == nil, let end {
        reading = Countdown.reading(model.instant.nanoseconds(until: end), warning: warning)
      }
      if !countsOn, reading?.hasEnded == true {
        reading?.value = 0
        reading?.isRunning = false
      }
      return reading
    }
  }

  func appearance(_ model: StageModel) -> Appearance {
    guard let reading = reading(model) else { return Appearance() }
    let text = TimerText(
      reading, form, tenthsBelow: tenthsBelow, hasSign: countsOn, slack: slack(model))
    let isStopped = !reading.isRunning && !reading.hasEnded
    switch origin {
    case .match(let timer):
      return Appearance(
        text: text, look: TimerLook(reading, of: timer), isPaused: timer == .breakClock && isStopped)
    case .countdown(let name, let end):
      if reading.hasEnded {
        return Appearance(text: text, look: .ended, isPaused: countsOn && !reading.isRunning)
      }
      // The year 9999 is more nanoseconds away than a reading can have.
      if let end, end.seconds - model.instant.seconds > 1 << 31, name.flatMap({ model.countdowns[$0] }) == nil
      {
        return Appearance(text: TimerText(seconds: end.seconds - model.instant.seconds, form))
      }
      return Appearance(text: text, look: TimerLook(reading, of: nil), isPaused: isStopped)
    }
  }

  /// The next time, strictly after `instant`, at which the text or the look changes.
  func nextChange(of model: StageModel, after instant: Instant) -> Instant? {
    guard let clock = model.clock(at: instant) else { return nil }
    var model = model
    (model.instant, model.clock) = (instant, clock)
    guard let reading = reading(model),
      let remaining = TimerText.remaining(reading, form, tenthsBelow: tenthsBelow, slack: slack(model))
    else { return nil }
    var waits = [remaining]
    // The changes of a match are reported by it. Minutes change more rarely than the look.
    if case .countdown = origin { waits += [reading.value, reading.value - warning].filter { $0 > 0 } }
    return waits.min().map { instant.advanced(nanoseconds: max($0, 1)) }
  }
}

extension Instant {
  /// Nanoseconds of CLOCK_REALTIME; those that are out of range are clamped.
  fileprivate var realtime: Int64 {
    let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? (seconds < 0 ? .min : .max) : nanoseconds.addingClamped(Int64(self.nanoseconds))
  }
}

extension StageModel {
  /// Another instant on the scoreboard's clock; nil if it is out of range.
  func clock(at instant: Instant) -> Int64? {
    let (clock, overflow) = clock.addingReportingOverflow(self.instant.nanoseconds(until: instant))
    return overflow ? nil : clock
  }
}
