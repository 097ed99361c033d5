// SPDX-License-Identifier: Apache-2.0

import CDRM
import Glibc
import LinuxSystem
import Raster

extension DRMDevice {
  /// Sets the modes, connectors and planes of one or more pipes, and turns `foreign` off unless the flags
  /// contain `leaveForeign`. Waits for completion. Legacy calls set one pipe after the other.
  func setModes(
    _ states: [PipeState], turningOff foreign: CardObjects?, _ flags: CommitFlags
  ) throws(SystemError) {
    let foreign = flags.contains(.leaveForeign) ? nil : foreign
    guard isAtomic, states.allSatisfy({ $0.pipe.plane != nil }) else {
      if flags.contains(.testOnly) { return }
      if let foreign { turnOffLegacy(foreign) }
      for state in states { try setModeLegacy(state, flags) }
      return
    }
    var blobs: [UInt32] = []
    // The CRTCs' states hold their own references to the blobs.
    defer { for blob in blobs { calls.destroyBlob(blob) } }
    for state in states {
      var mode = state.timing.modeInfo
      blobs.append(
        try withUnsafeBytes(of: &mode) { (bytes) throws(SystemError) in try calls.createBlob(bytes) })
    }
    request.setModes(
      states, modeBlobs: blobs, turningOff: foreign, keepsForeignState: flags.contains(.keepForeignState))
    var kernelFlags = UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET)
    if flags.contains(.testOnly) { kernelFlags |= UInt32(DRM_MODE_ATOMIC_TEST_ONLY) }
    try calls.commit(request, flags: kernelFlags, token: 0)
  }

  /// Flips to a new framebuffer. Returns true at once if a flip event will follow. With a driver without page
  /// flips, waits for completion and returns false.
  func flip(_ state: PipeState) throws(SystemError) -> Bool {
    guard isAtomic, state.pipe.plane != nil else { return try flipLegacy(state) }
    try commitFlip(state)
    return true
  }

  private func commitFlip(_ state: PipeState) throws(SystemError) {
    let blob = damageBlob(state)
    defer { if let blob { calls.destroyBlob(blob) } }
    request.setFlip(state, damageBlob: blob)
    try calls.commit(
      request, flags: UInt32(DRM_MODE_ATOMIC_NONBLOCK) | UInt32(DRM_MODE_PAGE_FLIP_EVENT), token: state.token)
  }

  /// Creates a blob with the damage. Returns nil if there is no damage, if the plane does not support it, or
  /// on failure, because damage is only a hint.
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

  /// Flips with PageFlip, or with SetCrtc if the driver has no page flips, and then reports the damage.
  private func flipLegacy(_ state: PipeState) throws(SystemError) -> Bool {
    if hasPageFlips != false {
      do throws(SystemError) {
        let crtc = state.pipe.crtc.id.rawValue
        try calls.pageFlip(crtc, framebuffer: state.framebuffer.rawValue, token: state.token)
        hasPageFlips = true
        reportDamage(state.damage, state)
        return true
      } catch {
        // For a driver without page flips (`crtc->funcs->page_flip == NULL`), drm_mode_page_flip_ioctl() in
        // drm_plane.c returns EINVAL. After a flip has succeeded, EINVAL has another cause.
        let isMissing = error.errno.rawValue == EINVAL && hasPageFlips == nil
        guard isMissing || [ENOSYS, EOPNOTSUPP, ENOTTY].contains(error.errno.rawValue) else { throw error }
      }
    }
    // SetCrtc with an unchanged mode only changes the framebuffer.
    try setCRTC(state)
    hasPageFlips = false
    reportDamage(state.damage, state)
    return false
  }

  /// Sets a mode with SetCrtc.
  private func setModeLegacy(_ state: PipeState, _ flags: CommitFlags) throws(SystemError) {
    let crtc = state.pipe.crtc
    try? calls.hideCursor(crtc.id.rawValue)
    if !flags.contains(.keepForeignState) {
      if crtc.gammaSize > 0 { try? calls.resetGamma(crtc.id.rawValue, size: crtc.gammaSize) }
      for (property, value) in state.pipe.connector.foreignState {
        try? calls.setConnectorProperty(state.pipe.connector.id.rawValue, property.id.rawValue, value)
      }
    }
    try setCRTC(state)
    reportDamage([], state)
  }

  private func setCRTC(_ state: PipeState) throws(SystemError) {
    try calls.setCRTC(
      state.pipe.crtc.id.rawValue, framebuffer: state.framebuffer.rawValue, x: 0, y: 0,
      connectors: [state.pipe.connector.id.rawValue], timing: state.timing)
  }

  private func turnOffLegacy(_ crtc: CRTCDescription) throws(SystemError) {
    try calls.setCRTC(crtc.id.rawValue, framebuffer: 0, x: 0, y: 0, connectors: [], timing: nil)
  }

  /// Reports damage with DRM_IOCTL_MODE_DIRTYFB. Does nothing on drivers with atomic commits: on these, that
  /// call is a separate commit that waits for the flip to complete.
  private func reportDamage(_ damage: [PixelRect], _ state: PipeState) {
    guard !isAtomic else { return }
    dirtyReport.report(damage) { (clips, count) throws(SystemError) in
      try calls.markDirty(state.framebuffer.rawValue, clips, count)
    }
  }

  /// Switches the pipe's CRTC off, and `foreign` too. Buffers are kept, and with atomic commits the mode too.
  /// Waits for completion.
  func turnOff(_ pipe: Pipe, turningOff foreign: CardObjects?) throws(SystemError) {
    if isAtomic, pipe.crtc.properties["ACTIVE"] != nil {
      request.setOff(pipe, turningOff: foreign)
      return try calls.commit(request, flags: UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET), token: 0)
    }
    if let foreign { turnOffLegacy(foreign) }
    try turnOffLegacy(pipe.crtc)
  }

  /// Switches the pipe off and takes it apart: no connector, mode or framebuffer. Waits for completion.
  func disable(_ pipe: Pipe) throws(SystemError) {
    guard isAtomic, pipe.crtc.properties["ACTIVE"] != nil else {
      return try turnOffLegacy(pipe.crtc)
    }
    request.setDisabled(pipe)
    try calls.commit(request, flags: UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET), token: 0)
  }

  /// Switches CRTCs and planes off, as far as the kernel allows it.
  private func turnOffLegacy(_ foreign: CardObjects) {
    for crtc in foreign.crtcs { try? turnOffLegacy(crtc) }
    for plane in foreign.planes { try? calls.hidePlane(plane.id.rawValue) }
  }
}
