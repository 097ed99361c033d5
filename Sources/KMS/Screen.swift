// SPDX-License-Identifier: Apache-2.0

import Display
import Raster

/// A pipe with its buffers; the target for frames.
final class Screen {
  let pipe: Pipe
  let candidate: ScanoutCandidate
  /// The flags with which the kernel accepted the modeset.
  let flags: CommitFlags
  let rotation: Rotation
  let dithering: PixelBuffer.Dithering
  var chain: SwapChain
  /// Whether the next frame must set the mode. The mode is set with the first frame, so that the boot splash
  /// stays until there is a picture.
  var needsModeset = true
  /// Whether `.connected` has been delivered for this screen, so that frames may be presented.
  var isAnnounced = false
  /// Whether the kernel's state may differ from what was set; a new screen must then be created.
  var isLost = false
  /// The mode's frame period in nanoseconds.
  let period: Int64

  /// Creates a screen with new buffers. Frames are rotated and dithered as configured in `preferences`.
  init(
    pipe: Pipe, candidate: ScanoutCandidate, flags: CommitFlags, buffers: (ScanoutBuffer, ScanoutBuffer),
    _ preferences: OutputPreferences
  ) {
    self.pipe = pipe
    self.candidate = candidate
    self.flags = flags
    rotation = preferences.rotation
    dithering = preferences.dithering(for: candidate.format)
    chain = SwapChain(buffers.0, buffers.1, rotation: rotation, dithering: dithering)
    period = candidate.timing.periodNanoseconds
  }

  /// Whether the screen's rotation and dithering are those of `preferences`.
  func matches(_ preferences: OutputPreferences) -> Bool {
    rotation == preferences.rotation && dithering == preferences.dithering(for: candidate.format)
  }

  /// The state that shows the back buffer.
  func state(token: UInt64) -> PipeState {
    // The clips cover everything that this *buffer* lacked, not only this frame's changes. Drivers that keep
    // a copy per framebuffer (virtio-gpu) need that, and for others it does no harm.
    PipeState(
      pipe: pipe, timing: candidate.timing, framebuffer: chain.backFramebuffer, damage: chain.drawn,
      token: token)
  }
}

extension OutputPreferences {
  func dithering(for format: ScanoutFormat) -> PixelBuffer.Dithering {
    dithers && format == .rgb565 ? .ordered : .none
  }
}
