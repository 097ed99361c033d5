// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Control
import Glibc
import LinuxSystem
import Raster

/// What the command line of `flipclockd` says.
public struct DaemonOptions: Sendable {
  /// Where to draw.
  public enum DisplayChoice: String, CaseIterable, Sendable {
    /// KMS where there is a card to drive, else the terminal, else headless.
    case auto
    case kms
    case headless
    case terminal
  }

  /// The sizes and moments of the command line, for who does not import their rooms.
  public typealias FrameSize = PixelSize
  public typealias Moment = Instant
  public static let version = Release.version

  /// Nil: the files of the machine, or the built-in default.
  public var config: String?
  public var display = DisplayChoice.auto
  /// Goes before the config's `display.card`.
  public var card: String?
  /// Of the headless display; of KMS, the mode to ask for, before the config's.
  public var size: PixelSize?
  /// Hertz.
  public var refresh: Double?
  public var socket: String?
  public var stateDirectory: String?

  public init() {}

  /// The words that the service is started with, and no words at all, which need no parser; nil: all others.
  public init?(plain words: [String]) {
    if words.isEmpty { return }
    guard words.count == 2, words[0] == "--display", let choice = DisplayChoice(rawValue: words[1])
    else { return nil }
    display = choice
  }

  /// The refresh rate in millihertz, where one was asked for.
  var refreshMillihertz: Int? { refresh.map { Int(($0 * 1000).rounded()) } }

  /// Where the state is kept: the option, systemd's directory, then the user's.
  func stateDirectory(environment: (String) -> String?) -> String {
    func variable(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    if let stateDirectory { return stateDirectory }
    // systemd names several directories with colons between; the first is ours.
    if let directory = variable("STATE_DIRECTORY") { return String(directory.prefix { $0 != ":" }) }
    if geteuid() == 0 { return "/var/lib/flipclock" }
    if let base = variable("XDG_STATE_HOME"), base.hasPrefix("/") { return base + "/flipclock" }
    return (variable("HOME") ?? "/tmp") + "/.local/state/flipclock"
  }
}

/// Why the daemon, or one of its other commands, ends at once; `exitCode` as in sysexits.h.
public struct StartFailure: Error, Sendable, CustomStringConvertible {
  public var description: String
  public var exitCode: Int32

  public init(_ description: String, exitCode: Int32 = 1) {
    self.description = description
    self.exitCode = exitCode
  }
}
