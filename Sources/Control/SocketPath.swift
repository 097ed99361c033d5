// SPDX-License-Identifier: Apache-2.0

/// Where the control socket is; the daemon and its clients agree by this.
public enum SocketPath {
  public static let environmentVariable = "FLIPCLOCK_SOCKET"
  /// Made by systemd: `RuntimeDirectory=flipclock`, or the socket unit.
  public static let system = "/run/flipclock/control.sock"

  /// The places in the order in which to try them: what is said outright is the only one; else the
  /// system's, then the user's own of a daemon run by hand.
  ///
  /// - Parameters:
  ///   - option: the value of `--socket`.
  ///   - environment: a variable's value by its name; an empty value counts as unset.
  public static func candidates(option: String?, environment: (String) -> String?) -> [String] {
    func variable(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    if let option { return [option] }
    if let path = variable(environmentVariable) { return [path] }
    guard let runtime = variable("XDG_RUNTIME_DIR"), runtime.hasPrefix("/") else { return [system] }
    let user = (runtime.hasSuffix("/") ? runtime : runtime + "/") + "flipclock/control.sock"
    return user == system ? [system] : [system, user]
  }
}
