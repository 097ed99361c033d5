// SPDX-License-Identifier: Apache-2.0

import Control
import Settings

/// `flipclockd check`.
public enum CheckCommand {
  /// What to print, and the exit code: 0, or 78 where there is an error.
  public static func run(_ path: String?) -> (text: String, exitCode: Int32) {
    let check = ConfigCheck(path, commandProblem: ControlCommand.problem)
    return (check.text, check.exitCode)
  }
}
