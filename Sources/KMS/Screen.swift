// SPDX-License-Identifier: Apache-2.0

import Display
import Raster

/// A pipe with buffers: what frames go to.
final class Screen {
  let pipe: Pipe
  let candidate: ScanoutCandidate
  /// The kernel would not turn off what is not ours.
  let leavesOthers: Bool
  var chain: SwapChain
  /// The mode goes with the first frame, so that the boot splash stays until there is a picture.
  var needsModeset = true
  let period: Int64

  init(pipe: Pipe, candidate: ScanoutCandidate, leavesOthers: Bool, chain: SwapChain) {
    self.pipe = pipe
    self.candidate = candidate
    self.leavesOthers = leavesOthers
    self.chain = chain
    period = candidate.timing.periodNanoseconds
  }

  func state(framebuffer: FramebufferID, token: UInt64) -> PipeState {
    // The clips are what this *buffer* lacked, not only what the frame changed: drivers that keep a
    // copy per framebuffer (virtio-gpu) read them so, and the others lose nothing.
    PipeState(
      pipe: pipe, timing: candidate.timing, framebuffer: framebuffer, damage: chain.drawn, token: token)
  }
}
