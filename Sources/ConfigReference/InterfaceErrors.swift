// SPDX-License-Identifier: Apache-2.0

/// The errors of org.flipclock.Control, for its interface file: the cases of the enums, with their comments.
enum InterfaceErrors {
  static let sources = [
    (path: "Sources/Scoreboard/Scoreboard+Refusal.swift", name: "Refusal"),
    (path: "Sources/ControlCalls/ControlError.swift", name: "ControlError"),
  ]

  /// The declarations of the cases of an enum, without those whose values have no labels.
  ///
  /// - Parameter lines: the source file. A case has a line of its own, or more if it is long, below its
  ///   comment.
  static func declarations(of name: String, in lines: [String]) -> [String] {
    var declarations: [String] = []
    var comment: [String] = []
    var start = ""
    for line in lines.drop(while: { !$0.contains("enum \(name):") }).dropFirst() {
      let line = start + line.drop { $0 == " " }
      start = line.hasSuffix("(") ? line : line.hasPrefix("case ") && line.hasSuffix(",") ? line + " " : ""
      if !start.isEmpty { continue }
      if line == "}" || line.contains("enum CodingKeys") { break }
      if line.hasPrefix("/// ") {
        comment.append("# \(line.dropFirst(4))")
        continue
      }
      if line.hasPrefix("case "), let declaration = declaration(line.dropFirst(5)) {
        declarations.append((comment + [declaration]).joined(separator: "\n"))
      }
      comment = []
    }
    return declarations
  }

  /// `unknownPage(page: String, known: [String])` as `error UnknownPage (page: string, known: []string)`.
  private static func declaration(_ line: Substring) -> String? {
    let name = line.prefix { $0 != "(" }
    let values = line.dropFirst(name.count + 1).dropLast().split(separator: ", ").map {
      $0.split(separator: ": ").map(String.init)
    }
    guard values.allSatisfy({ $0.count == 2 }) else { return nil }
    let fields = values.map { "\($0[0]): \(type($0[1].split(separator: " ")[0]))" }
    return "error \(name.prefix(1).uppercased())\(name.dropFirst()) (\(fields.joined(separator: ", ")))"
  }

  private static func type(_ name: Substring) -> String {
    if name.hasSuffix("?") { return "?" + type(name.dropLast()) }
    if name.hasPrefix("[") { return "[]" + type(name.dropFirst().dropLast()) }
    if name.hasSuffix(".RawValue") { return String(name.prefix { $0 != "." }) }
    return name.lowercased()
  }
}
