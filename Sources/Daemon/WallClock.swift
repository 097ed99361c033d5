// SPDX-License-Identifier: Apache-2.0

import CivilTime
import LinuxSystem

/// Wakes the daemon at the next time at which something that is shown changes, and when the wall clock is set.
final class WallClock {
  /// Called to show `instant`; motion starts at `time` (CLOCK_MONOTONIC, seconds).
  var tick: (_ instant: Instant, _ time: Double) -> Void = { _, _ in }

  private let timer: LoopTimer
  private let next: (Instant) -> Instant?
  /// The change that the timer is armed for.
  private var boundary: Instant?

  /// - Parameter next: returns the first change after an instant, or nil if there is none.
  init(on loop: EventLoop, next: @escaping (Instant) -> Instant?) throws(SystemError) {
    self.next = next
    timer = try LoopTimer(.realtime, on: loop)
    timer.handler = { [weak self] outcome in self?.wake(outcome) }
  }

  static var now: Instant {
    let time = SystemClock.realtime.now
    return Instant(seconds: time.seconds, nanoseconds: time.nanoseconds)
  }

  /// Arms the timer for the next change after `shown`, the moment that is on the display. The change may be in the
  /// past, because building a page takes time; it is then due at once.
  func arm(after shown: Instant) {
    boundary = next(shown)
    guard let boundary else { return timer.disarm() }
    timer.arm(at: ClockTime(seconds: boundary.seconds, nanoseconds: boundary.nanoseconds))
  }

  private func wake(_ outcome: LoopTimer.Outcome) {
    let now = Self.now
    var start = Presenter.now
    if case .expired = outcome, let boundary, boundary <= now {
      // Motion starts at the boundary itself, but at most 0.1 s in the past.
      let late = Double(now.seconds - boundary.seconds) + Double(now.nanoseconds - boundary.nanoseconds) / 1e9
      start -= min(late, 0.1)
    }
    tick(now, start)
    arm(after: now)
  }
}
