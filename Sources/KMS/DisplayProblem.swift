// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// Why there is no picture. Each distinct problem is logged once until a display is found. `flipsLost` is
/// logged once until page flips complete again.
enum DisplayProblem: Error, Hashable, Sendable {
  case noCard(directory: String)
  case cardMissing(String, found: [String])
  case driverMissing(String, found: [String])
  case permissionDenied(path: String)
  case cardBusy(path: String)
  /// There are cards, but none can drive a display (only a Pi's v3d, for example).
  case noScanout([String])
  /// Only the firmware's framebuffer was found; the native driver may still load.
  case onlyFirmwareFramebuffer(path: String)
  case connectorMissing(String, found: [String])
  case noDisplay(connectors: [String])
  /// The config does not use the connector, or the connector is for a headset.
  case notConfigured(connector: String)
  case noModes(connector: String)
  case noPipe(connector: String)
  /// The kernel refused every mode and format.
  case refused(connector: String, SystemError)
  /// The card was removed or failed with an unexpected error.
  case cardLost(path: String, SystemError)
  /// Page flips never complete.
  case flipsLost(connector: String)
  /// Another virtual terminal is active.
  case consoleAway

  /// A one-line message: what is wrong and what to try.
  var description: String {
    switch self {
    case .noCard(let directory):
      "no display device in \(directory); waiting for one (is the kernel's DRM driver loaded?)"
    case .cardMissing(let card, let found):
      "the configured card \(card) does not exist (found: \(list(found))); waiting for it. Numbers of cards may change "
        + "at each start; a driver's name or a path below /dev/dri/by-path does not"
    case .driverMissing(let driver, let found):
      "no card has the configured driver \(driver) (found: \(list(found))); waiting for one"
    case .permissionDenied(let path):
      "no permission to open \(path); the user must be in the group 'video' "
        + "(usermod -a -G video USER, then log in again)"
    case .cardBusy(let path):
      "another program (e.g. a desktop session) is using \(path); waiting until it exits "
        + "(find it with: fuser -v \(path))"
    case .noScanout(let cards):
      "no card can drive a display (checked: \(list(cards))); waiting for one"
    case .onlyFirmwareFramebuffer(let path):
      "\(path) is the firmware's framebuffer; waiting briefly for the native driver"
    case .connectorMissing(let name, let found):
      "no card has the configured connector \(name) (found: \(list(found))); waiting for it"
    case .noDisplay(let connectors):
      "no display is connected (checked: \(list(connectors))); waiting for one"
    case .notConfigured(let connector):
      "the config does not use the display on \(connector)"
    case .noModes(let connector):
      "the display on \(connector) offers no modes; if it is on, set one on the kernel command line "
        + "(video=\(connector):1920x1080@60D)"
    case .noPipe(let connector):
      "the card has no free CRTC for \(connector)"
    case .refused(let connector, let error):
      "the kernel refused every mode for \(connector): \(error)"
    case .cardLost(let path, let error):
      "lost the card \(path): \(error); looking for another"
    case .flipsLost(let connector):
      "frames on \(connector) do not reach the display; retrying"
    case .consoleAway:
      "another virtual terminal is active; waiting for a switch back"
    }
  }

  private func list(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }

  /// How close the problem is to a working display. If several cards fail in different ways, the problem with
  /// the highest rank is reported.
  var rank: Int {
    switch self {
    case .refused, .noPipe, .flipsLost, .consoleAway: 9
    case .cardBusy: 8
    case .permissionDenied: 7
    case .noModes: 6
    case .onlyFirmwareFramebuffer: 5
    case .noDisplay: 4
    case .connectorMissing: 3
    case .cardLost: 2
    case .noScanout, .notConfigured: 1
    case .noCard, .cardMissing, .driverMissing: 0
    }
  }

  /// The level at which the problem is logged. It is low if waiting is enough, and high if somebody must fix
  /// the problem.
  var level: Log.Level {
    switch self {
    case .consoleAway, .onlyFirmwareFramebuffer, .noDisplay, .notConfigured: .info
    case .permissionDenied, .refused: .error
    default: .warning
    }
  }

  /// Whether the only reason is that nothing is connected.
  var isNoDisplay: Bool { if case .noDisplay = self { true } else { false } }
}

extension Sequence<DisplayProblem> {
  /// The one to report.
  var worst: DisplayProblem? { self.max { ($0.rank, $0.description) < ($1.rank, $1.description) } }
}
