// SPDX-License-Identifier: Apache-2.0

import CivilTime
import LinuxSystem
import TestSupport

@testable import Daemon

/// A wall clock that only a test advances and sets, and a timer on it that behaves like
/// `LoopTimer(.realtime)`: it fires up to 50 ms late, and also after a step of the clock, even one that
/// happened before the timer was armed.
final class SimulatedClock: WallTimer {
  var handler: (LoopTimer.Outcome) -> Void = { _ in }
  private(set) var now: Instant
  /// Nanoseconds since the start; steps of the clock do not count.
  private(set) var elapsed: Int64 = 0
  private(set) var wakeups = 0
  private var deadline: Instant?
  private var stepPending = false
  private var random: SplitMix

  static let maximumLatency: Int64 = 50_000_000

  init(_ start: Instant, seed: UInt64) {
    now = start
    random = SplitMix(seed: seed)
  }

  func arm(at time: ClockTime) { deadline = Instant(seconds: time.seconds, nanoseconds: time.nanoseconds) }

  /// Sets the clock, like `clock_settime`.
  func step(to time: Instant) {
    now = time
    stepPending = true
  }

  /// Passes time until the clock shows `end`, and calls the handler when the timer is due.
  func run(until end: Instant) {
    while let deadline, stepPending || deadline <= end {
      let due = stepPending ? now : max(deadline, now)
      let wake = due.adding(.random(in: 0...Self.maximumLatency, using: &random))
      guard wake <= end else { break }
      pass(until: wake)
      let outcome = stepPending ? LoopTimer.Outcome.clockStepped : .expired
      stepPending = false
      self.deadline = nil
      wakeups += 1
      handler(outcome)
    }
    pass(until: end)
  }

  func run(for nanoseconds: Int64) { run(until: now.adding(nanoseconds)) }

  private func pass(until time: Instant) {
    guard time > now else { return }
    elapsed += (time.seconds - now.seconds) * 1_000_000_000 + Int64(time.nanoseconds) - Int64(now.nanoseconds)
    now = time
  }
}

extension Instant {
  func adding(_ count: Int64) -> Instant {
    let sum = Int64(nanoseconds) + count % 1_000_000_000
    return Instant(seconds: seconds + count / 1_000_000_000, nanoseconds: Int32(sum))
  }
}
