// SPDX-License-Identifier: Apache-2.0

import Glibc

package enum StateDirectory {
  /// Where a program stores its state: the directory that systemd gives it, else the default of root or of the user; nil
  /// if the user has no home directory.
  package static func path(
    of program: String, user: uid_t = geteuid(), environment: (String) -> String?
  ) -> String? {
    func variable(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    // Several directories are separated by colons.
    if let directory = variable("STATE_DIRECTORY") { return String(directory.prefix { $0 != ":" }) }
    if user == 0 { return "/var/lib/\(program)" }
    if let base = variable("XDG_STATE_HOME"), base.hasPrefix("/") { return "\(base)/\(program)" }
    return variable("HOME").flatMap { $0.hasPrefix("/") ? "\($0)/.local/state/\(program)" : nil }
  }
}
