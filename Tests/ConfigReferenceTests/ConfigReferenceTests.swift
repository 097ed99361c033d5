// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Testing

@testable import ConfigReference
@testable import Settings
@testable import TOMLConfig

@Suite struct ConfigReferenceTests {
  static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  private static func text(_ path: String) throws -> String {
    String(decoding: try readFile("\(root)/\(path)", limit: 1 << 20), as: UTF8.self)
  }

  @Test("The README lists every kind of widget")
  func readme() throws {
    let readme = try Self.text("README.md")
    for kind in ConfigTables.widgets.map(\.typeName) {
      let isListed = readme.contains("| `\(kind)` |")
      #expect(isListed, "README.md: add a row for `\(kind)` to the table of widgets")
    }
  }

  @Test("The committed files match those generated from the tables")
  func files() throws {
    for file in try GeneratedFiles.all(root: Self.root) {
      let old = try Self.text(file.path).split(separator: "\n", omittingEmptySubsequences: false)
      let new = file.text.split(separator: "\n", omittingEmptySubsequences: false)
      guard old != new else { continue }
      let line = zip(old, new).prefix { $0 == $1 }.count + 1
      Issue.record("\(file.path) differs from line \(line) on: run `make docs` and commit it")
    }
  }

  private static var tables: [TableReference] {
    func table(_ title: String, _ text: String, _ keys: [KeyReference]) -> TableReference {
      var table = ConfigTables.cards
      (table.title, table.text, table.keys) = (title, text, keys)
      return table
    }
    let widgets = ConfigTables.widgets.map { table("type = \"\($0.typeName)\"", $0.text, $0.keys) }
    return ConfigTables.all + [
      ConfigTables.cards,
      table("", "Outside of all tables.", [ConfigTables.motion]),
    ] + widgets
  }

  @Test("Every reference in the schema names one of its definitions")
  func references() throws {
    let text = Schema.text
    let definitions = try #require(text.firstRange(of: "\n  \"definitions\": {"))
    let names = text[definitions.upperBound...].split(separator: "\n").filter {
      $0.hasPrefix("    \"") && $0.hasSuffix(": {")
    }.map { $0.dropFirst(5).dropLast(4) }
    let references = Set(text.split(separator: "\"").filter { $0.hasPrefix("#/definitions/") })
    #expect(references.count > 10)
    for reference in references {
      #expect(names.contains(reference.dropFirst("#/definitions/".count)), "\(reference)")
    }
  }

  @Test(
    "Every key has a text in sentences that explains every accepted word, and a default or an example")
  func explanations() {
    for table in Self.tables {
      check(table.text, "[\(table.title)]")
      let common = Self.tables.first { $0.title == table.base }?.keys.map(\.name) ?? []
      for key in table.keys where !common.contains(key.name) {
        let name = "'\(key.name)' in [\(table.title)]"
        check(key.text, name)
        if case .choice(let words, let asNumbers) = key.shape,
          key.name != "type" || table.title != "widgets.NAME"
        {
          for word in words {
            let typed = asNumbers && Int(word) != nil ? "`\(word)`" : "`\"\(word)\"`"
            #expect(
              key.text.contains(typed), "Sources/Settings: the text of \(name) does not explain \(typed)")
          }
        }
        let hasValue = key.standard != nil || key.example != nil || key.shape == .table
        #expect(
          hasValue || ["name", "color", "type"].contains(key.name),
          "Sources/Settings: \(name) has neither a default nor an example")
      }
    }
  }

  private func check(_ text: String, _ name: String) {
    let isGood = text.hasSuffix(".") && text.count { $0 == "`" } % 2 == 0 && !text.contains("  ")
    #expect(isGood, "Sources/Settings: \(name) needs a text in whole sentences, with paired backquotes")
  }

  @Test("Values between backquotes are not split, and punctuation is outside of macros")
  func markup() {
    let markup = Markup("One of `\"a b\"`, `true` or\n`key-name` (`x`). See `[flip]`.\n\nMore.")
    #expect(markup.line == "One of \"a b\", true or `key-name` (`x`). See [flip]. More.")
    #expect(
      markup.lines(width: 30) == ["One of \"a b\", true or", "`key-name` (`x`). See [flip].", "", "More."])
    #expect(
      markup.manual(keys: ["key-name"], headings: ["[flip]"]) == [
        "One of", ".Ql a b ,", ".Ql true", "or", ".Cm key-name", ".Pq Ql x .", "See", ".Sx [flip] .", ".Pp",
        "More.",
      ])
  }
}
