// SPDX-License-Identifier: Apache-2.0

import Commands
import JSON

/// A result of an examination.
package struct Finding: Hashable, Sendable {
  package enum Level: String, Hashable, Sendable {
    case ok
    /// Information that may be useful.
    case note
    /// Something does not work, e.g. the display, the control socket or the saving of scores.
    case problem
  }

  package var level: Level
  /// What was found, without a full stop at the end.
  package var text: String
  /// What to do about the finding; a problem always has a remedy.
  package var remedy: String?

  static func ok(_ text: String) -> Finding { Finding(level: .ok, text: text, remedy: nil) }

  static func note(_ text: String, remedy: String? = nil) -> Finding {
    Finding(level: .note, text: text, remedy: remedy)
  }

  static func problem(_ text: String, remedy: String) -> Finding {
    Finding(level: .problem, text: text, remedy: remedy)
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
      ServiceProbe.self, SocketProbe.self, ConfigProbe.self, InputProbe.self, FontsProbe.self,
      StateProbe.self, TimeProbe.self,
    ]
  }

  package init(_ system: SystemView) {
    areas = Self.probes.map { ($0.area, $0.findings(system)) }.filter { !$0.1.isEmpty }
  }

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

  /// For machines: `{"ok": …, "findings": [{"area", "level", "text", "remedy"?}]}`.
  package var json: JSONValue {
    let findings = areas.flatMap { area in
      area.findings.map { finding in
        var members: [String: JSONValue] = [
          "area": .string(area.name), "level": .string(finding.level.rawValue), "text": .string(finding.text),
        ]
        if let remedy = finding.remedy { members["remedy"] = .string(remedy) }
        return JSONValue.object(members)
      }
    }
    return .object(["ok": .bool(isWell), "findings": .array(findings)])
  }
}
