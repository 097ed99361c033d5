// SPDX-License-Identifier: Apache-2.0

@testable import TOMLConfig

/// The advice for mistakes in the syntax, in place of a program's own.
let advice = SyntaxAdvice(headers: "[display] or [teams.home]", values: ["hours": "write 12 or 24"])

/// The mistakes in the syntax of one text, `t.toml`.
func diagnostics(_ text: String) -> [Diagnostic] {
  var report = Report(mode: .check, reader: "flipclock")
  var files = ConfigFiles(advice: advice)
  files.add("t.toml", .bytes(Array(text.utf8)), &report)
  return report.diagnostics
}

/// `severity line:column message; hint`, for every diagnostic.
func found(_ diagnostics: [Diagnostic]) -> [String] {
  diagnostics.map { diagnostic in
    let hint = diagnostic.hint.map { "; \($0)" } ?? ""
    return
      "\(diagnostic.severity.rawValue) \(diagnostic.line):\(diagnostic.column) \(diagnostic.message)\(hint)"
  }
}
