// SPDX-License-Identifier: Apache-2.0

import ConfigChecks
import Settings
import Typography

/// `flipclockd check`.
public enum CheckCommand {
  /// What to print, and the exit code: 0, or 78 where there is an error.
  public static func run(_ path: String?, json: Bool) -> (text: String, exitCode: Int32) {
    let fonts = FontLibrary { _ in }
    var checks = SettingsChecks.daemon { fonts }
    checks.configuration = findings
    let check = ConfigCheck(path, checks: checks)
    return (json ? check.json : check.text, check.exitCode)
  }

  /// What a person who looks at the pages would find.
  private static func findings(_ configuration: Configuration) -> [SettingsChecks.Finding] { [] }
}

extension SettingsChecks {
  /// All that the daemon checks, whenever it reads its config.
  ///
  /// - Parameter fonts: asked for each font that a config names.
  static func daemon(fonts: @escaping () -> FontLibrary) -> SettingsChecks {
    var checks = SettingsChecks.standard
    checks.font = { name in
      fonts().problem(with: name, weight: .medium).map { SettingsChecks.Problem($0.message, hint: $0.hint) }
    }
    return checks
  }
}
