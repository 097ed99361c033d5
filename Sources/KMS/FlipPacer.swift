// SPDX-License-Identifier: Apache-2.0

import Display

/// Decides when a frame counts as presented. A pure value: it takes the kernel's events and the time, and
/// returns what to do.
///
/// With real vblanks (a rising sequence number), a frame is presented as soon as its flip event arrives, so
/// that the next frame can still make the next vblank. Drivers without vblanks complete flips within a
/// millisecond, with sequence 0; pacing on those events would be a busy loop. There, a frame is presented at
/// the flip event or at the next point of a grid with the mode's period, whichever is later.
struct FlipPacer: Equatable {
  enum Action: Equatable {
    case none
    /// The frame is on the display.
    case present(Presentation)
    /// Call `timerFired` at this time (CLOCK_MONOTONIC, nanoseconds).
    case wait(until: Int64)
  }

  private enum Flight: Equatable {
    case none
    case queued(token: UInt64, at: Int64)
    /// The kernel has completed the flip; the grid point is still to come.
    case completed(until: Int64)
  }

  private struct VBlank: Equatable {
    var sequence: UInt32
    var time: Int64
  }

  /// The mode's frame period in nanoseconds.
  let period: Int64
  private var flight = Flight.none
  private var lastVBlank: VBlank?
  /// A point of the grid: the last vblank, or the creation time if there was none.
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

  /// Records that a frame was queued in the kernel.
  mutating func queued(token: UInt64, at now: Int64) { flight = .queued(token: token, at: now) }

  /// Forgets the frame in flight; later events for it are ignored.
  mutating func drop() { flight = .none }

  /// Handles the kernel's completion event for the flip `token`. `time` is the event's timestamp, or nil if its
  /// clock is not CLOCK_MONOTONIC. Ignores events of flips that were dropped.
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

  /// Handles the expiry of the time that `wait` returned.
  mutating func timerFired(now: Int64) -> Action {
    guard case .completed(let due) = flight else { return .none }
    guard now >= due else { return .wait(until: due) }
    // Report the grid's time and not the wakeup time, so that delays do not accumulate.
    return present(at: due, now: now)
  }

  private mutating func present(at time: Int64, now: Int64) -> Action {
    flight = .none
    return .present(Presentation(time: time, nextTime: gridTime(after: now)))
  }

  /// Returns the vblank if it is plausible: its number differs from the last one's, and it is at least half a
  /// period later. A driver that counts but does not wait must not set the pace.
  private func plausible(sequence: UInt32, time: Int64?, now: Int64) -> VBlank? {
    // A timestamp far from now comes from another clock.
    let stamp = time.flatMap { $0 > now - 1_000_000_000 && $0 <= now + period ? $0 : nil } ?? now
    if let lastVBlank {
      // A modeset may reset the counter, so a lower number is accepted if the time is plausible.
      if sequence == lastVBlank.sequence || stamp - lastVBlank.time < period / 2 { return nil }
    }
    return VBlank(sequence: sequence, time: stamp)
  }
}
