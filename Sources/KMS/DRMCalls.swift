// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Raster

/// The kernel's interface to an open card node: one function per ioctl or system call, with Swift types.
///
/// `LibDRM` calls the kernel. The tests implement this protocol with a model of the kernel's state, so
/// `DRMDevice` and everything above it run unchanged in the tests. Errors carry the name of the call and the
/// errno.
protocol DRMCalls: AnyObject {
  /// Becomes readable when a flip completes.
  var fileDescriptor: Int32 { get }

  /// DRM_IOCTL_VERSION: the driver's name.
  func driverName() throws(SystemError) -> String
  /// DRM_IOCTL_GET_CAP; fails with EINVAL if the kernel does not know the capability.
  func capability(_ name: UInt64) throws(SystemError) -> UInt64
  /// DRM_IOCTL_SET_CLIENT_CAP.
  func setClientCapability(_ name: UInt64, _ value: UInt64) throws(SystemError)

  var isMaster: Bool { get }
  func setMaster() throws(SystemError)
  func dropMaster()

  func resources() throws(SystemError) -> DRMResources
  // The objects are returned without properties, and the connectors without EDID.
  func crtc(_ id: UInt32) throws(SystemError) -> CRTCDescription
  func encoder(_ id: UInt32) throws(SystemError) -> EncoderDescription
  /// DRM_IOCTL_MODE_GETCONNECTOR. If `probes` is true and this client is master, the kernel asks the display;
  /// otherwise it returns the result of the last probe. Probing calls may come from any thread.
  func connector(_ id: UInt32, probes: Bool) throws(SystemError) -> ConnectorDescription
  func planes() throws(SystemError) -> [UInt32]
  func plane(_ id: UInt32) throws(SystemError) -> PlaneDescription
  /// DRM_IOCTL_MODE_OBJ_GETPROPERTIES; `kind` is one of `DRM_MODE_OBJECT_…`.
  func properties(of object: UInt32, kind: UInt32) throws(SystemError) -> [Property]
  func propertyName(_ id: UInt32) throws(SystemError) -> String
  /// DRM_IOCTL_MODE_GETPROPBLOB.
  func readBlob(_ id: UInt32) throws(SystemError) -> [UInt8]
  func createBlob(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> UInt32
  func destroyBlob(_ id: UInt32)

  /// DRM_IOCTL_MODE_ATOMIC; `flags` are `DRM_MODE_ATOMIC_…` and `DRM_MODE_PAGE_FLIP_EVENT`.
  func commit(_ request: borrowing AtomicRequest, flags: UInt32, token: UInt64) throws(SystemError)

  /// DRM_IOCTL_MODE_SETCRTC; nil for `timing` switches the CRTC off.
  func setCRTC(
    _ crtc: UInt32, framebuffer: UInt32, x: UInt32, y: UInt32, connectors: [UInt32], timing: Timing?
  ) throws(SystemError)
  /// DRM_IOCTL_MODE_PAGE_FLIP, with an event.
  func pageFlip(_ crtc: UInt32, framebuffer: UInt32, token: UInt64) throws(SystemError)
  /// DRM_IOCTL_MODE_DIRTYFB; nil for `clips` means the whole framebuffer.
  func markDirty(_ framebuffer: UInt32, _ clips: UnsafeMutablePointer<DRMClip>?, _ count: UInt32)
    throws(SystemError)
  func hideCursor(_ crtc: UInt32) throws(SystemError)
  /// DRM_IOCTL_MODE_SETPLANE with no framebuffer.
  func hidePlane(_ plane: UInt32) throws(SystemError)
  func setConnectorProperty(_ connector: UInt32, _ property: UInt32, _ value: UInt64) throws(SystemError)
  /// DRM_IOCTL_MODE_SETGAMMA with the identity ramp of `size` entries.
  func resetGamma(_ crtc: UInt32, size: Int) throws(SystemError)

  func createDumbBuffer(width: UInt32, height: UInt32, bits: UInt32) throws(SystemError) -> DRMDumbBuffer
  func destroyDumbBuffer(_ handle: UInt32)
  func addFramebuffer(
    _ buffer: DRMDumbBuffer, width: UInt32, height: UInt32, fourCC: UInt32
  ) throws(SystemError) -> UInt32
  func removeFramebuffer(_ id: UInt32)
  /// DRM_IOCTL_MODE_MAP_DUMB and mmap(2), for writing only.
  func map(_ buffer: DRMDumbBuffer) throws(SystemError) -> UnsafeMutableRawPointer
  func unmap(_ base: UnsafeMutableRawPointer, byteCount: Int)

  /// read(2): the events that have arrived, as many as fit; 0 bytes if there are none.
  func readEvents(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int
  /// poll(2): waits for an event for at most `nanoseconds`. Returns whether there is one.
  func waitForEvent(nanoseconds: Int64) -> Bool
}

/// `struct drm_mode_card_res`.
struct DRMResources {
  var connectors: [UInt32] = []
  var encoders: [UInt32] = []
  var crtcs: [UInt32] = []
  var maximumSize: PixelSize
}

/// `struct drm_mode_create_dumb`.
struct DRMDumbBuffer {
  var handle: UInt32
  /// Bytes per row.
  var pitch: UInt32
  var byteCount: UInt64
}
