// SPDX-License-Identifier: Apache-2.0

import Display

/// Decides when a frame counts as presented. Pure: the kernel's events and the time come in, what to
/// do goes out.
///
/// With true vblanks (a sequence that rises) the flip event alone decides, at once, so that the next
/// frame can still make the next vblank. Drivers without vblanks complete flips within a millisecond,
/// with sequence 0: pacing on those would spin. Then the frame is presented at the later of the event
/// and the next point of a grid with the mode's period.
struct FlipPacer: Equatable {
  enum Action: Equatable {
    case none
    /// The frame is on the glass.
    case present(Presentation)
    /// Call `timerFired` at this time, CLOCK_MONOTONIC nanoseconds.
    case wait(until: Int64)
  }

  private enum Flight: Equatable {
    case none
    case queued(token: UInt64, at: Int64)
    /// The kernel is done with it, the grid is not.
    case completed(until: Int64)
  }

  private struct VBlank: Equatable {
    var sequence: UInt32
    var time: Int64
  }

  /// The mode's frame period, nanoseconds.
  let period: Int64
  private var flight = Flight.none
  private var lastVBlank: VBlank?
  /// A point of the grid of vblanks, or of frames where there are none.
  private var anchor: Int64

  init(period: Int64, now: Int64) {
    self.period = max(period, 1)
    anchor = now
  }

  var isIdle: Bool { flight == .none }

  /// The first point of the grid after `time`.
  func gridTime(after time: Int64) -> Int64 {
    let offset = (time - anchor) % period
    return time - (offset < 0 ? offset + period : offset) + period
  }

  /// A frame went to the kernel.
  mutating func queued(token: UInt64, at now: Int64) { flight = .queued(token: token, at: now) }

  /// The frame in flight will not be heard of again.
  mutating func drop() { flight = .none }

  /// The kernel says that the flip `token` is done. `time` is the event's stamp, nil if its clock is
  /// not CLOCK_MONOTONIC. Events of flips that were given up are ignored.
  mutating func completed(token: UInt64, sequence: UInt32, time: Int64?, now: Int64) -> Action {
    guard case .queued(token, let queuedAt) = flight else { return .none }
    if sequence != 0, let vblank = plausible(sequence: sequence, time: time, now: now) {
      lastVBlank = vblank
      anchor = vblank.time
      flight = .none
      return .present(Presentation(time: vblank.time, nextTime: gridTime(after: max(now, vblank.time))))
    }
    let due = gridTime(after: queuedAt)
    guard now < due else { return present(at: now, now: now) }
    flight = .completed(until: due)
    return .wait(until: due)
  }

  /// The time that `wait` asked for has come.
  mutating func timerFired(now: Int64) -> Action {
    guard case .completed(let due) = flight else { return .none }
    guard now >= due else { return .wait(until: due) }
    // The grid's time, not the wakeup's: lateness must not add up.
    return present(at: due, now: now)
  }

  private mutating func present(at time: Int64, now: Int64) -> Action {
    flight = .none
    return .present(Presentation(time: time, nextTime: gridTime(after: now)))
  }

  /// A vblank that a display can have: later than the last one by at least half a period, in number
  /// and in time. A driver that counts but does not wait must not set the pace.
  private func plausible(sequence: UInt32, time: Int64?, now: Int64) -> VBlank? {
    // A stamp that is far from now is of another clock.
    let stamp = time.flatMap { $0 > now - 1_000_000_000 && $0 <= now + period ? $0 : nil } ?? now
    if let lastVBlank {
      // A counter that was set back (modeset) is no reason for distrust: the time tells.
      if sequence == lastVBlank.sequence || stamp - lastVBlank.time < period / 2 { return nil }
    }
    return VBlank(sequence: sequence, time: stamp)
  }
}
