// SPDX-License-Identifier: Apache-2.0

import CDRM
import Glibc
import LinuxSystem
import Raster

/// An open card node (`/dev/dri/card0`), accessed through libdrm.
final class DRMDevice: KMSDevice {
  let path: String
  let driver: String
  let isAtomic: Bool
  let hasMonotonicTimestamps: Bool
  let hasDumbBuffers: Bool
  private let node: FileDescriptor
  /// Property names by ID. Objects share them, and each lookup is a system call.
  var propertyNames: [UInt32: String] = [:]
  /// Reused for each commit.
  var request = AtomicRequest()
  var damageClips: [drm_mode_rect] = []
  var dirtyReport = DirtyReport()
  /// The buffer for reading events; `drm_read` returns only whole events.
  let eventBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 8)

  var fileDescriptor: Int32 { node.rawValue }

  /// Opens the node and enables universal planes and, if possible, atomic commits.
  ///
  /// Atomic commits are used only if events name their CRTC too, because atomic mode setting is not mature in
  /// older kernels. Fails with EACCES if the user is not in the node's group.
  init(opening path: String, allowAtomic: Bool = true) throws(SystemError) {
    self.path = path
    // Non-blocking, so that reading events does not wait.
    node = try FileDescriptor(opening: path, O_RDWR | O_NONBLOCK)
    let fd = node.rawValue
    guard let version = drmGetVersion(fd) else { throw SystemError("DRM_IOCTL_VERSION", path) }
    driver = version.pointee.name.map { String(cString: $0) } ?? "unknown"
    drmFreeVersion(version)
    hasDumbBuffers = Self.capability(fd, UInt64(DRM_CAP_DUMB_BUFFER)) == 1
    hasMonotonicTimestamps = Self.capability(fd, UInt64(DRM_CAP_TIMESTAMP_MONOTONIC)) == 1
    // Without this capability the kernel hides the primary plane and its formats.
    _ = drmSetClientCap(fd, UInt64(DRM_CLIENT_CAP_UNIVERSAL_PLANES), 1)
    isAtomic =
      allowAtomic && Self.capability(fd, UInt64(DRM_CAP_CRTC_IN_VBLANK_EVENT)) == 1
      && drmSetClientCap(fd, UInt64(DRM_CLIENT_CAP_ATOMIC), 1) == 0
  }

  deinit { eventBuffer.deallocate() }

  private static func capability(_ fd: Int32, _ name: UInt64) -> UInt64 {
    var value: UInt64 = 0
    return drmGetCap(fd, name, &value) == 0 ? value : 0
  }

  var isMaster: Bool { drmIsMaster(fileDescriptor) != 0 }

  /// The first process to open a node without a master becomes its master. The corresponding C function is
  /// `drmSetMaster`.
  func becomeMaster() throws(SystemError) {
    if isMaster { return }
    if drmSetMaster(fileDescriptor) != 0 { throw SystemError("DRM_IOCTL_SET_MASTER", path) }
  }

  /// The corresponding C function is `drmDropMaster`.
  func dropMaster() { _ = drmDropMaster(fileDescriptor) }

  /// Converts the result of a libdrm function, which is −errno.
  func failure(_ operation: String, _ result: Int32) -> SystemError {
    SystemError(operation, path, errno: Errno(rawValue: result == -1 ? errno : -result))
  }

  /// The corresponding C function is `drmModeSetCrtc`.
  func restore(_ saved: SavedCRTC) throws(SystemError) {
    var mode = saved.timing.modeInfo
    var connectors = saved.connectors.map(\.rawValue)
    let result = drmModeSetCrtc(
      fileDescriptor, saved.crtc.rawValue, saved.framebuffer.rawValue, saved.x, saved.y, &connectors,
      Int32(connectors.count), &mode)
    if result != 0 { throw failure("DRM_IOCTL_MODE_SETCRTC", result) }
  }

  /// Reads and parses pending events (drm.h: `struct drm_event`, `struct drm_event_vblank`). Skips events of
  /// other types by their length.
  func readEvents(_ body: (FlipEvent) -> Void) throws(SystemError) {
    while true {
      let count = read(fileDescriptor, eventBuffer.baseAddress, eventBuffer.count)
      if count < 0 {
        let error = Errno.current
        if error.rawValue == EINTR { continue }
        if error.rawValue == EAGAIN { return }
        throw SystemError("read", path, errno: error)
      }
      if count == 0 { return }
      FlipEvent.parse(UnsafeRawBufferPointer(rebasing: eventBuffer[..<count]), body)
    }
  }
}

extension FlipEvent {
  /// Calls `body` for each page flip event in `bytes`. Stops at an event that is truncated.
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
