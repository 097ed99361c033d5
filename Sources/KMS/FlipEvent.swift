// SPDX-License-Identifier: Apache-2.0

import CDRM

/// A completed page flip (`struct drm_event_vblank`).
struct FlipEvent: Hashable, Sendable {
  var token: UInt64
  /// The vblank's number, which wraps at 32 bits; 0 from drivers without vblanks.
  var sequence: UInt32
  /// Nanoseconds of the device's clock; see `hasMonotonicTimestamps`.
  var time: Int64
}

extension FlipEvent {
  /// Calls `body` for each page flip event in `bytes` (drm.h: `struct drm_event`, `struct drm_event_vblank`).
  /// Skips events of other types by their length, and stops at one that is truncated.
  static func parse(_ bytes: UnsafeRawBufferPointer, _ body: (FlipEvent) -> Void) {
    var offset = 0
    while offset + MemoryLayout<drm_event>.size <= bytes.count {
      let header = bytes.loadUnaligned(fromByteOffset: offset, as: drm_event.self)
      let length = Int(header.length)
      guard length >= MemoryLayout<drm_event>.size, offset + length <= bytes.count else { return }
      if header.type == UInt32(DRM_EVENT_FLIP_COMPLETE), length >= MemoryLayout<drm_event_vblank>.size {
        let event = bytes.loadUnaligned(fromByteOffset: offset, as: drm_event_vblank.self)
        let time = Int64(event.tv_sec) * 1_000_000_000 + Int64(event.tv_usec) * 1000
        body(FlipEvent(token: event.user_data, sequence: event.sequence, time: time))
      }
      offset += length
    }
  }
}
