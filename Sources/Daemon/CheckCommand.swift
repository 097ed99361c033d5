// SPDX-License-Identifier: Apache-2.0

import ConfigChecks
import Control
import Glibc
import LinuxSystem
import Settings
import Typography
import Widgets

/// `flipclockd check`.
package enum CheckCommand {
  /// Checks a config and prints the result.
  ///
  /// - Returns: the exit code: 0, or 78 if the config has an error.
  package static func run(_ path: String?, json: Bool) throws(StartFailure) -> Int32 {
    let fonts = FontLibrary { _ in }
    var checks = SettingsChecks.daemon { fonts }
    checks.configuration = findings
    let check = ConfigCheck(path, checks: checks, environment: environmentVariable)
    do throws(SystemError) {
      try writeAll(Array("\(json ? check.json : check.text)\n".utf8), to: STDOUT_FILENO)
    } catch {
      throw StartFailure("standard output: \(error.errno)")
    }
    return check.exitCode
  }

  /// The widgets that do not fit at the configured sizes, or at a common size if `[display]` has no mode, the themes whose
  /// text is hard to read, and keys without effect.
  private static func findings(_ configuration: Configuration) -> [SettingsChecks.Finding] {
    LayoutCheck.findings(
      configuration, rules: configuration.game.rules, sizes: LayoutCheck.sizes(configuration))
      + ThemeCheck.findings(configuration) + EffectCheck.findings(configuration)
  }
}

extension SettingsChecks {
  /// The checks that the daemon runs each time it reads its config.
  ///
  /// - Parameter fonts: called for each font of a config.
  static func daemon(fonts: @escaping () -> FontLibrary) -> SettingsChecks {
    var checks = SettingsChecks.standard
    checks.font = { name in
      fonts().problem(with: name, weight: .medium).map { SettingsChecks.Problem($0.message, hint: $0.hint) }
    }
    return checks
  }
}
