// SPDX-License-Identifier: Apache-2.0

import Control
import Glibc
import Settings

/// `flipclockd check`: reads a config as an editor wants it read, strictly and to the end.
public enum ConfigCheck {
  /// What to print, and the exit code: 0, or 78 where there is an error.
  public static func run(_ path: String?) -> (text: String, exitCode: Int32) {
    let result = SettingsLoader.load(
      path.map(SettingsSources.explicit) ?? .standard(), mode: .check,
      commandProblem: ControlCommand.problem)
    var lines = result.diagnostics.map(\.description)
    let errors = result.diagnostics.count { $0.severity == .error }
    if errors > 0 {
      lines.append("\(errors) error\(errors == 1 ? "" : "s")")
      return (lines.joined(separator: "\n"), EX_CONFIG)
    }
    if result.files.isEmpty {
      lines.append("no config file; the built-in default is shown")
    } else {
      lines += result.files.map { "\($0): ok" }
    }
    return (lines.joined(separator: "\n"), 0)
  }
}
