// SPDX-License-Identifier: Apache-2.0

import CDRM
import Glibc
import LinuxSystem
import Raster

extension DRMDevice {
  /// The corresponding C functions are `drmModeGetResources`, `drmModeGetConnector` and similar ones. Getting a
  /// connector probes it, which takes tens of milliseconds if an EDID is read.
  func describe() throws(SystemError) -> CardDescription {
    var card = CardDescription(driver: driver, hasDumbBuffers: hasDumbBuffers)
    guard let resources = drmModeGetResources(fileDescriptor) else {
      // A render-only device (v3d) fails here, but that is not an error: it has no displays.
      let error = SystemError("DRM_IOCTL_MODE_GETRESOURCES", path)
      if error.errno.rawValue == EOPNOTSUPP || error.errno.rawValue == EINVAL { return card }
      throw error
    }
    defer { drmModeFreeResources(resources) }
    let found = resources.pointee
    card.maximumSize = PixelSize(width: Int(found.max_width), height: Int(found.max_height))
    for id in numbers(found.crtcs, found.count_crtcs) { card.crtcs.append(try crtc(id)) }
    for id in numbers(found.encoders, found.count_encoders) {
      if let encoder = encoder(id) { card.encoders.append(encoder) }
    }
    for id in numbers(found.connectors, found.count_connectors) {
      // A connector of a DisplayPort hub may disappear between the two calls.
      if let connector = try connector(id) { card.connectors.append(connector) }
    }
    card.planes = planes()
    return card
  }

  private func crtc(_ id: UInt32) throws(SystemError) -> CRTCDescription {
    guard let found = drmModeGetCrtc(fileDescriptor, id) else {
      throw SystemError("DRM_IOCTL_MODE_GETCRTC", path)
    }
    defer { drmModeFreeCrtc(found) }
    let crtc = found.pointee
    return CRTCDescription(
      id: CRTCID(crtc.crtc_id), timing: crtc.mode_valid != 0 ? Timing(crtc.mode) : nil,
      framebuffer: FramebufferID(nonzero: crtc.buffer_id), x: crtc.x, y: crtc.y,
      properties: properties(of: id, cdrm_object_crtc))
  }

  private func encoder(_ id: UInt32) -> EncoderDescription? {
    guard let found = drmModeGetEncoder(fileDescriptor, id) else { return nil }
    defer { drmModeFreeEncoder(found) }
    return EncoderDescription(
      id: EncoderID(id), crtc: CRTCID(nonzero: found.pointee.crtc_id),
      possibleCRTCs: found.pointee.possible_crtcs)
  }

  private func connector(_ id: UInt32) throws(SystemError) -> ConnectorDescription? {
    guard let found = drmModeGetConnector(fileDescriptor, id) else {
      let error = SystemError("DRM_IOCTL_MODE_GETCONNECTOR", path)
      if error.errno.rawValue == ENOENT || error.errno.rawValue == EINVAL { return nil }
      throw error
    }
    defer { drmModeFreeConnector(found) }
    let connector = found.pointee
    let type = drmModeGetConnectorTypeName(connector.connector_type).map { String(cString: $0) } ?? "Unknown"
    let status: ConnectorDescription.Status =
      switch connector.connection {
      case DRM_MODE_CONNECTED: .connected
      case DRM_MODE_DISCONNECTED: .disconnected
      default: .unknown
      }
    let modes = UnsafeBufferPointer(start: connector.modes, count: max(Int(connector.count_modes), 0))
    return ConnectorDescription(
      id: ConnectorID(id), name: "\(type)-\(connector.connector_type_id)", status: status,
      modes: modes.map { Timing($0) }, encoder: EncoderID(nonzero: connector.encoder_id),
      encoders: numbers(connector.encoders, connector.count_encoders).map { EncoderID($0) },
      properties: properties(of: id, cdrm_object_connector))
  }

  private func planes() -> [PlaneDescription] {
    guard let found = drmModeGetPlaneResources(fileDescriptor) else { return [] }
    defer { drmModeFreePlaneResources(found) }
    return numbers(found.pointee.planes, Int32(clamping: found.pointee.count_planes)).compactMap { id in
      guard let pointer = drmModeGetPlane(fileDescriptor, id) else { return nil }
      defer { drmModeFreePlane(pointer) }
      let plane = pointer.pointee
      let properties = properties(of: id, cdrm_object_plane)
      return PlaneDescription(
        id: PlaneID(id), kind: properties["type"].flatMap { .init(rawValue: $0.value) } ?? .overlay,
        possibleCRTCs: plane.possible_crtcs, crtc: CRTCID(nonzero: plane.crtc_id),
        framebuffer: FramebufferID(nonzero: plane.fb_id),
        formats: numbers(plane.formats, Int32(clamping: plane.count_formats)), properties: properties)
    }
  }

  /// The properties of an object, by name. Empty if the kernel does not expose them to this client.
  private func properties(of object: UInt32, _ kind: UInt32) -> [String: Property] {
    guard let found = drmModeObjectGetProperties(fileDescriptor, object, kind) else { return [:] }
    defer { drmModeFreeObjectProperties(found) }
    let list = found.pointee
    guard let ids = list.props, let values = list.prop_values else { return [:] }
    var result: [String: Property] = [:]
    for index in 0..<Int(list.count_props) {
      guard let name = propertyName(ids[index]) else { continue }
      result[name] = Property(id: PropertyID(ids[index]), value: values[index])
    }
    return result
  }

  private func propertyName(_ id: UInt32) -> String? {
    if let name = propertyNames[id] { return name }
    guard let found = drmModeGetProperty(fileDescriptor, id) else { return nil }
    defer { drmModeFreeProperty(found) }
    let name = withUnsafeBytes(of: found.pointee.name) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    propertyNames[id] = name
    return name
  }

  private func numbers(_ start: UnsafeMutablePointer<UInt32>?, _ count: Int32) -> [UInt32] {
    Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : max(Int(count), 0)))
  }
}
