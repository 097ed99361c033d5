// SPDX-License-Identifier: Apache-2.0

import CDRM
import Display

/// A display pipeline: plane → CRTC → connector, and the other active objects, which must be turned off.
struct Pipe: Equatable, Sendable {
  var connector: ConnectorDescription
  var crtc: CRTCDescription
  /// The CRTC's primary plane; nil if the kernel lists none. Legacy commits need no plane.
  var plane: PlaneDescription?
  /// Everything else that is on and must be turned off.
  var otherConnectors: [ConnectorDescription] = []
  var otherCRTCs: [CRTCDescription] = []
  var otherPlanes: [PlaneDescription] = []

  /// Whether this pipe consists of the same objects as `other`, regardless of other changes on the card.
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

/// Chooses connector, CRTC, plane, mode and format on a card. A pure function: takes the hardware's description
/// and the preferences, returns a pipe or the reason why there is none.
enum PipeSelection {
  /// - Parameters:
  ///   - remembered: the mode that each display had when its EDID was last read, by connector name.
  ///   - current: the connector in use, which is kept as long as its display is connected.
  ///   - avoided: the CRTCs that refused every mode; they are used only if there is no other.
  static func select(
    on card: CardDescription, _ preferences: OutputPreferences, remembered: [String: Timing] = [:],
    current: ConnectorID? = nil, avoided: Set<CRTCID> = []
  ) -> Result<PipeChoice, DisplayProblem> {
    switch connectors(of: card, preferences, current) {
    case .failure(let problem): return .failure(problem)
    case .success(let connectors):
      var problem: DisplayProblem?
      // Try the next connector if one cannot be driven.
      for connector in connectors {
        switch choice(for: recalling(remembered, connector), on: card, preferences, avoided) {
        case .success(let choice): return .success(choice)
        case .failure(let other): if (problem?.rank ?? -1) < other.rank { problem = other }
        }
      }
      return .failure(problem ?? .noDisplay(connectors: card.connectors.map(\.name)))
    }
  }

  /// Prepends the remembered mode if the connector has no EDID. The modes of a connected display without an
  /// EDID (a TV that is waking up) are the kernel's defaults, 1024×768 first, so its previous mode is a better
  /// guess.
  private static func recalling(
    _ remembered: [String: Timing], _ connector: ConnectorDescription
  ) -> ConnectorDescription {
    guard !connector.hasEDID, var timing = remembered[connector.name] else { return connector }
    timing.type |= UInt32(DRM_MODE_TYPE_PREFERRED)
    var recalling = connector
    recalling.modes.removeAll { $0.isSameSignal(as: timing) && !$0.isUserDefined }
    recalling.modes.insert(timing, at: 0)
    return recalling
  }

  /// Returns the connectors with a display, best first.
  private static func connectors(
    of card: CardDescription, _ preferences: OutputPreferences, _ current: ConnectorID?
  ) -> Result<[ConnectorDescription], DisplayProblem> {
    let real = card.connectors.filter { !$0.isWriteback }
    if let name = preferences.wantedConnector {
      guard let connector = real.first(where: { $0.name == name }) else {
        return .failure(.connectorMissing(name, found: real.map(\.name)))
      }
      guard connector.status != .disconnected else { return .failure(.noDisplay(connectors: [name])) }
      return .success([connector])
    }
    // A headset is used only if it is configured by name.
    let desktop = real.filter { !$0.isNonDesktop && $0.status != .disconnected }
    guard !desktop.isEmpty else { return .failure(.noDisplay(connectors: real.map(\.name))) }
    // "Unknown" means a panel or a cable that cannot be detected. libdrm's documentation says to try those
    // last.
    let kept = desktop.filter { $0.id == current && $0.status == .connected }
    return .success(
      kept + desktop.filter { $0.status == .connected && !$0.isAnalogueTV }
        + desktop.filter { $0.status == .connected && $0.isAnalogueTV }
        + desktop.filter { $0.status == .unknown })
  }

  private static func choice(
    for connector: ConnectorDescription, on card: CardDescription, _ preferences: OutputPreferences,
    _ avoided: Set<CRTCID>
  ) -> Result<PipeChoice, DisplayProblem> {
    guard let index = crtcIndex(for: connector, on: card, avoided) else {
      return .failure(.noPipe(connector: connector.name))
    }
    let crtc = card.crtcs[index]
    let plane = primaryPlane(crtcIndex: index, on: card)
    var (timings, notes) = ModeSelection.order(
      connector.modes, active: crtc.timing, limit: card.maximumSize, preferences.mode)
    guard !timings.isEmpty else { return .failure(.noModes(connector: connector.name)) }
    let formats = ScanoutFormat.usable(listed: plane?.formats ?? [], wanted: preferences.format)
    guard let format = formats.first else { return .failure(.noPipe(connector: connector.name)) }
    if let wanted = preferences.format.format, wanted != format, format != .argb8888 || wanted != .xrgb8888 {
      notes.append(
        "\(connector.name): the card does not support \(wanted.rawValue); using \(format.rawValue) instead"
      )
    }

    let pipe = Pipe(
      connector: connector, crtc: crtc, plane: plane,
      otherConnectors: card.connectors.filter { other in
        other.id != connector.id && card.crtc(driving: other) != nil
      },
      otherCRTCs: card.crtcs.filter { $0.id != crtc.id && $0.timing != nil },
      otherPlanes: card.planes.filter { $0.id != plane?.id && $0.framebuffer != nil })
    let candidates = timings.flatMap { timing in
      formats.map { ScanoutCandidate(timing: timing, format: $0) }
    }
    return .success(PipeChoice(pipe: pipe, candidates: candidates, notes: notes))
  }

  /// The CRTC that already drives the connector, if it fits (which avoids flicker at boot); otherwise one that
  /// is idle; otherwise any that fits.
  private static func crtcIndex(
    for connector: ConnectorDescription, on card: CardDescription, _ avoided: Set<CRTCID>
  ) -> Int? {
    let encoders = connector.encoders.compactMap { card.encoder($0) }
    guard let first = encoders.first else { return nil }
    // The kernel chooses the encoder, so only a CRTC that fits all of them is sure to work.
    var mask = encoders.reduce(UInt32.max) { $0 & $1.possibleCRTCs }
    if mask == 0 { mask = (card.encoder(connector.encoder) ?? first).possibleCRTCs }
    let possible = card.crtcs.indices.filter { $0 < 32 && mask & (1 << UInt32($0)) != 0 }
    let others = possible.filter { !avoided.contains(card.crtcs[$0].id) }
    let fitting = others.isEmpty ? possible : others

    if let current = card.crtc(driving: connector),
      let index = fitting.first(where: { card.crtcs[$0].id == current })
    {
      return index
    }
    let withPlane = fitting.filter { primaryPlane(crtcIndex: $0, on: card) != nil || card.planes.isEmpty }
    return withPlane.first { card.crtcs[$0].timing == nil } ?? withPlane.first ?? fitting.first
  }

  private static func primaryPlane(crtcIndex: Int, on card: CardDescription) -> PlaneDescription? {
    let crtc = card.crtcs[crtcIndex].id
    let fitting = card.planes.filter {
      $0.kind == .primary && crtcIndex < 32 && $0.possibleCRTCs & (1 << UInt32(crtcIndex)) != 0
    }
    return fitting.first { $0.crtc == crtc } ?? fitting.first { $0.crtc == nil } ?? fitting.first
  }
}

extension OutputPreferences {
  /// Nil means any.
  var wantedConnector: String? { connector.isEmpty || connector == "auto" ? nil : connector }
}
