// SPDX-License-Identifier: Apache-2.0

import Commands
import Glibc
import LinuxSystem
import Varlink

/// The interface org.flipclock.Web of flipclock-web: its paired devices. `Sources/WebRemote` serves it.
package enum WebInterface {
  package static let name = "org.flipclock.Web"
  package static let environmentVariable = "FLIPCLOCK_WEB_SOCKET"
  /// The socket of the service.
  package static let system = "/run/flipclock-web/control.sock"

  /// A device: the interface's type `Device`.
  package struct Device: Codable, Hashable, Sendable {
    package var id: String
    package var role: String
    package var name: String
    /// Whether it has the page open.
    package var connected: Bool
    /// RFC 3339.
    package var paired: String
    package var seen: String

    package init(id: String, role: String, name: String, connected: Bool, paired: String, seen: String) {
      self.id = id
      self.role = role
      self.name = name
      self.connected = connected
      self.paired = paired
      self.seen = seen
    }
  }

  package struct UnknownDevice: DeclaredError {
    package static let interfaceName = WebInterface.name
    package var device: String
    package var known: [String]

    package init(device: String, known: [String]) {
      self.device = device
      self.known = known
    }

    package var message: String {
      known.isEmpty
        ? "no device is paired"
        : "no device '\(device)' is paired; there are: \(known.joined(separator: ", "))"
    }
  }

  package struct NotSaved: DeclaredError {
    package static let interfaceName = WebInterface.name
    package var reason: String

    package init(reason: String) { self.reason = reason }

    package var message: String {
      "the device is forgotten until flipclock-web restarts, but not saved: \(reason)"
    }
  }

  /// The sockets to try, in order, as in `SocketPath`.
  package static func candidates(option: String?, environment: (String) -> String?) -> [String] {
    func variable(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    if let option { return [option] }
    if let path = variable(environmentVariable) { return [path] }
    guard let runtime = variable("XDG_RUNTIME_DIR"), runtime.hasPrefix("/") else { return [system] }
    return [system, "\(runtime)/flipclock-web/control.sock"]
  }
}
