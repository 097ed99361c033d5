// SPDX-License-Identifier: Apache-2.0

import Raster

/// What a card says of itself: the KMS resources as a plain value.
struct CardDescription: Equatable, Sendable {
  /// The kernel driver's name (`vc4`).
  var driver: String
  var hasDumbBuffers = true
  /// The largest framebuffer.
  var maximumSize = PixelSize(width: 16384, height: 16384)
  var connectors: [ConnectorDescription] = []
  var encoders: [EncoderDescription] = []
  /// In the kernel's order: bit n of a `possibleCRTCs` is element n.
  var crtcs: [CRTCDescription] = []
  var planes: [PlaneDescription] = []

  /// It can drive a display at all (a Pi's v3d cannot).
  var canScanOut: Bool {
    hasDumbBuffers && !crtcs.isEmpty && !connectors.isEmpty && !encoders.isEmpty
  }

  /// A framebuffer that the firmware left, which the native driver will replace.
  var isFirmwareFramebuffer: Bool {
    ["simpledrm", "ofdrm", "efidrm", "vesadrm"].contains(driver)
  }

  func encoder(_ id: EncoderID?) -> EncoderDescription? { encoders.first { $0.id == id } }

  /// The CRTC that drives `connector` now. Atomic cards tell it in a property, others by the encoder.
  func crtc(driving connector: ConnectorDescription) -> CRTCID? {
    if let property = connector.properties["CRTC_ID"] {
      return CRTCID(nonzero: UInt32(truncatingIfNeeded: property.value))
    }
    return encoder(connector.encoder)?.crtc
  }
}

struct ConnectorDescription: Equatable, Sendable {
  enum Status: Sendable { case connected, disconnected, unknown }

  var id: ConnectorID
  /// The kernel's name, `HDMI-A-1`.
  var name: String
  var status: Status
  var modes: [Timing] = []
  /// The encoder that drives it now.
  var encoder: EncoderID?
  var encoders: [EncoderID] = []
  var properties: [String: Property] = [:]

  /// A headset or the like: it says itself that it is no desktop's display.
  var isNonDesktop: Bool { properties["non-desktop"]?.value == 1 }
  /// The display has told what it can do. A TV that wakes up may be there without having told yet.
  var hasEDID: Bool { properties["EDID"].map { $0.value != 0 } ?? false }
  var linkIsBad: Bool { properties["link-status"]?.value == 1 }
  var isWriteback: Bool { name.hasPrefix("Writeback") }
  /// Television by an analogue cable, where nothing tells whether a set is there.
  var isAnalogueTV: Bool { ["Composite", "SVIDEO", "Component", "TV"].contains { name.hasPrefix($0) } }
}

struct EncoderDescription: Equatable, Sendable {
  var id: EncoderID
  var crtc: CRTCID?
  var possibleCRTCs: UInt32
}

struct CRTCDescription: Equatable, Sendable {
  var id: CRTCID
  /// The mode that is set; nil while it is off.
  var timing: Timing?
  var framebuffer: FramebufferID?
  var x: UInt32 = 0
  var y: UInt32 = 0
  var properties: [String: Property] = [:]
}

struct PlaneDescription: Equatable, Sendable {
  enum Kind: UInt64, Sendable { case overlay, primary, cursor }

  var id: PlaneID
  var kind: Kind
  var possibleCRTCs: UInt32
  var crtc: CRTCID?
  var framebuffer: FramebufferID?
  /// DRM fourcc codes.
  var formats: [UInt32] = []
  var properties: [String: Property] = [:]
}
