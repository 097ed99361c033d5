// SPDX-License-Identifier: Apache-2.0

import Raster

/// A card's KMS resources as a plain value.
struct CardDescription: Equatable, Sendable {
  /// The kernel driver's name (`vc4`).
  var driver: String
  var hasDumbBuffers = true
  /// The largest framebuffer that the card supports.
  var maximumSize = PixelSize(width: 16384, height: 16384)
  var connectors: [ConnectorDescription] = []
  var encoders: [EncoderDescription] = []
  /// The CRTCs in the kernel's order: bit n of a `possibleCRTCs` mask refers to element n.
  var crtcs: [CRTCDescription] = []
  var planes: [PlaneDescription] = []

  /// Whether the card can drive a display at all (a Pi's v3d cannot).
  var canScanOut: Bool {
    hasDumbBuffers && !crtcs.isEmpty && !connectors.isEmpty && !encoders.isEmpty
  }

  /// Whether this is the firmware's framebuffer, which the native driver will replace.
  var isFirmwareFramebuffer: Bool {
    ["simpledrm", "ofdrm", "efidrm", "vesadrm"].contains(driver)
  }

  func encoder(_ id: EncoderID?) -> EncoderDescription? { encoders.first { $0.id == id } }

  /// The CRTC that drives `connector` now. Atomic drivers report it in a property, others through the
  /// encoder.
  func crtc(driving connector: ConnectorDescription) -> CRTCID? {
    if let property = connector.properties["CRTC_ID"] {
      return CRTCID(nonzero: UInt32(truncatingIfNeeded: property.value))
    }
    return encoder(connector.encoder)?.crtc
  }
}

/// An object whose properties an atomic request can set.
protocol CardObject {
  associatedtype Kind
  var id: ObjectID<Kind> { get }
  /// The object's properties, by name.
  var properties: [String: Property] { get }
}

struct ConnectorDescription: CardObject, Equatable, Sendable {
  enum Status: Sendable { case connected, disconnected, unknown }

  var id: ConnectorID
  /// The kernel's name for the connector, such as `HDMI-A-1`.
  var name: String
  var status: Status
  var modes: [Timing] = []
  /// The encoder that drives the connector now.
  var encoder: EncoderID?
  var encoders: [EncoderID] = []
  var properties: [String: Property] = [:]
  /// The display's EDID; empty if it was not read.
  var edid: [UInt8] = []

  /// The display's identity, from its EDID; nil if the EDID is missing or invalid.
  var identity: EDID? { try? EDID(parsing: edid) }

  /// Whether the kernel marks the connector as not meant for a desktop, as it does for a VR headset.
  var isNonDesktop: Bool { properties["non-desktop"]?.value == 1 }
  /// Whether the kernel has the display's EDID. A TV that is waking up may be connected without one.
  var hasEDID: Bool { properties["EDID"].map { $0.value != 0 } ?? false }
  /// The properties that another program may have left set and that would change the picture (HDR, colour
  /// space, quantization range, depth), with their neutral values. Margins are left alone:
  /// `video=…,margin_left=` of the kernel's command line sets them for TVs that cut the edges off, and
  /// drm_atomic_helper_connector_tv_margins_reset() restores them. `link-status` is included, because the
  /// kernel keeps a connector off after a link failure until user space sets it back to "good".
  var foreignState: [(Property, UInt64)] {
    Self.neutralValues.compactMap { name, value in
      guard let property = properties[name], property.value != value else { return nil }
      return (property, value)
    }
  }

  /// `max bpc` is set to the scanout's eight bits per channel; the link may lack the bandwidth for more.
  private static let neutralValues: [(String, UInt64)] = [
    ("HDR_OUTPUT_METADATA", 0), ("Colorspace", 0), ("Broadcast RGB", 0), ("max bpc", 8), ("link-status", 0),
  ]

  var linkIsBad: Bool { properties["link-status"]?.value == 1 }
  /// Whether the connector has no EDID now but may get one later without an event, as when a TV wakes up.
  /// Only connectors for external displays may, not those of built-in panels and virtual displays.
  var mayGetEDIDLater: Bool {
    !hasEDID && ["HDMI", "DP", "DVI", "VGA"].contains { name.hasPrefix($0) }
  }
  var isWriteback: Bool { name.hasPrefix("Writeback") }
  /// Whether the connector is an analogue TV output, on which a connected TV cannot be detected.
  var isAnalogueTV: Bool { ["Composite", "SVIDEO", "Component", "TV"].contains { name.hasPrefix($0) } }
}

struct EncoderDescription: Equatable, Sendable {
  var id: EncoderID
  var crtc: CRTCID?
  var possibleCRTCs: UInt32
}

struct CRTCDescription: CardObject, Equatable, Sendable {
  var id: CRTCID
  /// The active mode; nil while the CRTC is off.
  var timing: Timing?
  var framebuffer: FramebufferID?
  var x: UInt32 = 0
  var y: UInt32 = 0
  /// The number of entries in the gamma ramp; 0 if there is none.
  var gammaSize = 0
  var properties: [String: Property] = [:]
}

struct PlaneDescription: CardObject, Equatable, Sendable {
  enum Role: UInt64, Sendable { case overlay, primary, cursor }

  var id: PlaneID
  var kind = Role.overlay
  var possibleCRTCs: UInt32
  var crtc: CRTCID?
  var framebuffer: FramebufferID?
  /// DRM fourcc codes.
  var formats: [UInt32] = []
  var properties: [String: Property] = [:]
}

/// The kernel's ID of a KMS object. `Kind` distinguishes the IDs of different types of objects.
struct ObjectID<Kind>: Hashable, Sendable {
  var rawValue: UInt32
  init(_ rawValue: UInt32) { self.rawValue = rawValue }

  /// Returns nil for 0, the kernel's "none".
  init?(nonzero rawValue: UInt32) {
    guard rawValue != 0 else { return nil }
    self.rawValue = rawValue
  }
}

enum ConnectorKind {}
enum EncoderKind {}
enum CRTCKind {}
enum PlaneKind {}
enum FramebufferKind {}
enum PropertyKind {}

typealias ConnectorID = ObjectID<ConnectorKind>
typealias EncoderID = ObjectID<EncoderKind>
typealias CRTCID = ObjectID<CRTCKind>
typealias PlaneID = ObjectID<PlaneKind>
typealias FramebufferID = ObjectID<FramebufferKind>
typealias PropertyID = ObjectID<PropertyKind>

/// A property of a KMS object: its ID, and its value when it was read.
struct Property: Hashable, Sendable {
  var id: PropertyID
  var value: UInt64
}
