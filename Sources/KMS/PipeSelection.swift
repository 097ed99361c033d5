// SPDX-License-Identifier: Apache-2.0

import CDRM
import Display

/// A display pipeline: plane → CRTC → connector.
struct Pipe: Equatable, Sendable {
  var connector: ConnectorDescription
  var crtc: CRTCDescription
  /// The CRTC's primary plane; nil if the kernel lists none. Legacy commits need no plane.
  var plane: PlaneDescription?

  /// Whether this pipe consists of the same objects as `other`, regardless of other changes on the card.
  func usesSameObjects(as other: Pipe) -> Bool {
    connector.id == other.connector.id && crtc.id == other.crtc.id && plane?.id == other.plane?.id
  }
}

/// Objects of a card that are turned off together.
struct CardObjects: Equatable, Sendable {
  var connectors: [ConnectorDescription] = []
  var crtcs: [CRTCDescription] = []
  var planes: [PlaneDescription] = []
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
  /// An estimate of the memory that a display needs, in bytes: two buffers, the shadow with four bytes a
  /// pixel, and the pictures of the widgets, which took up to 18 bytes a pixel
  /// (`Tests/EndToEnd/test_memory.py`).
  var memoryNeeded: Int { 2 * byteCount + timing.size.width * timing.size.height * 22 }
  /// The bytes per second that scanout reads.
  var bandwidth: Int { byteCount / 1000 * timing.refreshMillihertz }
}

/// A pipe for one display.
struct PipeChoice: Equatable, Sendable {
  var pipe: Pipe
  /// The preferences for this display.
  var preferences: OutputPreferences
  /// The name of the rule that applies to the display.
  var rule: String?
  /// Best first. The later ones are fallbacks in case the card lacks the memory or the bandwidth.
  var candidates: [ScanoutCandidate]
  /// Notes for the user, such as that the configured mode is not offered.
  var notes: [String] = []
}

/// What is known about a display from earlier searches.
struct PipeHint {
  /// The mode that the display had when its EDID was last read.
  var remembered: Timing?
  /// Whether the display is in use.
  var isInUse = false
  /// The CRTCs that refused every mode for the display; they are used only if there is no other.
  var avoided: Set<CRTCID> = []
}

/// The pipes for a card's displays: the result of `PipeSelection`.
struct PipeAssignment: Equatable, Sendable {
  var choices: [PipeChoice] = []
  /// Why other connectors have no pipe, by name.
  var problems: [String: DisplayProblem] = [:]
  /// The objects that are on and belong to none of the pipes.
  var foreign = CardObjects()

  /// Why the card drives no display; nil if it drives one.
  var problem: DisplayProblem? {
    guard choices.isEmpty else { return nil }
    let worst = problems.values.worst
    guard let worst, worst.isNoDisplay else { return worst ?? .noDisplay(connectors: []) }
    return .noDisplay(connectors: problems.filter { $0.value.isNoDisplay }.keys.sorted())
  }
}

/// Chooses connectors, CRTCs, planes, modes and formats on a card. A pure function: takes the hardware's
/// description and the preferences, returns a pipe for each display or the reason why there is none.
enum PipeSelection {
  /// - Parameter hints: what is known about displays, by connector name.
  static func select(
    on card: CardDescription, _ preferences: OutputPreferences, hints: [String: PipeHint] = [:]
  ) -> PipeAssignment {
    var assignment = PipeAssignment()
    var wanted: [(connector: ConnectorDescription, rule: OutputRule?)] = []
    for connector in card.connectors where !connector.isWriteback {
      let rule = preferences.rules.rule(for: connector.name) { connector.identity?.matches($0) ?? false }
      if let problem = reasonToSkip(connector, rule, preferences) {
        assignment.problems[connector.name] = problem
      } else {
        wanted.append((recalling(hints[connector.name]?.remembered, connector), rule))
      }
    }
    if let name = preferences.wantedConnector, !card.connectors.contains(where: { $0.name == name }) {
      let found = card.connectors.filter { !$0.isWriteback }.map(\.name)
      assignment.problems[name] = .connectorMissing(name, found: found)
    }
    wanted = sorted(wanted, hints)
    // "Unknown" means a panel or a cable that cannot be detected. libdrm's documentation says to try those
    // last.
    if wanted.contains(where: { $0.connector.status == .connected }) {
      wanted.removeAll { item in
        let isChosen = item.rule?.name == item.connector.name || preferences.wantedConnector != nil
        guard item.connector.status == .unknown, !isChosen else { return false }
        assignment.problems[item.connector.name] = .noDisplay(connectors: [item.connector.name])
        return true
      }
    }
    let indices = crtcIndices(for: wanted.map(\.connector), on: card, hints)
    var taken: Set<PlaneID> = []
    for (item, index) in zip(wanted, indices) {
      let name = item.connector.name
      guard let index else {
        assignment.problems[name] = .noPipe(connector: name)
        continue
      }
      let plane = primaryPlane(crtcIndex: index, on: card, taken)
      switch choice(item.connector, item.rule, card.crtcs[index], plane, card, preferences) {
      case .success(let choice):
        assignment.choices.append(choice)
        if let plane { taken.insert(plane.id) }
      case .failure(let problem): assignment.problems[name] = problem
      }
    }
    assignment.foreign = foreign(on: card, assignment.choices.map(\.pipe))
    return assignment
  }

  private static func reasonToSkip(
    _ connector: ConnectorDescription, _ rule: OutputRule?, _ preferences: OutputPreferences
  ) -> DisplayProblem? {
    if let wanted = preferences.wantedConnector, wanted != connector.name {
      return .notConfigured(connector: connector.name)
    }
    if let rule, !rule.isEnabled { return .notConfigured(connector: connector.name) }
    // A headset is used only if the config has a table for it or selects its connector.
    if connector.isNonDesktop, rule == nil, preferences.wantedConnector == nil {
      return .notConfigured(connector: connector.name)
    }
    return connector.status == .disconnected ? .noDisplay(connectors: [connector.name]) : nil
  }

  /// Sorts the connectors by importance, in case there are more displays than CRTCs.
  private static func sorted(
    _ wanted: [(connector: ConnectorDescription, rule: OutputRule?)], _ hints: [String: PipeHint]
  ) -> [(connector: ConnectorDescription, rule: OutputRule?)] {
    func rank(_ connector: ConnectorDescription) -> Int {
      if connector.status == .unknown { return 3 }
      if hints[connector.name]?.isInUse == true { return 0 }
      return connector.isAnalogueTV ? 2 : 1
    }
    return wanted.enumerated().sorted {
      (rank($0.element.connector), $0.offset) < (rank($1.element.connector), $1.offset)
    }.map(\.element)
  }

  /// Prepends the remembered mode if the connector has no EDID. The modes of a connected display without an
  /// EDID (a TV that is waking up) are the kernel's defaults, 1024×768 first, so its previous mode is a
  /// better guess.
  private static func recalling(
    _ remembered: Timing?, _ connector: ConnectorDescription
  ) -> ConnectorDescription {
    guard !connector.hasEDID, var timing = remembered else { return connector }
    timing.type |= UInt32(DRM_MODE_TYPE_PREFERRED)
    var recalling = connector
    recalling.modes.removeAll { $0.isSameSignal(as: timing) && !$0.isUserDefined }
    recalling.modes.insert(timing, at: 0)
    return recalling
  }

  private static func choice(
    _ connector: ConnectorDescription, _ rule: OutputRule?, _ crtc: CRTCDescription,
    _ plane: PlaneDescription?,
    _ card: CardDescription, _ preferences: OutputPreferences
  ) -> Result<PipeChoice, DisplayProblem> {
    let preferences = preferences.applying(rule)
    var (timings, notes) = ModeSelection.order(
      connector.modes, active: crtc.timing, limit: card.maximumSize, preferences.mode)
    guard !timings.isEmpty else { return .failure(.noModes(connector: connector.name)) }
    let formats = ScanoutFormat.usable(listed: plane?.formats ?? [], wanted: preferences.format)
    guard let format = formats.first else { return .failure(.noPipe(connector: connector.name)) }
    if let wanted = preferences.format.format, wanted != format, format != .argb8888 || wanted != .xrgb8888 {
      notes.append("the card does not support \(wanted.rawValue); using \(format.rawValue) instead")
    }
    let candidates = timings.flatMap { timing in
      formats.map { ScanoutCandidate(timing: timing, format: $0) }
    }
    return .success(
      PipeChoice(
        pipe: Pipe(connector: connector, crtc: crtc, plane: plane), preferences: preferences,
        rule: rule?.name, candidates: candidates, notes: notes))
  }

  private static func foreign(on card: CardDescription, _ pipes: [Pipe]) -> CardObjects {
    CardObjects(
      connectors: card.connectors.filter { connector in
        card.crtc(driving: connector) != nil && !pipes.contains { $0.connector.id == connector.id }
      },
      crtcs: card.crtcs.filter { crtc in
        crtc.timing != nil && !pipes.contains { $0.crtc.id == crtc.id }
      },
      planes: card.planes.filter { plane in
        plane.framebuffer != nil && !pipes.contains { $0.plane?.id == plane.id }
      })
  }

  // MARK: CRTCs and planes

  /// Returns the index of a CRTC for each connector, or nil. Drives as many connectors as possible, the first
  /// ones first.
  ///
  /// Each connector gets the best of its CRTCs that are free. If none is free, another connector is moved to
  /// a CRTC that is less good for it (Kuhn's algorithm for bipartite matching).
  private static func crtcIndices(
    for connectors: [ConnectorDescription], on card: CardDescription, _ hints: [String: PipeHint]
  ) -> [Int?] {
    let fitting = connectors.map { fittingCRTCs(for: $0, on: card, hints[$0.name]?.avoided ?? []) }
    var owners: [Int: Int] = [:]
    func place(_ connector: Int, _ visited: inout Set<Int>) -> Bool {
      if let free = fitting[connector].first(where: { owners[$0] == nil }) {
        owners[free] = connector
        return true
      }
      for index in fitting[connector] where visited.insert(index).inserted {
        if let owner = owners[index], place(owner, &visited) {
          owners[index] = connector
          return true
        }
      }
      return false
    }
    for connector in connectors.indices {
      var visited: Set<Int> = []
      _ = place(connector, &visited)
    }
    return connectors.indices.map { connector in owners.first { $0.value == connector }?.key }
  }

  /// The CRTCs that can drive a connector, best first: the one that drives it already (which avoids flicker
  /// at boot), those that are idle, the others, those without a primary plane, and last those in `avoided`.
  private static func fittingCRTCs(
    for connector: ConnectorDescription, on card: CardDescription, _ avoided: Set<CRTCID>
  ) -> [Int] {
    let encoders = connector.encoders.compactMap { card.encoder($0) }
    guard let first = encoders.first else { return [] }
    // The kernel chooses the encoder, so only a CRTC that fits all of them is sure to work.
    var mask = encoders.reduce(UInt32.max) { $0 & $1.possibleCRTCs }
    if mask == 0 { mask = (card.encoder(connector.encoder) ?? first).possibleCRTCs }
    let current = card.crtc(driving: connector)
    func rank(_ index: Int) -> Int {
      let crtc = card.crtcs[index]
      if avoided.contains(crtc.id) { return 4 }
      if crtc.id == current { return 0 }
      guard card.planes.isEmpty || primaryPlane(crtcIndex: index, on: card, []) != nil else { return 3 }
      return crtc.timing == nil ? 1 : 2
    }
    return card.crtcs.indices.filter { $0 < 32 && mask & (1 << UInt32($0)) != 0 }
      .sorted { (rank($0), $0) < (rank($1), $1) }
  }

  private static func primaryPlane(
    crtcIndex: Int, on card: CardDescription, _ taken: Set<PlaneID>
  ) -> PlaneDescription? {
    let crtc = card.crtcs[crtcIndex].id
    let fitting = card.planes.filter {
      $0.kind == .primary && crtcIndex < 32 && $0.possibleCRTCs & (1 << UInt32(crtcIndex)) != 0
        && !taken.contains($0.id)
    }
    return fitting.first { $0.crtc == crtc } ?? fitting.first { $0.crtc == nil } ?? fitting.first
  }
}

extension OutputPreferences {
  /// Nil means any.
  var wantedConnector: String? { connector.isEmpty || connector == "auto" ? nil : connector }
}
