// SPDX-License-Identifier: Apache-2.0

import Commands
import Glibc
import LinuxSystem
import Remotes
import Spelling
import WebServer

/// The command line of flipclock-web.
package struct WebRemoteOptions: RemoteOptions, Hashable, Sendable {
  package static let defaultPort: UInt16 = 8080

  package var information: OptionReader.Information?
  /// Nil: the sockets of systemd, else port 8080 of all addresses.
  package var listen: ListenAddress?
  package var socket: String?
  package var stateDirectory: String?
  package var viewers = Viewers.open
  package var trustedProxies: [AddressRange] = []

  package init() {}

  package init(_ words: [String]) throws(UsageError) {
    var reader = OptionReader(
      words,
      values: [
        "--listen": "an address and a port", "--socket": "a path", "--state-dir": "a directory",
        "--viewers": Viewers.allCases.map(\.rawValue).joined(separator: ", "),
        "--trusted-proxy": "addresses",
      ])
    while let option = try reader.next() {
      switch option {
      case .flag: break
      case .value(let value, let name): try set(name, value)
      }
    }
    information = reader.information
  }

  private mutating func set(_ name: String, _ value: String) throws(UsageError) {
    switch name {
    case "--listen":
      do throws(ListenAddress.Malformed) { listen = try ListenAddress(parsing: value) } catch {
        throw UsageError(error.message.printable)
      }
    case "--socket": socket = value
    case "--state-dir": stateDirectory = value
    case "--trusted-proxy":
      for part in value.split(separator: ",", omittingEmptySubsequences: false) {
        guard let range = AddressRange(String(part)) else {
          throw UsageError(
            "'\(part)' is not an address; write '127.0.0.1', 'fd00::5' or '192.168.1.0/24'".printable)
        }
        trustedProxies.append(range)
      }
    default:
      guard let choice = Viewers(rawValue: value) else {
        throw UsageError(
          Spelling.unknown("value of --viewers", value, among: Viewers.allCases.map(\.rawValue)))
      }
      viewers = choice
    }
  }

  package static let help = """
    Usage: flipclock-web [--listen <addr:port>] [--socket <path>] [--state-dir <dir>] [--viewers open|paired|none]
                         [--trusted-proxy <addresses>]
           flipclock-web --help | --version

    Serves the scorer's page and the spectators' page of a flipclock display to phones in the local network.
    'flipclockctl remote' shows a code on the display, by which a phone is paired.

      --listen <addr:port>   Where to listen, e.g. 192.168.1.5:8080, [fd00::5]:8080 or 8080; by default the sockets of
                             systemd, or port 8080 of all addresses.
      --socket <path>        The control socket of flipclockd.
      --state-dir <dir>      Where the paired devices are stored.
      --viewers <who>        Who may watch the match: open (everybody in the network, the default), paired (paired
                             devices), or none.
      --trusted-proxy <addresses>
                             Proxies in front of the pages, e.g. 127.0.0.1 or 192.168.1.0/24,fd00::5: their header
                             fields X-Forwarded-For and X-Forwarded-Proto are accepted. Can be given several times.
      --help                 Print this help.
      --version              Print the release.

    """

  /// The state directory; nil if the user has no home directory.
  func stateDirectory(user: uid_t = geteuid(), environment: (String) -> String?) -> String? {
    stateDirectory ?? StateDirectory.path(of: "flipclock-web", user: user, environment: environment)
  }
}
