// SPDX-License-Identifier: Apache-2.0

import CDRM
import Glibc
import Raster

/// What the legacy calls leave unsaid: which part of a framebuffer has changed (DRM_IOCTL_MODE_DIRTYFB).
/// Drivers that send the picture over a wire or keep a copy of it wait for that; most have no use for it and
/// say so, and are asked no more. Atomic commits bring their damage with them.
struct DirtyReport {
  /// The kernel takes no more (`DRM_MODE_FB_DIRTY_MAX_CLIPS`).
  static let mostClips = 256

  /// Whether the driver has not yet said that it has no use for it.
  private(set) var isWelcome = true
  /// Kept from frame to frame: a page flip allocates nothing.
  private var clips: [drm_clip_rect] = []

  /// Tells of `damage`; of the whole framebuffer if that is empty, or too much for one call. `call` is given
  /// the clips (nil: all), and gives back 0 or −errno.
  mutating func tell(
    _ damage: [PixelRect], by call: (UnsafeMutablePointer<drm_clip_rect>?, UInt32) -> Int32
  ) {
    guard isWelcome else { return }
    clips.removeAll(keepingCapacity: true)
    if damage.count <= Self.mostClips {
      clips.reserveCapacity(Self.mostClips)
      for rect in damage where !rect.isEmpty {
        clips.append(
          drm_clip_rect(
            x1: UInt16(clamping: rect.x), y1: UInt16(clamping: rect.y), x2: UInt16(clamping: rect.maxX),
            y2: UInt16(clamping: rect.maxY)))
      }
    }
    let result = clips.withUnsafeMutableBufferPointer { clips in
      call(clips.isEmpty ? nil : clips.baseAddress, UInt32(clips.count))
    }
    // Anything else (not master, gone) is for the commits to meet.
    if [-ENOSYS, -EINVAL, -EOPNOTSUPP].contains(result) { isWelcome = false }
  }
}
