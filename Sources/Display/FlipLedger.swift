// SPDX-License-Identifier: Apache-2.0

/// Counts missed vblanks, for outputs that flip at vblanks.
///
/// A vblank is missed if it passes without a new frame *while frames are presented back to back*. A frame is
/// chained to the previous one if it is presented in response to that one's completion, in the same turn of
/// the loop. It should then be on the display at the very next vblank, and each vblank in between counts as
/// missed. A frame after a pause misses nothing, regardless of how long the pause was or how long the frame
/// itself took (a modeset takes many periods).
///
/// After a frame was dropped (recovery, a lost flip), call `reset()`.
package struct FlipLedger: Hashable, Sendable {
  private var last: Completion?

  private struct Completion: Hashable {
    var sequence: UInt64?
    var time: Int64
  }

  package init() {}

  /// Records that a frame reached the display at `time` (CLOCK_MONOTONIC, nanoseconds). Returns how many
  /// vblanks were missed since the previous frame. `sequence` is the vblank's number, which may wrap at 32
  /// bits. It is nil if the driver does not count vblanks; the kernel's event then has the number 0.
  package mutating func presented(sequence: UInt64?, time: Int64, period: Int64, isChained: Bool) -> Int {
    let previous = last
    last = Completion(sequence: sequence, time: time)
    guard isChained, let previous else { return 0 }
    if let a = previous.sequence, let b = sequence {
      // The counter in drm_event_vblank has 32 bits. A step of 0 means that the driver did not wait for a
      // vblank; an implausibly large one means that a modeset has reset the counter. The time is used then.
      let step = UInt32(truncatingIfNeeded: b &- a)
      if step > 0, step < 1 << 16 { return Int(step) - 1 }
    }
    let (elapsed, overflow) = time.subtractingReportingOverflow(previous.time)
    guard period > 0, !overflow, elapsed > period else { return 0 }
    // Rounds, so that a completion that is reported late by less than half a period counts for its own
    // vblank.
    return Int(elapsed / period) + (elapsed % period > period / 2 ? 1 : 0) - 1
  }

  /// Forgets the previous frame: after a modeset, a lost flip or a device change.
  package mutating func reset() { self = FlipLedger() }
}
