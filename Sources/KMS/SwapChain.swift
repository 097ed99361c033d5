// SPDX-License-Identifier: Apache-2.0

import Display
import Raster

/// Two scanout buffers, named by where they are: `pending` (filled, to be queued), `queued` (at the
/// kernel), `current` (on the display).
///
/// A frame is drawn into the buffer that is not on the display. That one missed the frame before, so
/// it gets damage(N) ∪ damage(N−1), each pixel once (`ScanoutDamage`).
struct SwapChain {
  private var slots: (ScanoutBuffer, ScanoutBuffer)
  private var damage: ScanoutDamage
  private(set) var pending: Int?
  private(set) var queued: Int?
  private(set) var current: Int?

  /// Of fresh buffers of one size, which lack everything.
  init(
    _ first: ScanoutBuffer, _ second: ScanoutBuffer, rotation: Rotation = .none,
    dithering: PixelBuffer.Dithering = .none
  ) {
    slots = (first, second)
    damage = ScanoutDamage(size: first.pixels.size, rotation: rotation, dithering: dithering)
  }

  var buffers: [ScanoutBuffer] { [slots.0, slots.1] }

  func framebuffer(_ index: Int) -> FramebufferID {
    index == 0 ? slots.0.framebuffer : slots.1.framebuffer
  }

  /// What the last `draw` wrote.
  var drawn: [PixelRect] { damage.drawn }

  /// Fills the back buffer with what it lacks of `frame`, which differs from the last one in `damage`,
  /// and makes it pending. Returns the bytes written; nil while a buffer is under way.
  mutating func draw(_ frame: PixelBuffer, damage changed: [PixelRect]) -> Int? {
    guard pending == nil, queued == nil else { return nil }
    let back = current == 0 ? 1 : 0
    pending = back
    let target = back == 0 ? slots.0.pixels : slots.1.pixels
    return damage.draw(frame, damage: changed, on: target, index: back)
  }

  /// The kernel took the pending buffer.
  mutating func pendingWasQueued() {
    queued = pending
    pending = nil
  }

  /// A mode was set, and some cards clear their memory then: what the buffers hold is not to be relied on.
  /// Writes `frame` once more into the one that was queued; nil: where there is no frame, both lack all of it.
  /// Returns the bytes written.
  mutating func renew(_ frame: PixelBuffer?) -> Int {
    damage.forget()
    guard let frame, let queued else { return 0 }
    return damage.draw(frame, damage: [], on: buffers[queued].pixels, index: queued)
  }

  /// Nothing is under way any more: what the kernel took is on the display, what it did not take is forgotten.
  mutating func settle() {
    pending = nil
    queuedWasShown()
  }

  /// The queued buffer is on the display; the one that was is free.
  mutating func queuedWasShown() {
    guard let queued else { return }
    current = queued
    self.queued = nil
  }
}
