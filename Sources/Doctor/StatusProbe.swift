// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import JSON

/// What the daemon reports about itself in `status`, except for its displays.
enum StatusProbe: Probe {
  static let area = "Display program"

  static func findings(_ system: SystemView) -> [Finding] {
    guard let status = system.status else { return [] }
    var findings: [Finding] = []
    if let reason = status["unsaved"]?["reason"]?.string {
      findings.append(
        .problem(
          "the last changes are not saved, and a restart would lose them: \(reason)",
          remedy: "saving is tried again until it succeeds; 'flipclockctl status' shows since when it fails",
          .unsaved))
    }
    findings += (status["warnings"]?.array ?? []).compactMap(\.string).map { .note($0) }
    findings += (status["leftOut"]?.array ?? []).map { widget in
      let name = widget["name"]?.string ?? ""
      return .note(
        "'\(name)' is left out of the page '\(widget["page"]?.string ?? "")'",
        remedy: widget["reason"]?.string, .leftOut, of: name)
    }
    findings += (status["boards"]?.array ?? []).compactMap { board in
      guard let problem = board["problem"]?.string else { return nil }
      let name = board["name"]?.string ?? ""
      return .note("the source of the board '\(name)' failed: \(problem)", .boardProblem, of: name)
    }
    return findings.isEmpty ? [.ok("it reports no trouble")] : findings
  }
}
