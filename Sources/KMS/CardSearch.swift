// SPDX-License-Identifier: Apache-2.0

import Display
import Glibc
import LinuxSystem

/// Searches the cards for one with a display that this process may drive.
struct CardSearch {
  struct Found {
    var device: any KMSDevice
    var card: CardDescription
    var choice: PipeChoice
  }

  var source: any CardSource
  var preferences: OutputPreferences
  /// Whether to use the firmware's framebuffer if there is nothing better.
  var acceptsFirmware: Bool
  /// The mode that each display had when its EDID was last read, by connector name.
  var remembered: [String: Timing] = [:]
  /// The connector in use on the current card.
  var connector: ConnectorID?
  /// The CRTCs of the current card that refused every mode.
  var avoided: Set<CRTCID> = []

  /// Opens the cards in turn. Those that are not chosen are closed again, so that other programs can use them.
  /// `current` is the card in use: it stays open, and is kept if no other is better.
  func run(current: (any KMSDevice)?) -> Result<Found, DisplayProblem> {
    var mine: Result<Found, DisplayProblem>?
    if let current, isStillWanted(current) {
      let result = look(at: current, isCurrent: true)
      // A good card that is already in use is kept. The other cards are not opened, because that may wake up their
      // hardware.
      if case .success(let found) = result, !found.card.isFirmwareFramebuffer { return result }
      mine = result
    }
    var best: Found?
    var problem: DisplayProblem?
    func note(_ other: DisplayProblem) {
      if other.rank > (problem?.rank ?? -1) { problem = other }
    }
    let all = source.paths()
    var drivers: [String] = []
    for path in wantedPaths(all) {
      let device: any KMSDevice
      do throws(SystemError) {
        if let current, current.path == path { device = current } else { device = try source.open(path) }
      } catch {
        note(Self.problem(opening: path, error))
        continue
      }
      drivers.append(device.driver)
      if case .driver(let name) = preferences.wantedCard, device.driver != name { continue }
      let isCurrent = device === current
      switch isCurrent ? mine ?? look(at: device, isCurrent: true) : look(at: device, isCurrent: false) {
      case .failure(let other): note(other)
      case .success(let found):
        if penalty(found) < (best.map(penalty) ?? Int.max) { best = found }
      }
    }
    if let best {
      if best.card.isFirmwareFramebuffer, !acceptsFirmware, preferences.wantedCard == .auto {
        return .failure(.onlyFirmwareFramebuffer(path: best.device.path))
      }
      return .success(best)
    }
    return .failure(problem ?? nothing(all, drivers))
  }

  /// Becomes master of one card, reads its description and selects a pipe.
  private func look(at device: any KMSDevice, isCurrent: Bool) -> Result<Found, DisplayProblem> {
    do throws(SystemError) {
      // Only the master may probe connectors; other clients get the results of the last probe.
      var mastery: SystemError?
      do throws(SystemError) { try device.becomeMaster() } catch { mastery = error }
      let card = try device.describe()
      guard card.canScanOut else { return .failure(.noScanout(["\(device.path) (\(device.driver))"])) }
      if let mastery {
        return .failure(
          CommitFailure(mastery) == .cardGone
            ? .cardLost(path: device.path, mastery) : .cardBusy(path: device.path))
      }
      return PipeSelection.select(
        on: card, preferences, remembered: remembered, current: isCurrent ? connector : nil,
        avoided: isCurrent ? avoided : []
      ).map {
        Found(device: device, card: card, choice: $0)
      }
    } catch {
      return .failure(.cardLost(path: device.path, error))
    }
  }

  private func isStillWanted(_ device: any KMSDevice) -> Bool {
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

  /// Ranks a card that was found; lower is better. Prefers a native driver, then a display that is known to be
  /// connected.
  private func penalty(_ found: Found) -> Int {
    (found.card.isFirmwareFramebuffer ? 2 : 0) + (found.choice.pipe.connector.status == .connected ? 0 : 1)
  }

  private func nothing(_ all: [String], _ drivers: [String]) -> DisplayProblem {
    switch preferences.wantedCard {
    case .path(let path): .cardMissing(path)
    case .driver(let name) where !all.isEmpty: .driverMissing(name, found: drivers)
    default: .noCard(directory: source.directory)
    }
  }

  private static func problem(opening path: String, _ error: SystemError) -> DisplayProblem {
    switch error.errno.rawValue {
    case EACCES, EPERM: .permissionDenied(path: path)
    default: .cardLost(path: path, error)
    }
  }
}

extension CardSearch {
  /// Whether there is a card that this process may drive, whether or not a display is connected.
  func isAnyUsable() -> Bool {
    for path in wantedPaths(source.paths()) {
      guard let device = try? source.open(path) else { continue }
      if case .driver(let name) = preferences.wantedCard, device.driver != name { continue }
      guard let card = try? device.describe(), card.canScanOut else { continue }
      guard (try? device.becomeMaster()) != nil else { continue }
      return true
    }
    return false
  }
}

extension OutputPreferences {
  enum Card: Hashable, Sendable {
    case auto
    case path(String)
    case driver(String)
  }

  /// The preference `card`, parsed. Anything with a slash, and `card` followed by a number, is a path.
  var wantedCard: Card {
    if card.isEmpty || card == "auto" { return .auto }
    if card.contains("/") { return .path(card) }
    if card.hasPrefix("card"), Int(card.dropFirst(4)) != nil { return .path("/dev/dri/\(card)") }
    return .driver(card)
  }
}
