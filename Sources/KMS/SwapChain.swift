// SPDX-License-Identifier: Apache-2.0

import Display
import Raster

/// Two scanout buffers that are shown alternately. Frames are drawn into the back buffer, which is not on the
/// display; `FrameFlight` tracks how far a frame has come.
///
/// The back buffer missed the previous frame, so it gets damage(N) ∪ damage(N−1), each pixel once
/// (`ScanoutDamage`).
struct SwapChain {
  let buffers: [ScanoutBuffer]
  private var damage: ScanoutDamage
  /// The buffer that the next frame is drawn into: 0 or 1.
  private(set) var back = 0

  /// Creates a swap chain from two new buffers of the same size, which have no content yet.
  init(
    _ first: ScanoutBuffer, _ second: ScanoutBuffer, rotation: Rotation = .none,
    dithering: PixelBuffer.Dithering = .none
  ) {
    buffers = [first, second]
    damage = ScanoutDamage(size: first.pixels.size, rotation: rotation, dithering: dithering)
  }

  var backFramebuffer: FramebufferID { buffers[back].framebuffer }

  /// The rectangles that the last `draw` wrote.
  var drawn: [PixelRect] { damage.drawn }

  /// Updates the back buffer to `frame`, which differs from the previous frame in `damage`. Returns the
  /// number of bytes written.
  mutating func draw(_ frame: PixelBuffer, damage changed: [PixelRect]) -> Int {
    damage.draw(frame, damage: changed, on: buffers[back].pixels, index: back)
  }

  /// Writes `frame` into the back buffer again; if `frame` is nil, both buffers count as empty. Call it after
  /// a modeset, which shows the back buffer: some cards clear their memory at a modeset, so the buffers'
  /// content is unknown. Returns the number of bytes written.
  mutating func renew(_ frame: PixelBuffer?) -> Int {
    damage.forget()
    return frame.map { draw($0, damage: []) } ?? 0
  }

  /// Records that the back buffer is on the display; the other one becomes the back buffer.
  mutating func flip() { back = 1 - back }
}
