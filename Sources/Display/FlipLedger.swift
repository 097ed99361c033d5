// SPDX-License-Identifier: Apache-2.0

/// Counts the vblanks that were missed, for the outputs that flip at vblanks.
///
/// A miss is a vblank that passed, *while frames were wanted back to back*, without a new frame. Frames
/// are wanted back to back when one is presented in answer to the completion of the one before
/// (`chained`): it should be on the glass at the very next vblank, and each vblank between the two
/// counts. A frame that comes after a pause misses nothing, however long the pause was and however
/// long the frame itself took (a modeset takes many periods).
///
/// One frame is in flight at most; a frame that is dropped (recovery, a lost flip) ends with `reset()`.
public struct FlipLedger: Hashable, Sendable {
  /// When the frame in flight was queued, CLOCK_MONOTONIC nanoseconds; nil when there is none.
  public private(set) var queuedTime: Int64?
  private var isChained = false
  private var last: Completion?

  private struct Completion: Hashable {
    var sequence: UInt64?
    var time: Int64
  }

  public init() {}

  /// A frame was handed to the kernel at `time` (nanoseconds); `chained`: in answer to the previous
  /// frame's completion, in the same turn of the loop.
  public mutating func queued(at time: Int64, chained: Bool) {
    queuedTime = time
    isChained = chained && last != nil
  }

  /// The frame in flight reached the glass at `time`, the vblank's number `sequence` if the driver
  /// counts them (32 bits that wrap; drivers without vblanks say 0 always). Returns how many vblanks
  /// were missed since the frame before. A completion with nothing in flight is no frame: 0.
  public mutating func completed(sequence: UInt64?, time: Int64, period: Int64) -> Int {
    guard queuedTime != nil else { return 0 }
    let previous = last
    last = Completion(sequence: sequence, time: time)
    queuedTime = nil
    guard isChained, let previous else { return 0 }
    if let a = previous.sequence, let b = sequence {
      // The counter of drm_event_vblank has 32 bits. A step that is no step, or absurd, is a driver
      // without vblanks or a counter that a modeset has set back: then the time tells.
      let step = UInt32(truncatingIfNeeded: b &- a)
      if step > 0, step < 1 << 16 { return Int(step) - 1 }
    }
    let (elapsed, overflow) = time.subtractingReportingOverflow(previous.time)
    guard period > 0, !overflow, elapsed > period else { return 0 }
    // Rounded: a completion that is told late by less than half a period is that of its vblank.
    return Int(elapsed / period) + (elapsed % period > period / 2 ? 1 : 0) - 1
  }

  /// Forgets the frame in flight and the grid: after a modeset, a lost flip, a new device.
  public mutating func reset() { self = FlipLedger() }
}
