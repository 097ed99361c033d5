// SPDX-License-Identifier: Apache-2.0

import MQTTConfig

/// The result of `flipclock-mqtt --check`.
package struct ConfigReport: Hashable, Sendable {
  /// What to print: each diagnostic with its source line, and a summary.
  package var text: String
  package var hasErrors: Bool

  package init(config: String?) {
    let result = MQTTSettingsLoader.load(config, mode: .check)
    var lines = result.diagnostics.map(\.description)
    let errors = result.diagnostics.count { $0.severity == .error }
    let warnings = result.diagnostics.count - errors
    hasErrors = errors > 0
    func counted(_ count: Int, _ what: String) -> String { "\(count) \(what)\(count == 1 ? "" : "s")" }
    if hasErrors {
      lines.append(
        counted(errors, "error") + (warnings > 0 ? ", " + counted(warnings, "warning") : ""))
    } else if !result.hasFile {
      lines.append("no config file; without a broker that is set on a phone, none is used")
    } else {
      let verdict = warnings > 0 ? "ok, " + counted(warnings, "warning") : "ok"
      lines.append("\(config ?? MQTTSettingsLoader.standardFile): \(verdict)")
    }
    text = lines.joined(separator: "\n") + "\n"
  }
}
