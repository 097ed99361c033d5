// SPDX-License-Identifier: Apache-2.0

import CDRM
import LinuxSystem
import Raster

extension DRMDevice {
  func commit(_ state: PipeState, _ flags: CommitFlags) throws(SystemError) {
    guard isAtomic, state.pipe.plane != nil else { return try commitLegacy(state, flags) }
    if flags.contains(.modeset) { try commitModeset(state, flags) } else { try commitFlip(state, flags) }
  }

  private func commitModeset(_ state: PipeState, _ flags: CommitFlags) throws(SystemError) {
    var mode = state.timing.modeInfo
    var blob: UInt32 = 0
    let result = drmModeCreatePropertyBlob(fileDescriptor, &mode, MemoryLayout.size(ofValue: mode), &blob)
    if result != 0 { throw failure("DRM_IOCTL_MODE_CREATEPROPBLOB", result) }
    // The CRTC's state holds its own reference to the blob.
    defer { _ = drmModeDestroyPropertyBlob(fileDescriptor, blob) }
    request.setModeset(state, modeBlob: blob, leaveOthers: flags.contains(.leaveOthers))
    var kernelFlags = UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET)
    if flags.contains(.testOnly) { kernelFlags |= UInt32(DRM_MODE_ATOMIC_TEST_ONLY) }
    try submit(kernelFlags, token: 0)
  }

  private func commitFlip(_ state: PipeState, _ flags: CommitFlags) throws(SystemError) {
    let blob = damageBlob(state)
    defer { if let blob { _ = drmModeDestroyPropertyBlob(fileDescriptor, blob) } }
    request.setFlip(state, damageBlob: blob)
    if flags.contains(.testOnly) {
      try submit(UInt32(DRM_MODE_ATOMIC_TEST_ONLY), token: 0)
    } else {
      try submit(UInt32(DRM_MODE_ATOMIC_NONBLOCK) | UInt32(DRM_MODE_PAGE_FLIP_EVENT), token: state.token)
    }
  }

  /// Nil if the plane does not support damage, and on failure, because damage is only a hint.
  private func damageBlob(_ state: PipeState) -> UInt32? {
    guard !state.damage.isEmpty, state.pipe.plane?.properties["FB_DAMAGE_CLIPS"] != nil else { return nil }
    damageClips.removeAll(keepingCapacity: true)
    // Reserved once, so that page flips do not allocate.
    damageClips.reserveCapacity(4 * Region.maximumRects)
    for rect in state.damage where !rect.isEmpty {
      damageClips.append(
        drm_mode_rect(
          x1: Int32(clamping: rect.x), y1: Int32(clamping: rect.y), x2: Int32(clamping: rect.maxX),
          y2: Int32(clamping: rect.maxY)))
    }
    guard !damageClips.isEmpty else { return nil }
    var blob: UInt32 = 0
    let size = damageClips.count * MemoryLayout<drm_mode_rect>.stride
    return drmModeCreatePropertyBlob(fileDescriptor, damageClips, size, &blob) == 0 ? blob : nil
  }

  /// The corresponding ioctl is DRM_IOCTL_MODE_ATOMIC.
  private func submit(_ flags: UInt32, token: UInt64) throws(SystemError) {
    let fd = fileDescriptor
    let result = request.objects.withUnsafeBufferPointer { objects in
      request.counts.withUnsafeBufferPointer { counts in
        request.properties.withUnsafeBufferPointer { properties in
          request.values.withUnsafeBufferPointer { values in
            var atomic = drm_mode_atomic()
            atomic.flags = flags
            atomic.count_objs = UInt32(objects.count)
            atomic.objs_ptr = UInt64(UInt(bitPattern: objects.baseAddress))
            atomic.count_props_ptr = UInt64(UInt(bitPattern: counts.baseAddress))
            atomic.props_ptr = UInt64(UInt(bitPattern: properties.baseAddress))
            atomic.prop_values_ptr = UInt64(UInt(bitPattern: values.baseAddress))
            atomic.user_data = token
            return drmIoctl(fd, cdrm_ioctl_mode_atomic, &atomic)
          }
        }
      }
    }
    if result != 0 { throw SystemError("DRM_IOCTL_MODE_ATOMIC", path) }
  }

  /// The corresponding C functions are `drmModeSetCrtc` and `drmModePageFlip`, each with `drmModeDirtyFB`.
  private func commitLegacy(_ state: PipeState, _ flags: CommitFlags) throws(SystemError) {
    if flags.contains(.testOnly) { return }
    let crtc = state.pipe.crtc.id.rawValue
    guard flags.contains(.modeset) else {
      let token = UnsafeMutableRawPointer(bitPattern: UInt(truncatingIfNeeded: state.token))
      let result = drmModePageFlip(
        fileDescriptor, crtc, state.framebuffer.rawValue, UInt32(DRM_MODE_PAGE_FLIP_EVENT), token)
      if result != 0 { throw failure("DRM_IOCTL_MODE_PAGE_FLIP", result) }
      return reportDamage(state.damage, state)
    }
    if !flags.contains(.leaveOthers) { turnOffLegacy(state.pipe.otherCRTCs) }
    _ = drmModeSetCursor(fileDescriptor, crtc, 0, 0, 0)
    if state.pipe.connector.linkIsBad, let link = state.pipe.connector.properties["link-status"] {
      _ = drmModeConnectorSetProperty(
        fileDescriptor, state.pipe.connector.id.rawValue, link.id.rawValue, UInt64(DRM_MODE_LINK_STATUS_GOOD))
    }
    var mode = state.timing.modeInfo
    var connector = state.pipe.connector.id.rawValue
    let result = drmModeSetCrtc(
      fileDescriptor, crtc, state.framebuffer.rawValue, 0, 0, &connector, 1, &mode)
    if result != 0 { throw failure("DRM_IOCTL_MODE_SETCRTC", result) }
    reportDamage([], state)
  }

  /// Reports damage with `drmModeDirtyFB`. Does nothing on drivers with atomic commits: on these, `drmModeDirtyFB`
  /// is a separate commit that waits for the flip to complete.
  private func reportDamage(_ damage: [PixelRect], _ state: PipeState) {
    guard !isAtomic else { return }
    let fd = fileDescriptor
    dirtyReport.report(damage) { drmModeDirtyFB(fd, state.framebuffer.rawValue, $0, $1) }
  }

  func turnOff(_ pipe: Pipe, leaveOthers: Bool) throws(SystemError) {
    if isAtomic, pipe.crtc.properties["ACTIVE"] != nil {
      request.setOff(pipe, leaveOthers: leaveOthers)
      return try submit(UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET), token: 0)
    }
    if !leaveOthers { turnOffLegacy(pipe.otherCRTCs) }
    let result = turnOffLegacy([pipe.crtc])
    if result != 0 { throw failure("DRM_IOCTL_MODE_SETCRTC", result) }
  }

  /// Switches the CRTCs off. Returns the error of the last call that failed, or 0.
  @discardableResult
  private func turnOffLegacy(_ crtcs: [CRTCDescription]) -> Int32 {
    crtcs.reduce(0) { failure, crtc in
      let result = drmModeSetCrtc(fileDescriptor, crtc.id.rawValue, 0, 0, 0, nil, 0, nil)
      return result == 0 ? failure : result
    }
  }
}
