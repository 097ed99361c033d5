// SPDX-License-Identifier: Apache-2.0

import Commands
import LinuxSystem

/// The command line of flipclock-host.
package struct HostRemoteOptions: Hashable, Sendable {
  /// The daemon's socket; nil: the usual ones.
  package var socket: String?
  /// Nil: systemd's, or the usual one.
  package var stateDirectory: String?
  package var opensAccessPoint = false

  package static let row = CommandRow<HostRemoteOptions>(
    verb: "",
    usage: ["[--socket <path>] [--state-dir <directory>] [--access-point]"],
    summary: "Connect the machine of the display to a Wi-Fi network without a keyboard.",
    options: [
      CommandOption(name: "--socket", value: "path", help: "The daemon's control socket."),
      CommandOption(
        name: "--state-dir", value: "directory", help: "Where the access point's password is kept."),
      CommandOption(name: "--access-point", help: "Open the access point now."),
    ], surfaces: .commandLine,
    parse: { arguments throws(UsageError) in
      var options = HostRemoteOptions()
      options.socket = try arguments.text("--socket")
      options.stateDirectory = try arguments.text("--state-dir")
      options.opensAccessPoint = arguments.has("--access-point")
      return options
    })

  func stateDirectory(environment: (String) -> String?) -> String? {
    stateDirectory ?? StateDirectory.path(of: HostRemoteProgram.name, environment: environment)
  }
}
