// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import JSON

extension Finding {
  static func ok(_ text: String) -> Finding { Finding(level: .ok, text: text) }

  static func note(
    _ text: String, remedy: String? = nil, _ kind: Kind? = nil, of subject: String? = nil
  ) -> Finding {
    Finding(level: .note, kind: kind, subject: subject, text: text, remedy: remedy)
  }

  static func problem(
    _ text: String, remedy: String, _ kind: Kind? = nil, of subject: String? = nil
  ) -> Finding {
    Finding(level: .problem, kind: kind, subject: subject, text: text, remedy: remedy)
  }
}

/// Examines one area of the system.
protocol Probe {
  /// The heading of the probe's findings.
  static var area: String { get }
  static func findings(_ system: SystemView) -> [Finding]
}

/// All findings.
package struct Examination: Sendable {
  package var areas: [(name: String, findings: [Finding])]

  private static var probes: [any Probe.Type] {
    [
      CardsProbe.self, ConnectorsProbe.self, BacklightsProbe.self, HoldersProbe.self, PermissionsProbe.self,
      ConsoleProbe.self,
      ServiceProbe.self, SocketProbe.self, StatusProbe.self, ConfigProbe.self, InputProbe.self,
      FontsProbe.self,
      StateProbe.self, TimeProbe.self,
    ]
  }

  package init(_ system: SystemView) {
    areas = Self.probes.map { probe in
      let findings = probe.findings(system).map { finding in
        var finding = finding
        finding.area = probe.area
        return finding
      }
      return (probe.area, findings)
    }.filter { !$0.1.isEmpty }
  }

  package var findings: [Finding] { areas.flatMap(\.findings) }

  private func count(_ level: Finding.Level) -> Int {
    areas.reduce(0) { $0 + $1.findings.count { $0.level == level } }
  }

  /// Whether there are no problems.
  package var isWell: Bool { count(.problem) == 0 }

  /// For people: a heading for each area, a line for each finding, and its remedy below it.
  package var text: String {
    var lines: [String] = []
    for area in areas {
      lines.append(area.name)
      for finding in area.findings {
        let level = finding.level.rawValue
        let padding = String(repeating: " ", count: 9 - level.count)
        lines += Self.indented(finding.text, first: "  \(level)\(padding)")
        if let remedy = finding.remedy { lines += Self.indented(remedy, first: "           → ") }
      }
    }
    return (lines + ["", verdict]).joined(separator: "\n")
  }

  private static func indented(_ text: String, first: String) -> [String] {
    let rest = String(repeating: " ", count: first.count)
    return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map {
      ($0 == 0 ? first : rest) + String($1).printable
    }
  }

  private var verdict: String {
    func counted(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
    let notes = count(.note) == 0 ? "" : ", \(counted(count(.note), "note"))"
    if isWell { return "No problems\(notes)." }
    return
      "\(counted(count(.problem), "problem"))\(notes). Fix the first one first: others may follow from it."
  }

  /// For machines: `{"ok": …, "findings": […]}`, with findings as in the interface.
  package var json: JSONValue {
    let findings = (try? JSONValue(encoding: findings)) ?? .array([])
    return .object(["ok": .bool(isWell), "findings": findings])
  }
}
