// SPDX-License-Identifier: Apache-2.0

import CDRM
import Raster

/// The properties of one atomic commit, in the arrays that DRM_IOCTL_MODE_ATOMIC takes.
///
/// libdrm's `drmModeAtomicReq` allocates and sorts at each commit. These arrays are filled in object order
/// and reused, so a page flip allocates nothing here.
struct AtomicRequest: Equatable {
  private(set) var objects: [UInt32] = []
  private(set) var counts: [UInt32] = []
  private(set) var properties: [UInt32] = []
  private(set) var values: [UInt64] = []

  mutating func removeAll() {
    objects.removeAll(keepingCapacity: true)
    counts.removeAll(keepingCapacity: true)
    properties.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
  }

  /// Adds a property of `object`. All properties of an object must be added one after the other. Does nothing
  /// if the object lacks the property.
  private mutating func set(_ name: String, of object: some CardObject, to value: UInt64) {
    if let property = object.properties[name] { set(property, of: object, to: value) }
  }

  private mutating func set(_ property: Property, of object: some CardObject, to value: UInt64) {
    if objects.last != object.id.rawValue {
      objects.append(object.id.rawValue)
      counts.append(0)
    }
    counts[counts.count - 1] += 1
    properties.append(property.id.rawValue)
    values.append(value)
  }

  /// Sets up a page flip: only the plane's framebuffer and, if given, its damage change.
  mutating func setFlip(_ state: PipeState, damageBlob: UInt32?) {
    removeAll()
    guard let plane = state.pipe.plane else { return }
    set("FB_ID", of: plane, to: UInt64(state.framebuffer.rawValue))
    if let damageBlob { set("FB_DAMAGE_CLIPS", of: plane, to: UInt64(damageBlob)) }
  }

  /// Sets the complete state of pipes, each with a blob for its mode, and turns `foreign` off.
  mutating func setModes(
    _ states: [PipeState], modeBlobs: [UInt32], turningOff foreign: CardObjects?, keepsForeignState: Bool
  ) {
    removeAll()
    if let foreign { turnOff(foreign) }
    for (state, blob) in zip(states, modeBlobs) {
      setConnectorAndCRTC(state, modeBlob: blob, keepsForeignState: keepsForeignState)
      setPlane(state)
    }
  }

  /// Turns the CRTC off, and `foreign` too. Mode, connector and plane stay configured, so that switching on
  /// again is quick.
  mutating func setOff(_ pipe: Pipe, turningOff foreign: CardObjects?) {
    removeAll()
    if let foreign { turnOff(foreign) }
    set("ACTIVE", of: pipe.crtc, to: 0)
  }

  /// Turns the pipe off and takes it apart, so that the next modeset enables every part again. The kernel
  /// would otherwise see an unchanged mode and leave the encoder off after the cable was pulled.
  mutating func setDisabled(_ pipe: Pipe) {
    removeAll()
    turnOff(
      CardObjects(connectors: [pipe.connector], crtcs: [pipe.crtc], planes: pipe.plane.map { [$0] } ?? []))
  }

  private mutating func setConnectorAndCRTC(_ state: PipeState, modeBlob: UInt32, keepsForeignState: Bool) {
    let (connector, crtc) = (state.pipe.connector, state.pipe.crtc)
    set("CRTC_ID", of: connector, to: UInt64(crtc.id.rawValue))
    if !keepsForeignState {
      for (property, value) in connector.foreignState { set(property, of: connector, to: value) }
    }
    set("MODE_ID", of: crtc, to: UInt64(modeBlob))
    set("ACTIVE", of: crtc, to: 1)
    if keepsForeignState { return }
    // A desktop may have left these properties set (night light, variable refresh rate). They are reset only
    // if they are set, because not every driver accepts them.
    for name in ["GAMMA_LUT", "DEGAMMA_LUT", "CTM", "VRR_ENABLED"] {
      if let property = crtc.properties[name], property.value != 0 { set(property, of: crtc, to: 0) }
    }
  }

  private mutating func setPlane(_ state: PipeState) {
    guard let plane = state.pipe.plane else { return }
    let width = UInt64(state.timing.hDisplay)
    let height = UInt64(state.timing.vDisplay)
    set("FB_ID", of: plane, to: UInt64(state.framebuffer.rawValue))
    set("CRTC_ID", of: plane, to: UInt64(state.pipe.crtc.id.rawValue))
    set("SRC_X", of: plane, to: 0)
    set("SRC_Y", of: plane, to: 0)
    set("SRC_W", of: plane, to: width << 16)
    set("SRC_H", of: plane, to: height << 16)
    set("CRTC_X", of: plane, to: 0)
    set("CRTC_Y", of: plane, to: 0)
    set("CRTC_W", of: plane, to: width)
    set("CRTC_H", of: plane, to: height)
    let rotation = plane.properties["rotation"]
    if let rotation, rotation.value != UInt64(DRM_MODE_ROTATE_0) {
      set(rotation, of: plane, to: UInt64(DRM_MODE_ROTATE_0))
    }
    if let alpha = plane.properties["alpha"], alpha.value != 0xffff { set(alpha, of: plane, to: 0xffff) }
  }

  private mutating func turnOff(_ off: CardObjects) {
    for plane in off.planes {
      set("FB_ID", of: plane, to: 0)
      set("CRTC_ID", of: plane, to: 0)
    }
    for connector in off.connectors { set("CRTC_ID", of: connector, to: 0) }
    for crtc in off.crtcs {
      set("MODE_ID", of: crtc, to: 0)
      set("ACTIVE", of: crtc, to: 0)
    }
  }
}
