// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Testing

@testable import Settings
@testable import TOMLConfig

/// Loads one text as `t.toml`.
func load(_ text: String, mode: Report.Mode = .check) -> LoadResult {
  SettingsLoader.load(texts: [("t.toml", Array(text.utf8))], mode: mode)
}

/// `severity line:column message; hint`, for every diagnostic.
func found(_ result: LoadResult) -> [String] {
  result.diagnostics.map { diagnostic in
    let hint = diagnostic.hint.map { "; \($0)" } ?? ""
    return
      "\(diagnostic.severity.rawValue) \(diagnostic.line):\(diagnostic.column) \(diagnostic.message)\(hint)"
  }
}

/// The first widget of a config that declares a widget of this type with `lines`. The lines must be valid.
func widget(_ type: String, _ lines: String) -> WidgetSettings? {
  let result = load("[widgets.w]\ntype = \"\(type)\"\n\(lines)\n")
  if !result.diagnostics.isEmpty { Issue.record("\(lines): \(found(result))") }
  return result.configuration?.widgets.first
}

/// The settings of the widget that `widget(_:_:)` loads; nil if it loads none.
func settings<Content: WidgetContent>(_ lines: String) -> Content? {
  widget(Content.typeName, lines)?.content as? Content
}

/// A value that a key refuses, and a part of the message.
struct Rejection: Sendable, CustomTestStringConvertible {
  var table: String
  var key: String
  var value: String
  var words: String
  var testDescription: String { "[\(table)] \(key) = \(value)" }

  init(_ table: String, _ key: String, _ value: String, _ words: String) {
    self.table = table
    self.key = key
    self.value = value
    self.words = words
  }

  /// The key is in line 2, its value in column `column`.
  var text: String { "[\(table)]\n  \(key) = \(value)\n" }
  var column: Int { 6 + key.unicodeScalars.count }
}

/// Checks that a value is refused with one error, which has the expected words and is located at the value.
///
/// - Returns: what is wrong, or nil if the value is refused as expected.
func problem(_ rejection: Rejection, in text: String? = nil, line: Int = 2) -> String? {
  let result = load(text ?? rejection.text)
  guard result.configuration == nil else { return "was accepted" }
  guard result.diagnostics.count == 1, let diagnostic = result.diagnostics.first else {
    return "gave \(found(result))"
  }
  guard diagnostic.severity == .error, diagnostic.file == "t.toml" else { return "gave \(diagnostic)" }
  guard diagnostic.line == line, diagnostic.column == rejection.column else {
    return "is reported at \(diagnostic)"
  }
  guard diagnostic.summary.contains(rejection.words) else { return "says \(diagnostic.summary)" }
  guard diagnostic.sourceLine == "  \(rejection.key) = \(rejection.value)" else {
    return "shows \(diagnostic)"
  }
  return nil
}

/// The text of a file of the repository.
func repositoryFile(_ name: String) throws -> String {
  let here = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  guard case .bytes(let bytes) = ConfigFile.read("/\(here)/\(name)", reader: "flipclock") else {
    Issue.record("\(name) cannot be read")
    return ""
  }
  return String(decoding: bytes, as: UTF8.self)
}
