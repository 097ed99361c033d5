// SPDX-License-Identifier: Apache-2.0

import ControlCalls

/// Checks whether the config can be used.
enum ConfigProbe: Probe {
  static let area = "Config"

  static func findings(_ system: SystemView) -> [Finding] {
    let result = system.settings
    var findings: [Finding] = []
    for diagnostic in result.diagnostics {
      var plain = diagnostic
      plain.hint = nil
      let text = plain.summary
      let place = "\(diagnostic.file):\(diagnostic.line):\(diagnostic.column)"
      switch diagnostic.severity {
      case .error:
        findings.append(
          .problem(
            text, remedy: diagnostic.hint ?? "fix it; 'flipclockd check' reports all errors", .config,
            of: place))
      case .warning: findings.append(.note(text, remedy: diagnostic.hint, .config, of: place))
      }
    }
    if result.configuration == nil {
      findings.append(
        .note(
          "until the config is fixed, flipclockd keeps its present configuration; "
            + "after a restart it uses the built-in default")
      )
    } else if result.files.isEmpty {
      findings.append(.ok("no file; the built-in default is shown"))
    } else {
      findings += result.files.map { .ok($0) }
    }
    return findings
  }
}
