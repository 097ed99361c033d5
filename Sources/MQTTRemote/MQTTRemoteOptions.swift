// SPDX-License-Identifier: Apache-2.0

import Commands
import LinuxSystem

/// The command line of flipclock-mqtt.
package struct MQTTRemoteOptions: Hashable, Sendable {
  /// Whether to report the mistakes in the config instead of running.
  package var checks = false
  /// Nil: the service's file.
  package var config: String?
  /// Nil: the usual sockets.
  package var socket: String?
  /// Nil: systemd's, or the usual one.
  package var stateDirectory: String?

  package static let row = CommandRow<MQTTRemoteOptions>(
    verb: "",
    usage: ["[--config <file>] [--socket <path>] [--state-dir <directory>]", "--check [--config <file>]"],
    summary: "Connect flipclockd with an MQTT broker.",
    discussion: """
      Home Assistant finds the display, its scores, clocks, messages and pages, and other programs can send commands.
      """,
    options: [
      CommandOption(
        name: "--config", value: "file", help: "The config; by default /etc/flipclock/mqtt.toml."),
      CommandOption(name: "--socket", value: "path", help: "The daemon's control socket."),
      CommandOption(
        name: "--state-dir", value: "directory",
        help: "Where the settings of the phone's page are kept."),
      CommandOption(name: "--check", help: "Report all mistakes in the config, and exit."),
    ], surfaces: .commandLine,
    parse: { arguments throws(UsageError) in
      MQTTRemoteOptions(
        checks: arguments.has("--check"), config: try arguments.text("--config"),
        socket: try arguments.text("--socket"), stateDirectory: try arguments.text("--state-dir"))
    })

  func stateDirectory(environment: (String) -> String?) -> String? {
    stateDirectory ?? StateDirectory.path(of: MQTTRemoteProgram.name, environment: environment)
  }
}
