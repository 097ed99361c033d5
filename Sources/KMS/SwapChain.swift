// SPDX-License-Identifier: Apache-2.0

import Display
import Raster

/// Two scanout buffers, tracked by their state: `pending` (filled, to be queued), `queued` (in the kernel),
/// `current` (on the display).
///
/// A frame is drawn into the buffer that is not on the display. That buffer missed the previous frame, so it
/// gets damage(N) ∪ damage(N−1), each pixel once (`ScanoutDamage`).
struct SwapChain {
  private var slots: (ScanoutBuffer, ScanoutBuffer)
  private var damage: ScanoutDamage
  private(set) var pending: Int?
  private(set) var queued: Int?
  private(set) var current: Int?

  /// Creates a swap chain from two new buffers of the same size, which have no content yet.
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

  /// The rectangles that the last `draw` wrote.
  var drawn: [PixelRect] { damage.drawn }

  /// Updates the back buffer to `frame`, which differs from the previous frame in `damage`, and makes it
  /// pending. Returns the number of bytes written, or nil while a buffer is pending or queued.
  mutating func draw(_ frame: PixelBuffer, damage changed: [PixelRect]) -> Int? {
    guard pending == nil, queued == nil else { return nil }
    let back = current == 0 ? 1 : 0
    pending = back
    let target = back == 0 ? slots.0.pixels : slots.1.pixels
    return damage.draw(frame, damage: changed, on: target, index: back)
  }

  /// Records that the kernel accepted the pending buffer.
  mutating func pendingWasQueued() {
    queued = pending
    pending = nil
  }

  /// Call it after a modeset: some cards clear their memory then, so the buffers' content is unknown. Writes
  /// `frame` again into the queued buffer; if `frame` is nil, both buffers count as empty. Returns the number
  /// of bytes written.
  mutating func renew(_ frame: PixelBuffer?) -> Int {
    damage.forget()
    guard let frame, let queued else { return 0 }
    return damage.draw(frame, damage: [], on: buffers[queued].pixels, index: queued)
  }

  /// Call it when no flip is in flight: a queued buffer counts as shown, a pending one is dropped.
  mutating func settle() {
    pending = nil
    queuedWasShown()
  }

  /// Records that the queued buffer is on the display; the previous one is free.
  mutating func queuedWasShown() {
    guard let queued else { return }
    current = queued
    self.queued = nil
  }
}
