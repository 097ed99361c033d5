// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Raster

/// The command line options of `flipclockd`.
package struct DaemonOptions: Sendable {
  /// Which kind of display to use.
  package enum DisplayChoice: String, CaseIterable, Sendable {
    /// KMS if there is a usable card, otherwise the terminal, otherwise headless.
    case auto
    case kms
    case headless
    case terminal
  }

  /// Nil: the system's config files, or the built-in default.
  package var config: String?
  package var display = DisplayChoice.auto
  /// Overrides the config's `display.card`.
  package var card: String?
  /// The size of a headless display; with KMS the size of the mode to set, which overrides the config's.
  package var size: PixelSize?
  /// Hertz.
  package var refresh: Double?
  package var socket: String?
  package var stateDirectory: String?

  package init() {}

  /// The refresh rate of the options, in millihertz.
  var refreshMillihertz: Int? { refresh.map { Int(($0 * 1000).rounded()) } }

  /// The state directory: that of the option, else that of systemd, else the default of root or of the user.
  /// Fails for a user without XDG_STATE_HOME and HOME. A directory in /tmp is not used instead, because
  /// another user could have prepared it.
  func stateDirectory(
    user: uid_t = geteuid(), environment: (String) -> String?
  ) throws(StartFailure) -> String {
    if let stateDirectory { return stateDirectory }
    if let path = StateDirectory.path(of: "flipclock", user: user, environment: environment) { return path }
    throw StartFailure(StateDirectory.missing, exitCode: EX_CONFIG)
  }
}

/// Why the daemon or another command cannot run. `exitCode` is 1 or one of sysexits.h.
package struct StartFailure: Error, Sendable, CustomStringConvertible {
  package var description: String
  package var exitCode: Int32

  package init(_ description: String, exitCode: Int32 = 1) {
    self.description = description
    self.exitCode = exitCode
  }
}
