// SPDX-License-Identifier: Apache-2.0

import Control

/// One thing that the doctor saw.
public struct Finding: Hashable, Sendable {
  public enum Level: String, Hashable, Sendable {
    case ok
    /// Worth knowing; the display works all the same.
    case note
    /// Would keep the display from working, or you from controlling it.
    case problem
  }

  public var level: Level
  /// What is so, one clause.
  public var text: String
  /// What to do about it, one clause; always there with a problem.
  public var remedy: String?

  static func ok(_ text: String) -> Finding { Finding(level: .ok, text: text, remedy: nil) }

  static func note(_ text: String, remedy: String? = nil) -> Finding {
    Finding(level: .note, text: text, remedy: remedy)
  }

  static func problem(_ text: String, remedy: String) -> Finding {
    Finding(level: .problem, text: text, remedy: remedy)
  }
}

/// Looks at one side of the system.
protocol Probe {
  /// The heading of what it finds.
  static var area: String { get }
  static func findings(_ system: SystemView) -> [Finding]
}

/// All that was found.
public struct Examination: Sendable {
  public var areas: [(name: String, findings: [Finding])]

  private static var probes: [any Probe.Type] {
    [
      CardsProbe.self, ConnectorsProbe.self, HoldersProbe.self, PermissionsProbe.self, ConsoleProbe.self,
      ServiceProbe.self, SocketProbe.self, ConfigProbe.self, InputProbe.self, FontsProbe.self,
      StateProbe.self, TimeProbe.self,
    ]
  }

  public init(_ system: SystemView) {
    areas = Self.probes.map { ($0.area, $0.findings(system)) }.filter { !$0.1.isEmpty }
  }

  private func count(_ level: Finding.Level) -> Int {
    areas.reduce(0) { $0 + $1.findings.count { $0.level == level } }
  }

  /// Nothing was found that would keep the display from working.
  public var isWell: Bool { count(.problem) == 0 }

  /// For people: a heading a side, a line a finding, its remedy below it.
  public var text: String {
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
    if isWell { return "Nothing stands in the way\(notes)." }
    return
      "\(counted(count(.problem), "problem"))\(notes). Mend the first one first: others may follow from it."
  }

  /// For machines: `{"ok": …, "findings": [{"area", "level", "text", "remedy"?}]}`.
  public var json: JSONValue {
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
