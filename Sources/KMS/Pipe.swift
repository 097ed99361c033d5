// SPDX-License-Identifier: Apache-2.0

/// A display pipeline: plane → CRTC → connector, and the other active objects that are in the way.
struct Pipe: Equatable, Sendable {
  var connector: ConnectorDescription
  var crtc: CRTCDescription
  /// The CRTC's primary plane; nil if the kernel lists none. Legacy commits need no plane.
  var plane: PlaneDescription?
  /// Everything else that is on and must be turned off.
  var otherConnectors: [ConnectorDescription] = []
  var otherCRTCs: [CRTCDescription] = []
  var otherPlanes: [PlaneDescription] = []

  /// Whether it consists of the same objects as `other`, whatever else has changed on the card.
  func usesSameObjects(as other: Pipe) -> Bool {
    connector.id == other.connector.id && crtc.id == other.crtc.id && plane?.id == other.plane?.id
  }
}

/// A combination of mode and format to try.
struct ScanoutCandidate: Hashable, Sendable {
  var timing: Timing
  var format: ScanoutFormat

  func isSame(as other: ScanoutCandidate) -> Bool {
    format == other.format && timing.isSameSignal(as: other.timing)
  }

  /// The size of a buffer in bytes.
  var byteCount: Int { timing.size.width * timing.size.height * format.pixelFormat.bytesPerPixel }
  /// The bytes per second that scanout reads.
  var bandwidth: Int { byteCount / 1000 * timing.refreshMillihertz }
}

/// The result of `PipeSelection`.
struct PipeChoice: Equatable, Sendable {
  var pipe: Pipe
  /// Best first. The later ones are fallbacks in case the card lacks the memory or the bandwidth.
  var candidates: [ScanoutCandidate]
  /// Notes for the user, such as that the configured mode is not offered.
  var notes: [String] = []
}
