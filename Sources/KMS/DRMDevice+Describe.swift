// SPDX-License-Identifier: Apache-2.0

import CDRM
import Glibc
import LinuxSystem

extension DRMDevice {
  /// Reads all objects of the card.
  func describe() throws(SystemError) -> CardDescription {
    var card = CardDescription(driver: driver, hasDumbBuffers: hasDumbBuffers)
    let resources: DRMResources
    do throws(SystemError) { resources = try calls.resources() } catch {
      // A render-only device (v3d) fails here, but that is not an error: it has no displays.
      if error.errno.rawValue == EOPNOTSUPP || error.errno.rawValue == EINVAL { return card }
      throw error
    }
    card.maximumSize = resources.maximumSize
    for id in resources.crtcs { card.crtcs.append(try crtc(id)) }
    for id in resources.encoders {
      // A DisplayPort hub's objects may disappear between the two calls.
      if let encoder = try existing({ () throws(SystemError) in try calls.encoder(id) }) {
        card.encoders.append(encoder)
      }
    }
    for id in resources.connectors {
      if let connector = try connector(id) { card.connectors.append(connector) }
    }
    card.planes = try planes()
    return card
  }

  /// Returns nil if the object no longer exists.
  private func existing<Object>(_ read: () throws(SystemError) -> Object) throws(SystemError) -> Object? {
    do throws(SystemError) { return try read() } catch {
      if error.errno.rawValue == ENOENT || error.errno.rawValue == EINVAL { return nil }
      throw error
    }
  }

  private func crtc(_ id: UInt32) throws(SystemError) -> CRTCDescription {
    let crtc = try calls.crtc(id)
    return CRTCDescription(
      id: CRTCID(id), timing: crtc.timing, framebuffer: FramebufferID(nonzero: crtc.framebuffer), x: crtc.x,
      y: crtc.y, gammaSize: crtc.gammaSize, properties: try properties(of: id, cdrm_object_crtc))
  }

  func probe(_ connector: ConnectorID) {
    // Tried twice, because an error may be temporary.
    for _ in 0..<2 where (try? calls.connector(connector.rawValue, probes: true)) != nil { return }
  }

  private func connector(_ id: UInt32) throws(SystemError) -> ConnectorDescription? {
    let found = try existing { () throws(SystemError) in try calls.connector(id, probes: false) }
    guard let connector = found else { return nil }
    let properties = try properties(of: id, cdrm_object_connector)
    // The display is usable without its EDID, so an error is not passed on.
    let blob = properties["EDID"].flatMap { UInt32(exactly: $0.value) } ?? 0
    let edid = blob == 0 ? nil : try? calls.readBlob(blob)
    return ConnectorDescription(
      id: ConnectorID(id), name: connector.name, status: connector.status, modes: connector.modes,
      encoder: EncoderID(nonzero: connector.encoder), encoders: connector.encoders.map { EncoderID($0) },
      properties: properties, edid: edid ?? [])
  }

  /// The connector's status as of the last probe by the kernel; nil if the connector no longer exists.
  func currentStatus(of connector: ConnectorID) throws(SystemError) -> ConnectorDescription.Status? {
    try existing { () throws(SystemError) in try calls.connector(connector.rawValue, probes: false).status }
  }

  private func planes() throws(SystemError) -> [PlaneDescription] {
    let ids = try existing { () throws(SystemError) in try calls.planes() } ?? []
    var planes: [PlaneDescription] = []
    for id in ids {
      guard let plane = try existing({ () throws(SystemError) in try calls.plane(id) }) else { continue }
      let properties = try properties(of: id, cdrm_object_plane)
      planes.append(
        PlaneDescription(
          id: PlaneID(id), kind: properties["type"].flatMap { .init(rawValue: $0.value) } ?? .overlay,
          possibleCRTCs: plane.possibleCRTCs, crtc: CRTCID(nonzero: plane.crtc),
          framebuffer: FramebufferID(nonzero: plane.framebuffer), formats: plane.formats,
          properties: properties))
    }
    return planes
  }

  /// The properties of an object, by name. Empty if the kernel does not expose them to this client.
  private func properties(of object: UInt32, _ kind: UInt32) throws(SystemError) -> [String: Property] {
    var result: [String: Property] = [:]
    let found = try existing { () throws(SystemError) in try calls.properties(of: object, kind: kind) } ?? []
    for property in found {
      let id = property.id.rawValue
      if propertyNames[id] == nil {
        propertyNames[id] = try existing { () throws(SystemError) in try calls.propertyName(id) }
      }
      if let name = propertyNames[id] { result[name] = property }
    }
    return result
  }
}
