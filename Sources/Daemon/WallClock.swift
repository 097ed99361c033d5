// SPDX-License-Identifier: Apache-2.0

import CivilTime
import LinuxSystem

/// Wakes the daemon at the next moment that changes what is shown, and only then.
final class WallClock {
  private var timer: LoopTimer?
  private let next: (Instant) -> Instant?
  private let tick: (_ instant: Instant, _ time: Double) -> Void
  /// The boundary that the timer is armed for.
  private var boundary: Instant?

  /// - Parameters:
  ///   - next: the next moment of change after an instant; nil: none.
  ///   - tick: shows `instant`; what moves begins at `time`, in seconds of CLOCK_MONOTONIC.
  init(
    on loop: EventLoop, next: @escaping (Instant) -> Instant?,
    tick: @escaping (_ instant: Instant, _ time: Double) -> Void
  ) throws(SystemError) {
    self.next = next
    self.tick = tick
    timer = try LoopTimer(.realtime, on: loop) { [weak self] outcome in self?.wake(outcome) }
  }

  static var now: Instant {
    let time = SystemClock.realtime.now
    return Instant(seconds: time.seconds, nanoseconds: time.nanoseconds)
  }

  /// Arms for the next change after `shown`, the moment that is on the display: building a page takes
  /// time, and a minute that turned meanwhile is due at once.
  func arm(after shown: Instant) {
    boundary = next(shown)
    guard let boundary else {
      timer?.disarm()
      return
    }
    timer?.arm(at: ClockTime(seconds: boundary.seconds, nanoseconds: boundary.nanoseconds))
  }

  private func wake(_ outcome: LoopTimer.Outcome) {
    let now = Self.now
    var start = Presenter.now
    if case .expired = outcome, let boundary, boundary <= now {
      // The cards set out at the boundary itself, however late the wake-up was, within reason.
      let late = Double(now.seconds - boundary.seconds) + Double(now.nanoseconds - boundary.nanoseconds) / 1e9
      start -= min(late, 0.1)
    }
    tick(now, start)
    arm(after: now)
  }

  func cancel() { timer?.cancel() }
}
