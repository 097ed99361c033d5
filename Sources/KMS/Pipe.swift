// SPDX-License-Identifier: Apache-2.0

/// A way from memory to glass: plane → CRTC → connector, and what stands in its way.
struct Pipe: Equatable, Sendable {
  var connector: ConnectorDescription
  var crtc: CRTCDescription
  /// The CRTC's primary plane; nil where the kernel tells of none (legacy commits need none).
  var plane: PlaneDescription?
  /// What else is on and is to be turned off.
  var otherConnectors: [ConnectorDescription] = []
  var otherCRTCs: [CRTCDescription] = []
  var otherPlanes: [PlaneDescription] = []

  /// Whether frames go the same way as by `other`, whatever else changed on the card.
  func isSameWay(as other: Pipe) -> Bool {
    connector.id == other.connector.id && crtc.id == other.crtc.id && plane?.id == other.plane?.id
  }
}

/// A mode and a format to try.
struct ScanoutCandidate: Hashable, Sendable {
  var timing: Timing
  var format: ScanoutFormat

  func isSame(as other: ScanoutCandidate) -> Bool {
    format == other.format && timing.isSameSignal(as: other.timing)
  }

  /// What a buffer takes.
  var byteCount: Int { timing.size.width * timing.size.height * format.pixelFormat.bytesPerPixel }
  /// Bytes a second that scanout reads.
  var bandwidth: Int { byteCount / 1000 * timing.refreshMillihertz }
}

/// What `PipeSelection` found.
struct PipeChoice: Equatable, Sendable {
  var pipe: Pipe
  /// Best first; the later ones are the way out when the card has not the memory or the bandwidth.
  var candidates: [ScanoutCandidate]
  /// What a person should know, e.g. that the configured mode is not offered.
  var notes: [String] = []
}
