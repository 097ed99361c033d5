// SPDX-License-Identifier: Apache-2.0

import Commands
import Glibc
import LinuxSystem
import Spelling
import WebServer

/// The command line of flipclock-web.
package struct WebRemoteOptions: Hashable, Sendable {
  package static let defaultPort: UInt16 = 8080

  /// Nil: the sockets of systemd, else port 8080 of all addresses.
  package var listen: ListenAddress?
  /// Where programs for the Vestaboard Local API connect; nil: the socket of systemd, if there is one.
  package var vestaboard: ListenAddress?
  /// Where phones on the machine's own access point connect; nil: the socket of systemd, if there is one.
  package var setup: ListenAddress?
  package var socket: String?
  package var stateDirectory: String?
  package var viewers = Viewers.open
  package var trustedProxies: [AddressRange] = []

  package init() {}

  package static let row = CommandRow<WebRemoteOptions>(
    verb: "",
    usage: [
      "[--listen <address>] [--vestaboard <address>] [--setup <address>] [--socket <path>] [--state-dir <dir>] [--viewers <who>] [--trusted-proxy <address>]"
    ],
    summary: "Serve the pages of scorers and spectators to phones in the local network.",
    discussion: "'flipclockctl remote' shows a code on the display, by which a phone is paired.",
    options: [
      CommandOption(
        name: "--listen", value: "address",
        help: """
          Where to listen, e.g. 192.168.1.5:8080, [fd00::5]:8080 or 8080; by default the sockets of systemd, or port \
          8080 of all addresses.
          """),
      CommandOption(
        name: "--vestaboard", value: "address",
        help: """
          Where programs that are written for the Vestaboard Local API connect, e.g. 7000; by default only on the socket \
          of flipclock-web-vestaboard.socket.
          """),
      CommandOption(
        name: "--setup", value: "address",
        help: """
          Where phones on the machine's own access point connect to choose a network, e.g. 10.42.0.1:80; by default only on \
          the socket of flipclock-web-setup.socket.
          """),
      CommandOption(name: "--socket", value: "path", help: "The control socket of flipclockd."),
      CommandOption(name: "--state-dir", value: "dir", help: "Where the paired devices are stored."),
      CommandOption(
        name: "--viewers", value: "who",
        help: """
          Who may watch the match on the spectators' page: open (everybody in the network, the default), paired \
          (paired devices), or none.
          """),
      CommandOption(
        name: "--trusted-proxy", value: "address",
        help: """
          Proxies in front of the pages, e.g. 127.0.0.1 or 192.168.1.0/24,fd00::5: their header fields \
          X-Forwarded-For and X-Forwarded-Proto are accepted. Can be given several times.
          """),
    ], surfaces: .commandLine,
    parse: { arguments throws(UsageError) in
      var options = WebRemoteOptions()
      let addresses = [
        ("--listen", \WebRemoteOptions.listen), ("--vestaboard", \WebRemoteOptions.vestaboard),
        ("--setup", \WebRemoteOptions.setup),
      ]
      for (option, address) in addresses {
        guard let text = arguments[option] else { continue }
        do throws(ListenAddress.Malformed) {
          options[keyPath: address] = try ListenAddress(parsing: text)
        } catch {
          throw UsageError(error.message.printable)
        }
      }
      options.socket = try arguments.text("--socket")
      options.stateDirectory = try arguments.text("--state-dir")
      if let text = arguments["--viewers"] {
        guard let viewers = Viewers(rawValue: text) else {
          let known = Viewers.allCases.map(\.rawValue)
          throw UsageError(Spelling.unknown("value of --viewers", text, among: known))
        }
        options.viewers = viewers
      }
      for list in arguments.all("--trusted-proxy") {
        for part in list.split(separator: ",", omittingEmptySubsequences: false) {
          guard let range = AddressRange(String(part)) else {
            throw UsageError(
              "'\(part)' is not an address; write '127.0.0.1', 'fd00::5' or '192.168.1.0/24'".printable)
          }
          options.trustedProxies.append(range)
        }
      }
      return options
    })

  /// The state directory; nil if the user has no home directory.
  func stateDirectory(user: uid_t = geteuid(), environment: (String) -> String?) -> String? {
    stateDirectory ?? StateDirectory.path(of: "flipclock-web", user: user, environment: environment)
  }
}
