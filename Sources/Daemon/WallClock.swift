// SPDX-License-Identifier: Apache-2.0

import CivilTime
import LinuxSystem

/// A timer for times of the wall clock, which reports steps of that clock at once. Tests simulate one.
protocol WallTimer: AnyObject {
  var handler: (LoopTimer.Outcome) -> Void { get set }
  func arm(at time: ClockTime)
}

extension LoopTimer: WallTimer {}

/// Wakes the daemon at the next time at which something that is shown changes, and when the wall clock is
/// set.
final class WallClock {
  /// Called to show `instant`; motion starts at `time` (CLOCK_MONOTONIC, seconds).
  var tick: (_ instant: Instant, _ time: Double) -> Void = { _, _ in }

  private let timer: any WallTimer
  private let now: () -> Instant
  private let sceneTime: () -> Double
  /// Returns the first change after an instant, or nil if there is none.
  var next: (Instant) -> Instant? = { _ in nil }
  /// The change that the timer is armed for.
  private var boundary: Instant?

  convenience init(on loop: EventLoop) throws(SystemError) { self.init(try LoopTimer(.realtime, on: loop)) }

  /// - Parameters:
  ///   - now: returns the time of the timer's clock.
  ///   - sceneTime: returns the time of scenes, in seconds.
  init(
    _ timer: any WallTimer, now: @escaping () -> Instant = { WallClock.now },
    sceneTime: @escaping () -> Double = { Presenter.now }
  ) {
    self.timer = timer
    self.now = now
    self.sceneTime = sceneTime
    timer.handler = { [weak self] outcome in self?.wake(outcome) }
  }

  static var now: Instant {
    let time = SystemClock.realtime.now
    return Instant(seconds: time.seconds, nanoseconds: time.nanoseconds)
  }

  /// A time that is not reached: the last one of the kernel (KTIME_SEC_MAX), in the year 2262. The timer is
  /// armed for it when nothing will change by itself, because an unarmed timer does not report steps of the
  /// clock: after one, a countdown that had ended may run again.
  private static let never = ClockTime(seconds: 9_223_372_036)

  /// Arms the timer for the next change after `shown`, the moment that is on the display. The change may be
  /// in the past, because building a page takes time; it is then due at once.
  func arm(after shown: Instant) {
    boundary = next(shown)
    timer.arm(at: boundary.map { ClockTime(seconds: $0.seconds, nanoseconds: $0.nanoseconds) } ?? Self.never)
  }

  private func wake(_ outcome: LoopTimer.Outcome) {
    let now = now()
    var start = sceneTime()
    if case .expired = outcome, let boundary, boundary <= now {
      // Motion starts at the boundary itself, but at most 0.1 s in the past.
      let late = Double(now.seconds - boundary.seconds) + Double(now.nanoseconds - boundary.nanoseconds) / 1e9
      start -= min(late, 0.1)
    }
    tick(now, start)
    arm(after: now)
  }
}
