// SPDX-License-Identifier: Apache-2.0

import CDRM

@testable import KMS

/// Hardware descriptions for the tests' cards.
enum Hardware {
  static let preferred = UInt32(DRM_MODE_TYPE_PREFERRED)
  static let userDefined = UInt32(DRM_MODE_TYPE_USERDEF)
  static let interlaced = UInt32(DRM_MODE_FLAG_INTERLACE)

  /// A mode with small blanking intervals. The pixel clock is rounded down to whole kilohertz, so the rate is
  /// at most the given one.
  static func mode(
    _ width: Int, _ height: Int, _ millihertz: Int = 60_000, type: UInt32 = 0, flags: UInt32 = 0
  ) -> Timing {
    let (totalWidth, totalHeight) = (width + 200, height + 40)
    let fields = flags & interlaced != 0 ? 2 : 1
    return Timing(
      clockKilohertz: UInt32(totalWidth * totalHeight * millihertz / 1_000_000 / fields),
      hDisplay: UInt16(width), hSyncStart: UInt16(width + 50), hSyncEnd: UInt16(width + 100),
      hTotal: UInt16(totalWidth), vDisplay: UInt16(height), vSyncStart: UInt16(height + 10),
      vSyncEnd: UInt16(height + 20), vTotal: UInt16(totalHeight), flags: flags, type: type,
      name: "\(width)x\(height)")
  }

  static let televisionModes = [
    mode(1920, 1080, type: preferred), mode(1920, 1080, 50_000), mode(1920, 1080, 60_000, flags: interlaced),
    mode(1280, 720), mode(720, 576, 50_000),
  ]

  private static func properties(_ names: [String], from first: UInt32) -> [String: Property] {
    var result: [String: Property] = [:]
    for (index, name) in names.enumerated() {
      result[name] = Property(id: PropertyID(first + UInt32(index)), value: 0)
    }
    return result
  }

  static func connector(
    _ id: UInt32, _ name: String, _ status: ConnectorDescription.Status = .connected,
    modes: [Timing] = televisionModes, encoder: UInt32? = nil, encoders: [UInt32] = [],
    edid: UInt64 = 77, set: [String: UInt64] = [:]
  ) -> ConnectorDescription {
    var table = properties(["CRTC_ID", "link-status", "non-desktop", "panel orientation", "EDID"], from: 100)
    table["CRTC_ID"] = nil
    table["EDID"]?.value = edid
    for (name, value) in set { table[name] = Property(id: table[name]?.id ?? PropertyID(100), value: value) }
    return ConnectorDescription(
      id: ConnectorID(id), name: name, status: status, modes: status == .disconnected ? [] : modes,
      encoder: encoder.map { EncoderID($0) }, encoders: encoders.map { EncoderID($0) }, properties: table)
  }

  static func encoder(_ id: UInt32, crtcs: UInt32, on crtc: UInt32? = nil) -> EncoderDescription {
    EncoderDescription(id: EncoderID(id), crtc: crtc.map { CRTCID($0) }, possibleCRTCs: crtcs)
  }

  static func crtc(_ id: UInt32, _ timing: Timing? = nil, framebuffer: UInt32? = nil) -> CRTCDescription {
    CRTCDescription(
      id: CRTCID(id), timing: timing, framebuffer: framebuffer.map { FramebufferID($0) },
      properties: properties(["MODE_ID", "ACTIVE", "GAMMA_LUT"], from: 200))
  }

  static let planeProperties = [
    "FB_ID", "CRTC_ID", "SRC_X", "SRC_Y", "SRC_W", "SRC_H", "CRTC_X", "CRTC_Y", "CRTC_W", "CRTC_H",
  ]

  static func plane(
    _ id: UInt32, _ kind: PlaneDescription.Role = .primary, crtcs: UInt32, on crtc: UInt32? = nil,
    framebuffer: UInt32? = nil, formats: [ScanoutFormat] = [.xrgb8888, .rgb565], more: [String] = []
  ) -> PlaneDescription {
    PlaneDescription(
      id: PlaneID(id), kind: kind, possibleCRTCs: crtcs, crtc: crtc.map { CRTCID($0) },
      framebuffer: framebuffer.map { FramebufferID($0) }, formats: formats.map(\.fourCC),
      properties: properties(planeProperties + more, from: 300))
  }

  /// A card with one connector and one CRTC, like those of virtual machines and small boards.
  static func simple(
    driver: String = "virtio_gpu", name: String = "Virtual-1",
    _ status: ConnectorDescription.Status = .connected,
    modes: [Timing] = [mode(64, 48, 100_000, type: preferred), mode(32, 24, 100_000)],
    formats: [ScanoutFormat] = [.xrgb8888]
  ) -> CardDescription {
    CardDescription(
      driver: driver, connectors: [connector(40, name, status, modes: modes, encoder: 50, encoders: [50])],
      encoders: [encoder(50, crtcs: 1)], crtcs: [crtc(60)], planes: [plane(70, crtcs: 1, formats: formats)])
  }

  /// A Pi's render node: a card without displays.
  static let v3d = CardDescription(driver: "v3d", hasDumbBuffers: false)

  /// A Pi 4's or 5's display controller with two HDMI sockets.
  static func vc4(_ first: ConnectorDescription.Status, _ second: ConnectorDescription.Status)
    -> CardDescription
  {
    CardDescription(
      driver: "vc4",
      connectors: [
        connector(32, "HDMI-A-1", first, encoder: first == .connected ? 31 : nil, encoders: [31]),
        connector(42, "HDMI-A-2", second, encoder: second == .connected ? 41 : nil, encoders: [41]),
        connector(52, "Writeback-1", .unknown, encoders: [51]),
      ],
      encoders: [encoder(31, crtcs: 0b0010), encoder(41, crtcs: 0b0100), encoder(51, crtcs: 0b0001)],
      crtcs: [crtc(60), crtc(61), crtc(62)],
      planes: [plane(70, crtcs: 1), plane(71, crtcs: 2), plane(72, crtcs: 4), plane(73, .cursor, crtcs: 7)])
  }
}
