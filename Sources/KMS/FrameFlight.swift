// SPDX-License-Identifier: Apache-2.0

import Display

/// The frame in flight, from drawing until it counts as presented; there is at most one. A pure value: it
/// takes the kernel's events and the time, and returns what to do.
///
/// With real vblanks (a rising sequence number), a frame is presented as soon as its flip event arrives, so
/// that the next frame can still make the next vblank. Drivers without vblanks complete flips within a
/// millisecond, with sequence 0; pacing on those events would be a busy loop. With such drivers, a frame is
/// presented at the flip event or at the next point of a grid with the mode's period, whichever is later.
struct FrameFlight: Equatable {
  enum Action: Equatable {
    case none
    /// The frame is on the display. `missed`: the vblanks missed since the previous frame (`FlipLedger`).
    case present(Presentation, missed: Int = 0)
    /// Call `timerFired` at this time (CLOCK_MONOTONIC, nanoseconds).
    case wait(until: Int64)
  }

  private enum Stage: Equatable {
    case idle
    /// The frame is in the back buffer, but the kernel has not accepted it yet.
    case drawn
    case queued(at: Int64)
    /// The kernel has completed the flip; the grid point is still to come.
    case completed(until: Int64)
  }

  private struct VBlank: Equatable {
    var sequence: UInt32
    var time: Int64
  }

  /// The mode's frame period in nanoseconds.
  private(set) var period: Int64
  /// Identifies the last submission to the kernel, which returns it in the flip event.
  private(set) var token: UInt64 = 0
  /// Whether the flip event for `token` is outstanding. The kernel may use the buffer until it arrives, even
  /// if the frame was dropped.
  private(set) var isAtKernel = false
  /// Whether `.presented` is being handled; a frame drawn now is chained to the presented one (`FlipLedger`).
  var isChaining = false

  private var stage = Stage.idle
  private var isChained = false
  private var ledger = FlipLedger()
  private var lastVBlank: VBlank?
  /// A point of the grid: the last vblank, or the time of `init` or `begin` if there was none since.
  private var anchor: Int64

  init(period: Int64 = 16_666_667, now: Int64) {
    self.period = max(period, 1)
    anchor = now
  }

  var isIdle: Bool { stage == .idle }

  /// Whether the frame is drawn but not accepted by the kernel yet.
  var isDrawn: Bool { stage == .drawn }

  /// Whether the kernel has accepted the frame.
  var isAccepted: Bool { !isIdle && !isDrawn }

  /// When the kernel accepted the submission `token`, whose event is outstanding; nil if `token` is another
  /// one.
  func queueTime(of token: UInt64) -> Int64? {
    guard token == self.token, case .queued(let time) = stage else { return nil }
    return time
  }

  /// The first point of the grid after `time`.
  func gridTime(after time: Int64) -> Int64 {
    let offset = (time - anchor) % period
    return time - (offset < 0 ? offset + period : offset) + period
  }

  // MARK: A new display

  /// Starts with a new screen whose mode has this period, with no frame in flight.
  mutating func begin(period: Int64, now: Int64) {
    drop()
    self.period = max(period, 1)
    anchor = now
    lastVBlank = nil
  }

  /// Starts with a newly opened card, for which no event is outstanding.
  mutating func cardWasOpened() { isAtKernel = false }

  // MARK: The stages of a frame

  /// Records that a frame was drawn into the back buffer.
  mutating func wasDrawn() {
    stage = .drawn
    isChained = isChaining
  }

  /// Submits the drawn frame with `token`, which no display has used before.
  mutating func submit(as token: UInt64) { self.token = token }

  /// Records that the kernel accepted the submission. `isFlip`: a flip event with `token` will follow.
  mutating func wasQueued(at now: Int64, isFlip: Bool) {
    stage = .queued(at: now)
    if isFlip { isAtKernel = true }
  }

  /// Drops the frame in flight; later events for it are ignored.
  mutating func drop() {
    stage = .idle
    ledger.reset()
  }

  /// Records that the outstanding flip event arrived while its frame was being dropped.
  mutating func wasDrained() { isAtKernel = false }

  /// Handles the kernel's completion event for the flip `token`. `time` is the event's timestamp, or nil if
  /// its clock is not CLOCK_MONOTONIC. Ignores events of former submissions and of frames that were dropped.
  mutating func completed(token: UInt64, sequence: UInt32, time: Int64?, now: Int64) -> Action {
    guard token == self.token else { return .none }
    isAtKernel = false
    guard case .queued(let queuedAt) = stage else { return .none }
    if sequence != 0, let vblank = plausible(sequence: sequence, time: time, now: now) {
      lastVBlank = vblank
      anchor = vblank.time
      return present(at: vblank.time, sequence: sequence, now: max(now, vblank.time))
    }
    // Wait even if the grid point has passed: a blocking commit completes within the call that drew the
    // frame, and the frame must not count as presented before that call returns.
    let due = max(gridTime(after: queuedAt), now)
    stage = .completed(until: due)
    return .wait(until: due)
  }

  /// Handles the expiry of the time that `wait` returned.
  mutating func timerFired(now: Int64) -> Action {
    guard case .completed(let due) = stage else { return .none }
    guard now >= due else { return .wait(until: due) }
    // Report the grid's time and not the wakeup time, so that delays do not accumulate.
    return present(at: due, sequence: 0, now: now)
  }

  private mutating func present(at time: Int64, sequence: UInt32, now: Int64) -> Action {
    stage = .idle
    let missed = ledger.presented(
      sequence: sequence == 0 ? nil : UInt64(sequence), time: time, period: period, isChained: isChained)
    return .present(Presentation(time: time, nextTime: gridTime(after: now)), missed: missed)
  }

  /// Returns the vblank if it is plausible: its number differs from the last one's, and it is at least half a
  /// period later. Some drivers count vblanks but complete flips without waiting for one; frames must not
  /// follow that pace.
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
