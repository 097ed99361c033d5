// SPDX-License-Identifier: Apache-2.0

import CDRM
import Glibc
import LinuxSystem
import Raster

/// A clip of DRM_IOCTL_MODE_DIRTYFB.
typealias DRMClip = drm_clip_rect

/// The kernel's interface through libdrm.
final class LibDRM: DRMCalls {
  private let path: String
  private let node: FileDescriptor

  var fileDescriptor: Int32 { node.rawValue }

  /// Fails with EACCES if the user is not in the node's group.
  init(opening path: String) throws(SystemError) {
    self.path = path
    // Non-blocking, so that reading events does not wait.
    node = try FileDescriptor(opening: path, O_RDWR | O_NONBLOCK)
  }

  /// Throws if the result of a libdrm function is not 0: it is −errno, or −1 with `errno` set.
  private func check(_ operation: String, _ result: Int32) throws(SystemError) {
    guard result != 0 else { return }
    throw SystemError(operation, path, errno: Errno(rawValue: result == -1 ? errno : -result))
  }

  /// Unwraps the result of a libdrm function that returns nil and sets `errno` on failure.
  private func unwrap<Value>(
    _ operation: String, _ value: UnsafeMutablePointer<Value>?
  ) throws(SystemError) -> UnsafeMutablePointer<Value> {
    guard let value else { throw SystemError(operation, path) }
    return value
  }

  // MARK: The card

  func driverName() throws(SystemError) -> String {
    let version = try unwrap("DRM_IOCTL_VERSION", drmGetVersion(fileDescriptor))
    defer { drmFreeVersion(version) }
    return version.pointee.name.map { String(cString: $0) } ?? "unknown"
  }

  func capability(_ name: UInt64) throws(SystemError) -> UInt64 {
    var value: UInt64 = 0
    try check("DRM_IOCTL_GET_CAP", drmGetCap(fileDescriptor, name, &value))
    return value
  }

  func setClientCapability(_ name: UInt64, _ value: UInt64) throws(SystemError) {
    try check("DRM_IOCTL_SET_CLIENT_CAP", drmSetClientCap(fileDescriptor, name, value))
  }

  var isMaster: Bool { drmIsMaster(fileDescriptor) != 0 }

  func setMaster() throws(SystemError) { try check("DRM_IOCTL_SET_MASTER", drmSetMaster(fileDescriptor)) }

  func dropMaster() { _ = drmDropMaster(fileDescriptor) }

  // MARK: Objects

  func resources() throws(SystemError) -> DRMResources {
    let found = try unwrap("DRM_IOCTL_MODE_GETRESOURCES", drmModeGetResources(fileDescriptor))
    defer { drmModeFreeResources(found) }
    let resources = found.pointee
    return DRMResources(
      connectors: list(resources.connectors, resources.count_connectors),
      encoders: list(resources.encoders, resources.count_encoders),
      crtcs: list(resources.crtcs, resources.count_crtcs),
      maximumSize: PixelSize(width: Int(resources.max_width), height: Int(resources.max_height)))
  }

  func crtc(_ id: UInt32) throws(SystemError) -> CRTCDescription {
    let found = try unwrap("DRM_IOCTL_MODE_GETCRTC", drmModeGetCrtc(fileDescriptor, id))
    defer { drmModeFreeCrtc(found) }
    let crtc = found.pointee
    return CRTCDescription(
      id: CRTCID(id), timing: crtc.mode_valid != 0 ? Timing(crtc.mode) : nil,
      framebuffer: FramebufferID(nonzero: crtc.buffer_id), x: crtc.x, y: crtc.y,
      gammaSize: max(Int(crtc.gamma_size), 0))
  }

  func encoder(_ id: UInt32) throws(SystemError) -> EncoderDescription {
    let found = try unwrap("DRM_IOCTL_MODE_GETENCODER", drmModeGetEncoder(fileDescriptor, id))
    defer { drmModeFreeEncoder(found) }
    return EncoderDescription(
      id: EncoderID(id), crtc: CRTCID(nonzero: found.pointee.crtc_id),
      possibleCRTCs: found.pointee.possible_crtcs)
  }

  func connector(_ id: UInt32, probes: Bool) throws(SystemError) -> ConnectorDescription {
    let found = try unwrap(
      "DRM_IOCTL_MODE_GETCONNECTOR",
      probes ? drmModeGetConnector(fileDescriptor, id) : drmModeGetConnectorCurrent(fileDescriptor, id))
    defer { drmModeFreeConnector(found) }
    let connector = found.pointee
    let type = drmModeGetConnectorTypeName(connector.connector_type).map { String(cString: $0) } ?? "Unknown"
    let modes = UnsafeBufferPointer(start: connector.modes, count: max(Int(connector.count_modes), 0))
    return ConnectorDescription(
      id: ConnectorID(id), name: "\(type)-\(connector.connector_type_id)",
      status: .init(connector.connection), modes: modes.map { Timing($0) },
      encoder: EncoderID(nonzero: connector.encoder_id),
      encoders: list(connector.encoders, connector.count_encoders).map { EncoderID($0) })
  }

  func planes() throws(SystemError) -> [UInt32] {
    let found = try unwrap("DRM_IOCTL_MODE_GETPLANERESOURCES", drmModeGetPlaneResources(fileDescriptor))
    defer { drmModeFreePlaneResources(found) }
    return list(found.pointee.planes, Int32(clamping: found.pointee.count_planes))
  }

  func plane(_ id: UInt32) throws(SystemError) -> PlaneDescription {
    let found = try unwrap("DRM_IOCTL_MODE_GETPLANE", drmModeGetPlane(fileDescriptor, id))
    defer { drmModeFreePlane(found) }
    let plane = found.pointee
    return PlaneDescription(
      id: PlaneID(id), possibleCRTCs: plane.possible_crtcs, crtc: CRTCID(nonzero: plane.crtc_id),
      framebuffer: FramebufferID(nonzero: plane.fb_id),
      formats: list(plane.formats, Int32(clamping: plane.count_formats)))
  }

  func properties(of object: UInt32, kind: UInt32) throws(SystemError) -> [Property] {
    let found = try unwrap(
      "DRM_IOCTL_MODE_OBJ_GETPROPERTIES", drmModeObjectGetProperties(fileDescriptor, object, kind))
    defer { drmModeFreeObjectProperties(found) }
    guard let ids = found.pointee.props, let values = found.pointee.prop_values else { return [] }
    return (0..<Int(found.pointee.count_props)).map { Property(id: PropertyID(ids[$0]), value: values[$0]) }
  }

  func propertyName(_ id: UInt32) throws(SystemError) -> String {
    let found = try unwrap("DRM_IOCTL_MODE_GETPROPERTY", drmModeGetProperty(fileDescriptor, id))
    defer { drmModeFreeProperty(found) }
    return withUnsafeBytes(of: found.pointee.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  private func list(_ start: UnsafeMutablePointer<UInt32>?, _ count: Int32) -> [UInt32] {
    Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : max(Int(count), 0)))
  }

  // MARK: Blobs

  func readBlob(_ id: UInt32) throws(SystemError) -> [UInt8] {
    let found = try unwrap("DRM_IOCTL_MODE_GETPROPBLOB", drmModeGetPropertyBlob(fileDescriptor, id))
    defer { drmModeFreePropertyBlob(found) }
    guard let data = found.pointee.data else { return [] }
    return Array(UnsafeRawBufferPointer(start: data, count: Int(found.pointee.length)))
  }

  func createBlob(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> UInt32 {
    var blob: UInt32 = 0
    try check(
      "DRM_IOCTL_MODE_CREATEPROPBLOB",
      drmModeCreatePropertyBlob(fileDescriptor, bytes.baseAddress, bytes.count, &blob))
    return blob
  }

  func destroyBlob(_ id: UInt32) { _ = drmModeDestroyPropertyBlob(fileDescriptor, id) }

  // MARK: Commits

  func commit(_ request: borrowing AtomicRequest, flags: UInt32, token: UInt64) throws(SystemError) {
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

  func setCRTC(
    _ crtc: UInt32, framebuffer: UInt32, x: UInt32, y: UInt32, connectors: [UInt32], timing: Timing?
  ) throws(SystemError) {
    guard let timing else {
      return try check("DRM_IOCTL_MODE_SETCRTC", drmModeSetCrtc(fileDescriptor, crtc, 0, 0, 0, nil, 0, nil))
    }
    var mode = timing.modeInfo
    var connectors = connectors
    try check(
      "DRM_IOCTL_MODE_SETCRTC",
      drmModeSetCrtc(
        fileDescriptor, crtc, framebuffer, x, y, &connectors, Int32(clamping: connectors.count), &mode))
  }

  func pageFlip(_ crtc: UInt32, framebuffer: UInt32, token: UInt64) throws(SystemError) {
    let token = UnsafeMutableRawPointer(bitPattern: UInt(truncatingIfNeeded: token))
    try check(
      "DRM_IOCTL_MODE_PAGE_FLIP",
      drmModePageFlip(fileDescriptor, crtc, framebuffer, UInt32(DRM_MODE_PAGE_FLIP_EVENT), token))
  }

  func markDirty(_ framebuffer: UInt32, _ clips: UnsafeMutablePointer<DRMClip>?, _ count: UInt32)
    throws(SystemError)
  {
    try check("DRM_IOCTL_MODE_DIRTYFB", drmModeDirtyFB(fileDescriptor, framebuffer, clips, count))
  }

  func hideCursor(_ crtc: UInt32) throws(SystemError) {
    try check("DRM_IOCTL_MODE_CURSOR", drmModeSetCursor(fileDescriptor, crtc, 0, 0, 0))
  }

  func hidePlane(_ plane: UInt32) throws(SystemError) {
    try check(
      "DRM_IOCTL_MODE_SETPLANE", drmModeSetPlane(fileDescriptor, plane, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }

  func setConnectorProperty(_ connector: UInt32, _ property: UInt32, _ value: UInt64) throws(SystemError) {
    try check(
      "DRM_IOCTL_MODE_SETPROPERTY", drmModeConnectorSetProperty(fileDescriptor, connector, property, value))
  }

  func resetGamma(_ crtc: UInt32, size: Int) throws(SystemError) {
    var ramp = (0..<size).map { UInt16($0 * 65535 / max(size - 1, 1)) }
    let result = ramp.withUnsafeMutableBufferPointer {
      drmModeCrtcSetGamma(
        fileDescriptor, crtc, UInt32(size), $0.baseAddress, $0.baseAddress, $0.baseAddress)
    }
    try check("DRM_IOCTL_MODE_SETGAMMA", result)
  }

  // MARK: Buffers

  func createDumbBuffer(width: UInt32, height: UInt32, bits: UInt32) throws(SystemError) -> DRMDumbBuffer {
    var buffer = DRMDumbBuffer(handle: 0, pitch: 0, byteCount: 0)
    try check(
      "DRM_IOCTL_MODE_CREATE_DUMB",
      drmModeCreateDumbBuffer(
        fileDescriptor, width, height, bits, 0, &buffer.handle, &buffer.pitch, &buffer.byteCount))
    return buffer
  }

  func destroyDumbBuffer(_ handle: UInt32) { _ = drmModeDestroyDumbBuffer(fileDescriptor, handle) }

  func addFramebuffer(
    _ buffer: DRMDumbBuffer, width: UInt32, height: UInt32, fourCC: UInt32
  ) throws(SystemError) -> UInt32 {
    var framebuffer: UInt32 = 0
    let handles = [buffer.handle, 0, 0, 0]
    let pitches = [buffer.pitch, 0, 0, 0]
    let offsets: [UInt32] = [0, 0, 0, 0]
    try check(
      "DRM_IOCTL_MODE_ADDFB2",
      drmModeAddFB2(
        fileDescriptor, width, height, fourCC, handles, pitches, offsets, &framebuffer, 0))
    return framebuffer
  }

  func removeFramebuffer(_ id: UInt32) { _ = drmModeRmFB(fileDescriptor, id) }

  func map(_ buffer: DRMDumbBuffer) throws(SystemError) -> UnsafeMutableRawPointer {
    var offset: UInt64 = 0
    try check(
      "DRM_IOCTL_MODE_MAP_DUMB", drmModeMapDumbBuffer(fileDescriptor, buffer.handle, &offset))
    // The mapping is write-only, because reading write-combined memory is slower by orders of magnitude.
    // Common hardware cannot enforce this; the tests check that nothing reads the buffer.
    let base = mmap(
      nil, Int(buffer.byteCount), PROT_WRITE, MAP_SHARED, fileDescriptor, off_t(bitPattern: UInt(offset)))
    guard let base, base != MAP_FAILED else { throw SystemError("mmap", path) }
    return base
  }

  func unmap(_ base: UnsafeMutableRawPointer, byteCount: Int) { _ = munmap(base, byteCount) }

  // MARK: Events

  func readEvents(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    while true {
      let count = read(fileDescriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      let error = Errno.current
      if error.rawValue == EINTR { continue }
      if error.rawValue == EAGAIN { return 0 }
      throw SystemError("read", path, errno: error)
    }
  }

  func waitForEvent(nanoseconds: Int64) -> Bool {
    let end = SystemClock.monotonic.now.totalNanoseconds + nanoseconds
    while true {
      let left = end - SystemClock.monotonic.now.totalNanoseconds
      guard left > 0 else { return false }
      var descriptor = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
      let count = poll(&descriptor, 1, Int32(clamping: left / 1_000_000 + 1))
      if count < 0, errno == EINTR { continue }
      return count > 0 && descriptor.revents & Int16(POLLIN) != 0
    }
  }
}

extension ConnectorDescription.Status {
  fileprivate init(_ connection: drmModeConnection) {
    switch connection {
    case DRM_MODE_CONNECTED: self = .connected
    case DRM_MODE_DISCONNECTED: self = .disconnected
    default: self = .unknown
    }
  }
}
