// SPDX-License-Identifier: Apache-2.0

import CDRM
import Glibc
import LinuxSystem
import Raster

extension DRMDevice {
  func commit(_ state: PipeState, _ flags: CommitFlags) throws(SystemError) -> Bool {
    guard isAtomic, state.pipe.plane != nil else { return try commitLegacy(state, flags) }
    if flags.contains(.modeset) { try commitModeset(state, flags) } else { try commitFlip(state) }
    return !flags.contains(.modeset)
  }

  private func commitModeset(_ state: PipeState, _ flags: CommitFlags) throws(SystemError) {
    var mode = state.timing.modeInfo
    let blob = try withUnsafeBytes(of: &mode) { (bytes) throws(SystemError) in try calls.createBlob(bytes) }
    // The CRTC's state holds its own reference to the blob.
    defer { calls.destroyBlob(blob) }
    request.setModeset(state, modeBlob: blob, flags)
    var kernelFlags = UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET)
    if flags.contains(.testOnly) { kernelFlags |= UInt32(DRM_MODE_ATOMIC_TEST_ONLY) }
    try calls.commit(request, flags: kernelFlags, token: 0)
  }

  private func commitFlip(_ state: PipeState) throws(SystemError) {
    let blob = damageBlob(state)
    defer { if let blob { calls.destroyBlob(blob) } }
    request.setFlip(state, damageBlob: blob)
    try calls.commit(
      request, flags: UInt32(DRM_MODE_ATOMIC_NONBLOCK) | UInt32(DRM_MODE_PAGE_FLIP_EVENT), token: state.token)
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
    return damageClips.withUnsafeBytes { try? calls.createBlob($0) }
  }

  /// Sets a mode with SetCrtc, or flips with PageFlip, each followed by the damage.
  private func commitLegacy(_ state: PipeState, _ flags: CommitFlags) throws(SystemError) -> Bool {
    if flags.contains(.testOnly) { return false }
    let crtc = state.pipe.crtc.id.rawValue
    if !flags.contains(.modeset), hasPageFlips {
      do throws(SystemError) {
        try calls.pageFlip(crtc, framebuffer: state.framebuffer.rawValue, token: state.token)
        reportDamage(state.damage, state)
        return true
      } catch {
        // A driver without page flips; SetCrtc with an unchanged mode only changes the framebuffer.
        guard [ENOSYS, EOPNOTSUPP, ENOTTY].contains(error.errno.rawValue) else { throw error }
        hasPageFlips = false
      }
    }
    guard flags.contains(.modeset) else {
      try setCRTC(state)
      reportDamage(state.damage, state)
      return false
    }
    if !flags.contains(.leaveOthers) {
      turnOffLegacy(state.pipe.otherCRTCs)
      for plane in state.pipe.otherPlanes { try? calls.hidePlane(plane.id.rawValue) }
    }
    try? calls.hideCursor(crtc)
    if !flags.contains(.keepForeignState) {
      if state.pipe.crtc.gammaSize > 0 { try? calls.resetGamma(crtc, size: state.pipe.crtc.gammaSize) }
      for (property, value) in state.pipe.connector.foreignState {
        try? calls.setConnectorProperty(state.pipe.connector.id.rawValue, property.id.rawValue, value)
      }
    }
    try setCRTC(state)
    reportDamage([], state)
    return false
  }

  private func setCRTC(_ state: PipeState) throws(SystemError) {
    try calls.setCRTC(
      state.pipe.crtc.id.rawValue, framebuffer: state.framebuffer.rawValue, x: 0, y: 0,
      connectors: [state.pipe.connector.id.rawValue], timing: state.timing)
  }

  private func turnOffLegacy(_ crtc: CRTCDescription) throws(SystemError) {
    try calls.setCRTC(crtc.id.rawValue, framebuffer: 0, x: 0, y: 0, connectors: [], timing: nil)
  }

  /// Reports damage with DRM_IOCTL_MODE_DIRTYFB. Does nothing on drivers with atomic commits: on these, that call
  /// is a separate commit that waits for the flip to complete.
  private func reportDamage(_ damage: [PixelRect], _ state: PipeState) {
    guard !isAtomic else { return }
    dirtyReport.report(damage) { (clips, count) throws(SystemError) in
      try calls.markDirty(state.framebuffer.rawValue, clips, count)
    }
  }

  func turnOff(_ pipe: Pipe, leaveOthers: Bool) throws(SystemError) {
    if isAtomic, pipe.crtc.properties["ACTIVE"] != nil {
      request.setOff(pipe, leaveOthers: leaveOthers)
      return try calls.commit(request, flags: UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET), token: 0)
    }
    if !leaveOthers { turnOffLegacy(pipe.otherCRTCs) }
    try turnOffLegacy(pipe.crtc)
  }

  func disable(_ pipe: Pipe) throws(SystemError) {
    guard isAtomic, pipe.crtc.properties["ACTIVE"] != nil else {
      return try turnOffLegacy(pipe.crtc)
    }
    request.setDisabled(pipe)
    try calls.commit(request, flags: UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET), token: 0)
  }

  /// Switches the CRTCs off, as far as the kernel allows it.
  private func turnOffLegacy(_ crtcs: [CRTCDescription]) {
    for crtc in crtcs { try? turnOffLegacy(crtc) }
  }
}
