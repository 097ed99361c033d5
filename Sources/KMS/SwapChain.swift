// SPDX-License-Identifier: Apache-2.0

import Raster

/// Two scanout buffers, named by where they are: `pending` (filled, to be queued), `queued` (at the
/// kernel), `current` (on the display).
///
/// A frame is drawn into the buffer that is not on the display. That one missed the frame before, so
/// it gets damage(N) ∪ damage(N−1), each pixel once.
struct SwapChain {
  private struct Slot {
    var buffer: ScanoutBuffer
    /// What it lacks of the newest frame.
    var stale = DamageRegion()
  }

  private var slots: (Slot, Slot)
  private var work = DamageRegion()
  private(set) var pending: Int?
  private(set) var queued: Int?
  private(set) var current: Int?

  /// Of fresh buffers, which lack everything.
  init(_ first: ScanoutBuffer, _ second: ScanoutBuffer) {
    slots = (Slot(buffer: first), Slot(buffer: second))
    slots.0.stale.add(first.pixels.bounds)
    slots.1.stale.add(second.pixels.bounds)
  }

  var buffers: [ScanoutBuffer] { [slots.0.buffer, slots.1.buffer] }

  func framebuffer(_ index: Int) -> FramebufferID {
    index == 0 ? slots.0.buffer.framebuffer : slots.1.buffer.framebuffer
  }

  /// What the last `draw` wrote.
  var drawn: [PixelRect] { work.rects }

  /// Fills the back buffer with what it lacks of `frame`, which differs from the last one in `damage`,
  /// and makes it pending. Returns the bytes written; nil while a buffer is under way.
  mutating func draw(_ frame: PixelBuffer, damage: [PixelRect]) -> Int? {
    guard pending == nil, queued == nil else { return nil }
    let back = current == 0 ? 1 : 0
    pending = back
    return back == 0
      ? Self.draw(frame, damage, on: &slots.0, stale: &slots.1.stale, &work)
      : Self.draw(frame, damage, on: &slots.1, stale: &slots.0.stale, &work)
  }

  private static func draw(
    _ frame: PixelBuffer, _ damage: [PixelRect], on slot: inout Slot, stale other: inout DamageRegion,
    _ work: inout DamageRegion
  ) -> Int {
    let bounds = slot.buffer.pixels.bounds
    work.removeAll()
    for rect in damage {
      let clipped = rect.intersection(bounds)
      work.add(clipped)
      other.add(clipped)
    }
    for rect in slot.stale.rects { work.add(rect) }
    slot.stale.removeAll()
    var bytes = 0
    for rect in work.rects { bytes += ScanoutCopy.copy(frame, to: slot.buffer.pixels, rect) }
    return bytes
  }

  /// The kernel took the pending buffer.
  mutating func pendingWasQueued() {
    queued = pending
    pending = nil
  }

  /// The queued buffer is on the display; the one that was is free.
  mutating func queuedWasShown() {
    guard let queued else { return }
    current = queued
    self.queued = nil
  }
}
