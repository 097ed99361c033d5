// SPDX-License-Identifier: Apache-2.0

import CDRM
import Glibc
import LinuxSystem
import Raster

/// Reports the changed part of a framebuffer with DRM_IOCTL_MODE_DIRTYFB, because legacy page flips do not
/// report it. Drivers that transfer the picture over a wire or keep a copy of it need this. Most others
/// reject the call, and then it is not made again. Atomic commits carry their damage with them.
struct DirtyReport {
  /// The kernel's maximum number of clips per call (`DRM_MODE_FB_DIRTY_MAX_CLIPS`).
  static let maximumClips = 256

  /// Whether the driver accepts the call; false after it has rejected it once.
  private(set) var isSupported = true
  /// Reused for each frame, so that page flips do not allocate.
  private var clips: [drm_clip_rect] = []

  /// Reports `damage`, or the whole framebuffer if `damage` is empty or has too many rectangles for one call.
  /// `call` gets the clips; nil means the whole framebuffer.
  mutating func report(
    _ damage: [PixelRect], by call: (UnsafeMutablePointer<DRMClip>?, UInt32) throws(SystemError) -> Void
  ) {
    guard isSupported else { return }
    clips.removeAll(keepingCapacity: true)
    if damage.count <= Self.maximumClips {
      clips.reserveCapacity(Self.maximumClips)
      for rect in damage where !rect.isEmpty {
        clips.append(
          drm_clip_rect(
            x1: UInt16(clamping: rect.x), y1: UInt16(clamping: rect.y), x2: UInt16(clamping: rect.maxX),
            y2: UInt16(clamping: rect.maxY)))
      }
    }
    var failure: SystemError?
    clips.withUnsafeMutableBufferPointer { clips in
      do throws(SystemError) {
        try call(clips.isEmpty ? nil : clips.baseAddress, UInt32(clips.count))
      } catch {
        failure = error
      }
    }
    if let failure {
      // The next commit will handle any other error (not master, card removed).
      if [ENOSYS, EINVAL, EOPNOTSUPP].contains(failure.errno.rawValue) { isSupported = false }
    }
  }
}
