// SPDX-License-Identifier: Apache-2.0

import Spelling

/// The command line of flipclock-mqtt.
package struct RemoteOptions: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    case run
    case check
    case help
    case version
  }

  /// Why the command line cannot be used.
  package struct Problem: Error, Hashable, Sendable {
    package var message: String
  }

  package var action = Action.run
  /// Nil: the service's file.
  package var config: String?
  /// Nil: the usual sockets.
  package var socket: String?

  /// - Parameter words: the arguments, without the name of the program.
  package init(_ words: [String]) throws(Problem) {
    var rest = words[...]
    while let word = rest.popFirst() {
      let (name, attached) = Self.split(word)
      switch name {
      case "--help", "-h": action = .help
      case "--version": action = .version
      case "--check": if action == .run { action = .check }
      case "--config", "--socket":
        guard let value = attached ?? rest.popFirst() else {
          throw Problem(message: "\(name) takes a file; try --help")
        }
        guard !value.isEmpty else { throw Problem(message: "\(name) is empty") }
        if name == "--config" { config = value } else { socket = value }
        continue
      default:
        let known = ["--config", "--socket", "--check", "--help", "--version"]
        let hint = Spelling.hint(for: name, among: known) ?? "try --help"
        let kind = word.hasPrefix("-") ? "option" : "argument"
        throw Problem(message: "unknown \(kind) '\(word)'; \(hint)")
      }
      if attached != nil { throw Problem(message: "\(name) takes no value") }
      if action == .help || action == .version { return }
    }
  }

  private static func split(_ word: String) -> (name: String, value: String?) {
    guard let equals = word.firstIndex(of: "="), word.hasPrefix("--") else { return (word, nil) }
    return (String(word[..<equals]), String(word[word.index(after: equals)...]))
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
