// SPDX-License-Identifier: Apache-2.0

/// The path of the control socket, for the daemon and its clients.
package enum SocketPath {
  package static let environmentVariable = "FLIPCLOCK_SOCKET"
  /// The socket of the system's daemon. systemd creates its directory (`RuntimeDirectory=flipclock`, or the
  /// socket unit).
  package static let system = "/run/flipclock/control.sock"

  /// The paths to try, in order. If the option or the variable is given, it is the only one. Otherwise they
  /// are the service's socket and then that of a daemon which the user started.
  ///
  /// - Parameters:
  ///   - option: the value of `--socket`.
  ///   - environment: returns a variable's value; an empty value counts as unset.
  package static func candidates(option: String?, environment: (String) -> String?) -> [String] {
    candidates(
      option: option, variable: environmentVariable, directory: "flipclock", environment: environment)
  }

  /// The same for a program whose socket is in another directory of `/run`, or of the user's runtime
  /// directory.
  ///
  /// - Parameters:
  ///   - name: the environment variable that names the socket.
  ///   - directory: the directory's name.
  package static func candidates(
    option: String?, variable name: String, directory: String, environment: (String) -> String?
  ) -> [String] {
    func variable(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    if let option { return [option] }
    if let path = variable(name) { return [path] }
    let system = "/run/\(directory)/control.sock"
    guard let runtime = variable("XDG_RUNTIME_DIR"), runtime.hasPrefix("/") else { return [system] }
    let user = (runtime.hasSuffix("/") ? runtime : runtime + "/") + "\(directory)/control.sock"
    return user == system ? [system] : [system, user]
  }
}
