// SPDX-License-Identifier: Apache-2.0

import Commands
import Remotes

/// The command line of flipclock-mqtt.
package struct MQTTRemoteOptions: RemoteOptions, Hashable, Sendable {
  package var information: OptionReader.Information?
  /// Whether to report the mistakes in the config instead of running.
  package var checks = false
  /// Nil: the service's file.
  package var config: String?
  /// Nil: the usual sockets.
  package var socket: String?

  /// - Parameter words: the arguments, without the name of the program.
  package init(_ words: [String]) throws(UsageError) {
    var reader = OptionReader(
      words, values: ["--config": "a file", "--socket": "a path"], flags: ["--check"])
    while let option = try reader.next() {
      switch option {
      case .flag: checks = true
      case .value(let value, "--config"): config = value
      case .value(let value, _): socket = value
      }
    }
    information = reader.information
  }

  package static let help = """
    Usage: flipclock-mqtt [--config <file>] [--socket <path>]
           flipclock-mqtt --check [--config <file>]

    Connects flipclockd with an MQTT broker: Home Assistant finds the display, its
    scores, clocks, messages and pages, and other programs can send commands.

      --config <file>  The config; by default /etc/flipclock/mqtt.toml.
      --socket <path>  The daemon's control socket.
      --check          Report all mistakes in the config, and exit.
      --help           Print this help.
      --version        Print the release.

    """
}
