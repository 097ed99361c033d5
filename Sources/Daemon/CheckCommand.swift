// SPDX-License-Identifier: Apache-2.0

import Control
import Settings
import Widgets

/// `flipclockd check`.
public enum CheckCommand {
  /// What to print, and the exit code: 0, or 78 where there is an error.
  public static func run(_ path: String?) -> (text: String, exitCode: Int32) {
    let check = ConfigCheck(path, commandProblem: ControlCommand.problem)
    return ((layoutWarnings(check) + [check.text]).joined(separator: "\n"), check.exitCode)
  }

  /// The widgets that have no room on the display that the config names, or on common ones.
  private static func layoutWarnings(_ check: ConfigCheck) -> [String] {
    guard check.exitCode == 0, let configuration = check.result.configuration else { return [] }
    return LayoutCheck.warnings(
      configuration, rules: configuration.gameRules, sizes: LayoutCheck.sizes(configuration.display)
    ).map { "warning: \($0)" }
  }
}
