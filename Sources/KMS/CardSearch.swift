// SPDX-License-Identifier: Apache-2.0

import Display
import Glibc
import LinuxSystem

/// Searches the cards for displays that this process may drive.
struct CardSearch {
  /// A card that can drive displays.
  struct Found {
    var device: DRMDevice
    var card: CardDescription
    var assignment: PipeAssignment
  }

  struct Result {
    /// The cards that were looked at and can drive displays, in the order of their numbers. Some may have no
    /// display.
    var found: [Found] = []
    /// Why other cards cannot be used, by path.
    var problems: [String: DisplayProblem] = [:]
    /// All cards that exist.
    var paths: [String] = []
    /// Why there is no card to look at; nil if there is one, or if only some cards were searched.
    var missing: DisplayProblem?
  }

  var source: any CardSource
  var preferences: OutputPreferences
  /// Whether to use the firmware's framebuffer if there is nothing better.
  var acceptsFirmware: Bool
  /// The cards in use, by path. They are not opened again.
  var open: [String: DRMDevice] = [:]
  /// What is known about displays, by connector name.
  var hints: [String: PipeHint] = [:]

  /// Opens the cards, or only those in `scope`. Returns them, and the connectors that must be probed before
  /// `run` is called. Skips cards that cannot be opened or have another master; `run` reports why.
  ///
  /// - Parameter isToBeProbed: whether a connector of a card is to be probed.
  func prepare(
    scope: Set<String>? = nil, _ isToBeProbed: (DRMDevice, ConnectorDescription) -> Bool
  ) -> (devices: [String: DRMDevice], requests: [ProbeRequest]) {
    var devices: [String: DRMDevice] = [:]
    var requests: [ProbeRequest] = []
    for path in wantedPaths(source.paths()) where scope?.contains(path) ?? true {
      // An error may be temporary, and without a probe a display may seem to have no modes.
      guard let (device, card) = examine(path) ?? examine(path) else { continue }
      devices[path] = device
      let connectors = card.connectors.filter { isToBeProbed(device, $0) }.map(\.id)
      if !connectors.isEmpty { requests.append(ProbeRequest(device: device, connectors: connectors)) }
    }
    return (devices, requests)
  }

  /// Opens a card, becomes its master, and describes it; nil if it cannot be used.
  private func examine(_ path: String) -> (device: DRMDevice, card: CardDescription)? {
    guard let device = try? device(at: path), isWanted(device), let card = try? describe(device) else {
      return nil
    }
    return (device, card)
  }

  /// Describes the cards, or only those in `scope`, and selects pipes on them. The caller keeps the devices
  /// that it uses. The other devices that this call opened are closed when the result is destroyed, so that
  /// other programs can use their cards.
  func run(scope: Set<String>? = nil) -> Result {
    var result = Result(paths: source.paths())
    var drivers: [String] = []
    for path in wantedPaths(result.paths) where scope?.contains(path) ?? true {
      do throws(DisplayProblem) {
        let device = try device(at: path)
        drivers.append(device.driver)
        guard isWanted(device) else { continue }
        let card = try describe(device)
        let assignment = PipeSelection.select(on: card, preferences, hints: hints)
        result.found.append(Found(device: device, card: card, assignment: assignment))
      } catch {
        result.problems[path] = error
      }
    }
    if !acceptsFirmware || result.found.contains(where: \.isNativeWithDisplay) { dropFirmware(&result) }
    if scope == nil, result.found.isEmpty, result.problems.isEmpty {
      result.missing = nothing(result.paths, drivers)
    }
    return result
  }

  private func device(at path: String) throws(DisplayProblem) -> DRMDevice {
    if let known = open[path] { return known }
    do throws(SystemError) { return try source.open(path) } catch {
      switch error.errno.rawValue {
      case EACCES, EPERM: throw .permissionDenied(path: path)
      default: throw .cardLost(path: path, error)
      }
    }
  }

  /// Becomes master of a card and reads its description. A card that cannot drive displays needs no master.
  private func describe(_ device: DRMDevice) throws(DisplayProblem) -> CardDescription {
    let path = device.path
    var refusal: SystemError?
    do throws(SystemError) { try device.becomeMaster() } catch { refusal = error }
    let card: CardDescription
    do throws(SystemError) { card = try device.describe() } catch { throw .cardLost(path: path, error) }
    guard card.canScanOut else { throw .noScanout(["\(path) (\(device.driver))"]) }
    guard let refusal else { return card }
    throw CommitFailure(refusal) == .cardGone ? .cardLost(path: path, refusal) : .cardBusy(path: path)
  }

  private func dropFirmware(_ result: inout Result) {
    guard preferences.wantedCard == .auto else { return }
    for found in result.found where found.card.isFirmwareFramebuffer && !found.assignment.choices.isEmpty {
      result.problems[found.device.path] = .onlyFirmwareFramebuffer(path: found.device.path)
    }
    result.found.removeAll { $0.card.isFirmwareFramebuffer }
  }

  /// Whether the configuration allows the card.
  func isWanted(_ device: DRMDevice) -> Bool {
    switch preferences.wantedCard {
    case .auto: true
    case .path(let path): source.resolve(path) == device.path
    case .driver(let name): device.driver == name
    }
  }

  private func wantedPaths(_ all: [String]) -> [String] {
    guard case .path(let path) = preferences.wantedCard else { return all }
    let resolved = source.resolve(path)
    return all.contains(resolved) ? [resolved] : []
  }

  private func nothing(_ all: [String], _ drivers: [String]) -> DisplayProblem {
    switch preferences.wantedCard {
    case .path(let path): .cardMissing(path, found: all)
    case .driver(let name) where !all.isEmpty: .driverMissing(name, found: drivers)
    default: .noCard(directory: source.directory)
    }
  }
}

extension CardSearch.Found {
  fileprivate var isNativeWithDisplay: Bool {
    !card.isFirmwareFramebuffer && !assignment.choices.isEmpty
  }
}

extension OutputPreferences {
  enum Card: Hashable, Sendable {
    case auto
    case path(String)
    case driver(String)
  }

  /// The preference `card`, parsed. A value with a slash is a path, and so is `card` followed by a number.
  var wantedCard: Card {
    if card.isEmpty || card == "auto" { return .auto }
    if card.contains("/") { return .path(card) }
    if card.hasPrefix("card"), Int(card.dropFirst(4)) != nil { return .path("/dev/dri/\(card)") }
    return .driver(card)
  }
}
