// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import Spelling
import TOMLConfig

extension ValueKind where Value == String {
  /// The name of a page. Whether the page exists is checked after all files have been read.
  static var pageName: ValueKind { reference(to: "page", "the name of a page", hint: "write \"match\"") }

  /// The name of a theme. Whether it exists is checked likewise.
  static var themeName: ValueKind { reference(to: "theme", "the name of a theme", hint: "write \"paper\"") }

  private static func reference(to kind: String, _ what: String, hint: String) -> ValueKind {
    ValueKind(
      shape: .form(pattern: NameForm.name.pattern, maximum: nil),
      read: { node, place, report in
        guard let name = node.string else {
          report.mismatch(node, place, what, hint: hint)
          return nil
        }
        report.refer(to: kind, name, place, at: node.location)
        return name
      }, write: { Units.string($0) })
  }

  /// The words of a command; they are checked when the whole configuration is known.
  static var command: ValueKind {
    let text = ValueKind.text(maximum: 200)
    return ValueKind(
      shape: text.shape,
      read: { node, place, report in
        guard let words = text.read(node, place, &report) else { return nil }
        report.refer(to: "command", words, place, at: node.location)
        return words
      }, write: text.write)
  }
}

extension ValueKind where Value == [String] {
  /// Names of pages, each once. Whether the pages exist is checked after all files have been read.
  static var pageNames: ValueKind {
    let count = 1...PageSettings.maximumNumber
    let hint = "write [\"clock\", \"match\"]"
    return ValueKind(
      shape: .array(of: .form(pattern: nil, maximum: nil), count: count, isUnique: true),
      read: { node, place, report in
        var names: Set<String> = []
        return node.elements(
          count, "an array of pages", "must name 1 to \(count.upperBound) pages", hint: hint, countHint: hint,
          place, &report
        ) { node, report in
          if node.string == nil {
            report.error(node, place, "must contain names of pages, found \(node.found)", hint: hint)
          }
          return node.string.flatMap { reference($0, to: "page", in: &names, node, place, &report) }
        }
      })
  }

  /// Kinds of breaks, each once.
  static var breaks: ValueKind {
    let kinds = GameBreak.Kind.names
    let hint = "write [\"time-out\", \"interval\"]"
    return ValueKind(
      shape: .array(of: .choice(kinds, asNumbers: false), count: 0...kinds.count, isUnique: true),
      read: { node, place, report in
        var names: Set<String> = []
        return node.elements(
          0...kinds.count, "an array of breaks", "must name at most \(kinds.count) breaks", hint: hint, place,
          &report
        ) { node, report in
          guard let name = node.string, kinds.contains(name) else {
            report.mismatch(
              node, place, "breaks",
              hint: node.string.flatMap { Spelling.hint(for: $0, among: kinds) }
                ?? "they are \(kinds.map { "\"\($0)\"" }.joined(separator: ", "))")
            return nil
          }
          return unique(name, in: &names, node, place, &report)
        }
      })
  }

  /// Ids of teams, each once. Whether the teams exist is checked after all files have been read.
  static var teamIDs: ValueKind {
    let count = 1...ScoreSettings.teamLimit
    return ValueKind(
      shape: .array(of: .text(maximum: 32), count: count, isUnique: true),
      read: { node, place, report in
        var names: Set<String> = []
        return node.elements(
          count, "an array of teams", "must name 1 to \(count.upperBound) teams",
          hint: "write [\"home\", \"guest\"]", place, &report
        ) { node, report in
          ValueKind<String>.string(node, place, maximum: 32, &report).flatMap {
            reference($0, to: "team", in: &names, node, place, &report)
          }
        }
      })
  }

  /// A name that refers to something, which must be the first of this name in an array.
  private static func reference(
    _ name: String, to kind: String, in names: inout Set<String>, _ node: Node, _ place: Place,
    _ report: inout Report
  ) -> String? {
    report.refer(to: kind, name, place, at: node.location)
    return unique(name, in: &names, node, place, &report)
  }

  /// A name, which must be the first of this name in an array.
  private static func unique(
    _ name: String, in names: inout Set<String>, _ node: Node, _ place: Place, _ report: inout Report
  ) -> String? {
    if names.insert(name).inserted { return name }
    report.error(node, place, "names \(name.quoted) twice")
    return nil
  }
}
