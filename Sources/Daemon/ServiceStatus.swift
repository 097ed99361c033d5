// SPDX-License-Identifier: Apache-2.0

import Display

/// The line that `systemctl status` shows.
enum ServiceStatus {
  /// - Parameters:
  ///   - problem: why there is no display, as reported by the output.
  ///   - configErrors: the errors of the last reload.
  static func line(
    output: OutputDescription?, isBlank: Bool, problem: String?, configErrors: [String]
  ) -> String {
    var line: String
    if isBlank {
      line = "the display is off, as requested"
    } else if let output {
      line = "showing on \(output.connector), \(output.mode)"
    } else {
      line = problem ?? "waiting for a display"
    }
    if let first = configErrors.first {
      let more = configErrors.count > 1 ? " (and \(configErrors.count - 1) more)" : ""
      line += "; the config has errors: \(first)\(more)"
    }
    return line
  }
}
