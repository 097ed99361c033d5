// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import Typography

/// Checks whether the fonts of the theme are installed. Without any font, the built-in outlines are used.
enum FontsProbe: Probe {
  static let area = "Fonts"

  static func findings(_ system: SystemView) -> [Finding] {
    guard let theme = system.settings.configuration?.theme, let fontProblems = system.fontProblems else {
      return []
    }
    var findings: [Finding] = []
    if !system.exists("/etc/fonts/fonts.conf") {
      findings.append(
        .note(
          "fontconfig is not set up (/etc/fonts/fonts.conf)", remedy: "'sudo apt install fontconfig-config'"))
    }
    var names = [theme.symbolFont]
    if theme.labelFont != theme.symbolFont { names.append(theme.labelFont) }
    for name in names {
      let problems = fontProblems([name])
      if problems.isEmpty { findings.append(.ok(name)) }
      findings += problems.map {
        .note($0, remedy: "\(FontProblem.remedy(for: name)), or name another in [theme]")
      }
    }
    return findings
  }
}
