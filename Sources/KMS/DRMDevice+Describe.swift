// SPDX-License-Identifier: Apache-2.0

import CDRM
import Glibc
import LinuxSystem

extension DRMDevice {
  /// Reads all objects of the card, connectors as of their last probe.
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

  /// Calls `read`; returns nil if the object no longer exists.
  private func existing<Object>(_ read: () throws(SystemError) -> Object) throws(SystemError) -> Object? {
    do throws(SystemError) { return try read() } catch {
      if error.errno.rawValue == ENOENT || error.errno.rawValue == EINVAL { return nil }
      throw error
    }
  }

  private func crtc(_ id: UInt32) throws(SystemError) -> CRTCDescription {
    var crtc = try calls.crtc(id)
    crtc.properties = try properties(of: id, cdrm_object_crtc)
    return crtc
  }

  /// Probes a connector, which only the master may do. Ignores errors; if the card is gone, the next
  /// `describe` fails. May be called on any thread.
  func probe(_ connector: ConnectorID) {
    // Tried twice, because an error may be temporary.
    for _ in 0..<2 where (try? calls.connector(connector.rawValue, probes: true)) != nil { return }
  }

  private func connector(_ id: UInt32) throws(SystemError) -> ConnectorDescription? {
    let found = try existing { () throws(SystemError) in try calls.connector(id, probes: false) }
    guard var connector = found else { return nil }
    connector.properties = try properties(of: id, cdrm_object_connector)
    let blob = connector.properties["EDID"].flatMap { UInt32(exactly: $0.value) } ?? 0
    // The display is usable without its EDID, so an error is not passed on.
    if blob != 0, let edid = try? calls.readBlob(blob) { connector.edid = edid }
    return connector
  }

  /// The connector's status as of the last probe by the kernel; nil if the connector no longer exists.
  func currentStatus(of connector: ConnectorID) throws(SystemError) -> ConnectorDescription.Status? {
    try existing { () throws(SystemError) in try calls.connector(connector.rawValue, probes: false).status }
  }

  private func planes() throws(SystemError) -> [PlaneDescription] {
    let ids = try existing { () throws(SystemError) in try calls.planes() } ?? []
    var planes: [PlaneDescription] = []
    for id in ids {
      guard var plane = try existing({ () throws(SystemError) in try calls.plane(id) }) else { continue }
      plane.properties = try properties(of: id, cdrm_object_plane)
      plane.kind = plane.properties["type"].flatMap { .init(rawValue: $0.value) } ?? .overlay
      planes.append(plane)
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
