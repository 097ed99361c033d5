// SPDX-License-Identifier: Apache-2.0

import CDRM
import Glibc
import LinuxSystem
import Raster

/// An open card node (`/dev/dri/card0`), with the mode setting calls that displays need.
///
/// The tests use it on a model of the kernel (`DRMCalls`). Errors carry the errno; any call may fail with
/// ENODEV after the card is removed.
final class DRMDevice {
  let path: String
  let driver: String
  /// Whether commits are atomic; otherwise legacy SetCrtc and PageFlip are used.
  let isAtomic: Bool
  /// Whether flip events are timestamped with CLOCK_MONOTONIC.
  let hasMonotonicTimestamps: Bool
  let hasDumbBuffers: Bool
  let calls: any DRMCalls
  /// Property names by ID. Objects share them, and each lookup is a system call.
  var propertyNames: [UInt32: String] = [:]
  /// Reused for each commit.
  var request = AtomicRequest()
  var damageClips: [drm_mode_rect] = []
  var dirtyReport = DirtyReport()
  /// Whether the driver has legacy page flips; nil before the first one.
  var hasPageFlips: Bool?
  /// The buffer for reading events; the kernel returns only whole events.
  private let eventBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 8)

  /// Becomes readable when a flip completes.
  var fileDescriptor: Int32 { calls.fileDescriptor }

  /// Enables universal planes and, if possible, atomic commits.
  ///
  /// Atomic commits are used only if events name their CRTC (DRM_CAP_CRTC_IN_VBLANK_EVENT), because atomic
  /// mode setting is not mature in kernels without that capability.
  init(_ path: String, _ calls: any DRMCalls, allowAtomic: Bool = true) throws(SystemError) {
    self.path = path
    self.calls = calls
    driver = try calls.driverName()
    hasDumbBuffers = try Self.hasDumbBuffers(calls)
    hasMonotonicTimestamps = (try? calls.capability(UInt64(DRM_CAP_TIMESTAMP_MONOTONIC))) == 1
    // Without this capability the kernel hides the primary plane and its formats.
    try? calls.setClientCapability(UInt64(DRM_CLIENT_CAP_UNIVERSAL_PLANES), 1)
    isAtomic =
      allowAtomic && (try? calls.capability(UInt64(DRM_CAP_CRTC_IN_VBLANK_EVENT))) == 1
      && (try? calls.setClientCapability(UInt64(DRM_CLIENT_CAP_ATOMIC), 1)) != nil
  }

  deinit { eventBuffer.deallocate() }

  /// Whether the card has dumb buffers. All kernels know this capability. For a card that only renders, such
  /// as v3d on a Raspberry Pi, they refuse it with EOPNOTSUPP, and older ones with ENOTSUPP. Any other error
  /// means that something is wrong with the card.
  private static func hasDumbBuffers(_ calls: any DRMCalls) throws(SystemError) -> Bool {
    // ENOTSUPP is internal to the kernel, and no header for programs has it.
    let notSupported: [Int32] = [EOPNOTSUPP, 524]
    do throws(SystemError) {
      return try calls.capability(UInt64(DRM_CAP_DUMB_BUFFER)) == 1
    } catch {
      if notSupported.contains(error.errno.rawValue) { return false }
      throw error
    }
  }

  var isMaster: Bool { calls.isMaster }

  /// Makes this process the card's master. Fails with EBUSY, EINVAL or EACCES while another program is
  /// master. The first process to open a node without a master becomes its master. The corresponding C
  /// function is `drmSetMaster`.
  func becomeMaster() throws(SystemError) {
    if isMaster { return }
    try calls.setMaster()
  }

  /// The corresponding C function is `drmDropMaster`.
  func dropMaster() { calls.dropMaster() }

  /// Restores a CRTC to its saved state. The corresponding C function is `drmModeSetCrtc`.
  func restore(_ saved: SavedCRTC) throws(SystemError) {
    try calls.setCRTC(
      saved.crtc.rawValue, framebuffer: saved.framebuffer.rawValue, x: saved.x, y: saved.y,
      connectors: saved.connectors.map(\.rawValue), timing: saved.timing)
  }

  /// Calls `body` for all flip events that have arrived; does not wait.
  func readEvents(_ body: (FlipEvent) -> Void) throws(SystemError) {
    while true {
      let count = try calls.readEvents(into: eventBuffer)
      guard count > 0 else { return }
      FlipEvent.parse(UnsafeRawBufferPointer(rebasing: eventBuffer[..<count]), body)
    }
  }

  /// Waits for an event for at most `nanoseconds`. Returns whether there is one.
  func waitForEvent(nanoseconds: Int64) -> Bool { calls.waitForEvent(nanoseconds: nanoseconds) }
}
