// SPDX-License-Identifier: Apache-2.0

import Display
import Raster

/// A pipe with buffers: what frames go to.
final class Screen {
  let pipe: Pipe
  let candidate: ScanoutCandidate
  /// The kernel would not turn off what is not ours.
  let leavesOthers: Bool
  let rotation: Rotation
  let dithering: PixelBuffer.Dithering
  var chain: SwapChain
  /// The mode goes with the first frame, so that the boot splash stays until there is a picture.
  var needsModeset = true
  let period: Int64

  /// Of fresh buffers; frames are turned and dithered as `preferences` say.
  init(
    pipe: Pipe, candidate: ScanoutCandidate, leavesOthers: Bool, buffers: (ScanoutBuffer, ScanoutBuffer),
    _ preferences: KMSPreferences
  ) {
    self.pipe = pipe
    self.candidate = candidate
    self.leavesOthers = leavesOthers
    rotation = preferences.rotation
    dithering = preferences.dithering(for: candidate.format)
    chain = SwapChain(buffers.0, buffers.1, rotation: rotation, dithering: dithering)
    period = candidate.timing.periodNanoseconds
  }

  /// Whether frames come to it as `preferences` say.
  func draws(as preferences: KMSPreferences) -> Bool {
    rotation == preferences.rotation && dithering == preferences.dithering(for: candidate.format)
  }

  func state(framebuffer: FramebufferID, token: UInt64) -> PipeState {
    // The clips are what this *buffer* lacked, not only what the frame changed: drivers that keep a
    // copy per framebuffer (virtio-gpu) read them so, and the others lose nothing.
    PipeState(
      pipe: pipe, timing: candidate.timing, framebuffer: framebuffer, damage: chain.drawn, token: token)
  }
}
