// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// Paces an output without hardware vblanks: a frame counts as shown at the next vblank of an ideal display,
/// reported by a one-shot timer. While no frame is in flight there are no wakeups.
final class IdealVblanks {
  private struct Frame {
    /// The number of the vblank at which the frame is shown.
    var sequence: UInt64
    var isChained: Bool
  }

  private let grid: VblankGrid
  private let loop: EventLoop
  private let timer: LoopTimer
  private let shown: (_ presentation: Presentation, _ missed: Int) -> Void
  private var frame: Frame?
  private var ledger = FlipLedger()
  /// Whether a frame was shown in this turn of the loop; a frame presented now is chained to it.
  private var isChaining = false
  /// Created once, because creating a closure for each frame would allocate for each frame.
  private var endChain: () -> Void = {}

  /// The first vblank is now.
  ///
  /// - Parameters:
  ///   - period: nanoseconds between two vblanks.
  ///   - shown: called for each frame, with the number of vblanks missed since the previous one
  ///     (`FlipLedger`).
  init(
    period: Int64, on loop: EventLoop, shown: @escaping (_ presentation: Presentation, _ missed: Int) -> Void
  ) throws(SystemError) {
    grid = VblankGrid(start: SystemClock.monotonic.now.totalNanoseconds, period: period)
    self.loop = loop
    self.shown = shown
    timer = try LoopTimer(.monotonic, on: loop)
    timer.handler = { [weak self] _ in self?.vblankReached() }
    endChain = { [weak self] in self?.isChaining = false }
  }

  var isFrameInFlight: Bool { frame != nil }

  /// The time at which a frame presented now would be shown: the next vblank, but after that of a frame in
  /// flight.
  var nextPresentationTime: Int64 {
    let next = grid.sequence(after: SystemClock.monotonic.now.totalNanoseconds)
    return grid.time(of: frame.map { max($0.sequence + 1, next) } ?? next)
  }

  /// Shows a frame at the next vblank. Call it after the frame was copied, so that a frame whose copy runs
  /// past a vblank counts as late.
  func queueFrame() {
    let sequence = grid.sequence(after: SystemClock.monotonic.now.totalNanoseconds)
    frame = Frame(sequence: sequence, isChained: isChaining)
    timer.arm(at: ClockTime(totalNanoseconds: grid.time(of: sequence)))
  }

  /// Drops the frame in flight, which is never reported.
  func dropFrame() {
    frame = nil
    timer.disarm()
    ledger.reset()
  }

  private func vblankReached() {
    guard let frame else { return }
    self.frame = nil
    let time = grid.time(of: frame.sequence)
    let missed = ledger.presented(
      sequence: frame.sequence, time: time, period: grid.period, isChained: frame.isChained)
    isChaining = true
    shown(Presentation(time: time, nextTime: nextPresentationTime), missed)
    // Runs after the work that the handler deferred, so frames presented by that work are chained to this
    // one.
    loop.defer(endChain)
  }
}

/// The vblanks of an ideal display: one per period, beginning at `start`. Times are CLOCK_MONOTONIC
/// nanoseconds.
struct VblankGrid: Hashable, Sendable {
  let start: Int64
  let period: Int64

  init(start: Int64, period: Int64) {
    self.start = start
    self.period = max(period, 1)
  }

  /// Returns the number of the first vblank after `time`. A vblank at exactly `time` counts as missed.
  func sequence(after time: Int64) -> UInt64 {
    guard time >= start else { return 0 }
    return UInt64(time - start) / UInt64(period) + 1
  }

  func time(of sequence: UInt64) -> Int64 { start &+ Int64(truncatingIfNeeded: sequence) &* period }
}
