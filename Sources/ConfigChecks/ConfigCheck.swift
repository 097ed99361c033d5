// SPDX-License-Identifier: Apache-2.0

import Commands
import Glibc
import JSON
import Settings
import TOMLConfig

/// The result of `flipclockd check` and `flipclockctl check`: the config is read strictly, and every mistake
/// is reported.
package struct ConfigCheck: Sendable {
  package let result: LoadResult

  /// - Parameters:
  ///   - path: the config file; nil: the machine's config files.
  ///   - environment: the value of an environment variable, for the language.
  package init(
    _ path: String?, checks: SettingsChecks, environment: (String) -> String? = { _ in nil }
  ) {
    self.init(path.map(SettingsSources.explicit) ?? .standard(), checks: checks, environment: environment)
  }

  init(
    _ sources: SettingsSources, checks: SettingsChecks, environment: (String) -> String? = { _ in nil }
  ) {
    result = SettingsLoader.load(sources, mode: .check, checks: checks, environment: environment)
  }

  private func count(_ severity: Diagnostic.Severity) -> Int {
    result.diagnostics.count { $0.severity == severity }
  }

  /// 0, or EX_CONFIG (sysexits.h) if there is an error.
  package var exitCode: Int32 { count(.error) > 0 ? EX_CONFIG : 0 }

  /// What to print: each diagnostic with its source line, and a summary.
  package var text: String {
    var lines = result.diagnostics.map(\.description)
    let (errors, warnings) = (Self.counted(count(.error), "error"), Self.counted(count(.warning), "warning"))
    if exitCode != 0 {
      lines.append([errors, warnings].compactMap { $0 }.joined(separator: ", "))
    } else if result.files.isEmpty {
      lines.append("no config file; the built-in default is shown")
    } else {
      let verdict = warnings.map { "ok, \($0)" } ?? "ok"
      lines += result.files.map { "\($0.printable): \(verdict)" }
    }
    return lines.joined(separator: "\n")
  }

  private static func counted(_ count: Int, _ what: String) -> String? {
    count == 0 ? nil : "\(count) \(what)\(count == 1 ? "" : "s")"
  }

  /// `{"ok", "files": […], "diagnostics": [{"severity", "file", "line", "column", "message", "hint"?}],
  /// "unchecked": []}`. `unchecked` is always empty: nothing is left out.
  package var json: String {
    let diagnostics = result.diagnostics.map { diagnostic in
      var members: [String: JSONValue] = [
        "severity": .string(diagnostic.severity.rawValue), "file": .string(diagnostic.file),
        "line": .integer(Int64(diagnostic.line)), "column": .integer(Int64(diagnostic.column)),
        "message": .string(diagnostic.message),
      ]
      if let hint = diagnostic.hint { members["hint"] = .string(hint) }
      return JSONValue.object(members)
    }
    return JSONValue.object([
      "ok": .bool(exitCode == 0), "files": .array(result.files.map { .string($0) }),
      "diagnostics": .array(diagnostics), "unchecked": .array([]),
    ]).text
  }
}
