// SPDX-License-Identifier: Apache-2.0

import Spelling

/// A table whose keys are known.
package struct Section<Target> {
  /// The table's name, as it is written between the brackets.
  package let title: String
  /// What the manual says about the table as a whole, in the form of `Key.text`. A blank line ends a
  /// paragraph.
  package let text: String
  package let keys: [Key<Target>]

  package init(title: String, text: String, keys: [Key<Target>]) {
    self.title = title
    self.text = text
    self.keys = keys
  }

  /// Reads every entry of a table. Anything that is not a table, and every unknown key, is reported.
  ///
  /// - Parameter elsewhere: hints for keys that other tables have, by the key's name.
  package func apply(
    _ node: Node, to target: inout Target, _ report: inout Report,
    elsewhere: @autoclosure () -> [String: String] = [:]
  ) {
    guard let entries = node.entries(title, &report) else { return }
    for entry in entries {
      if let key = keys.first(where: { $0.name == entry.key }) {
        key.apply(&target, entry.value, Place(key: key.name, section: title), &report)
      } else {
        let names = keys.map(\.name)
        report.unknownKey(
          entry.keyLocation, "unknown key \(entry.key.quoted) in [\(title)]",
          hint: Spelling.hint(for: entry.key, among: names) ?? elsewhere()[entry.key]
            ?? "known are \(names.joined(separator: ", "))")
      }
    }
  }

  /// Reports the first required key that a table lacks in all files.
  ///
  /// - Parameters:
  ///   - nodes: the table in each file.
  ///   - name: the table, for the message.
  package func reportMissing(
    in nodes: [Node], _ name: String, at location: Location, _ report: inout Report
  ) {
    let written = Set(nodes.flatMap(\.entries).map(\.key))
    guard let key = keys.first(where: { $0.isRequired && !written.contains($0.name) }) else { return }
    report.error(
      location, "\(name) has no \(key.name.quoted)", hint: key.example.map { "\(key.name) = \($0)" })
  }
}

extension Node {
  /// The entries of a table. Anything else is reported, and the result is nil.
  package func entries(_ title: String, _ report: inout Report) -> [Entry]? {
    if case .table(let entries) = value { return entries }
    var hint: String?
    if case .array = value { hint = "write [\(title)], not [[\(title)]]" }
    report.error(location, "[\(title)] must be a table, found \(found)", hint: hint)
    return nil
  }
}

/// The tables `[title.NAME]`, whose names the user chooses.
package struct NamedTables<Element> {
  let title: String
  let noun: String
  let names: NameForm
  let example: String
  let maximum: Int
  let keys: [String]

  /// - Parameters:
  ///   - noun: what such a table is, for messages: `a page`.
  ///   - example: a name.
  ///   - keys: the keys of such a table, for the message that one of them is written in place of a name.
  package init(
    _ title: String, noun: String, names: NameForm = .name, example: String, maximum: Int, keys: [String]
  ) {
    self.title = title
    self.noun = noun
    self.names = names
    self.example = example
    self.maximum = maximum
    self.keys = keys
  }

  /// Reads the tables of all files. A table whose name is among the elements changes that element; any other
  /// one is a new element.
  ///
  /// - Parameters:
  ///   - nodes: what the files have as `[title]`, in the order in which they apply.
  ///   - order: the names, in the order of the new elements.
  ///   - name: the name of an element.
  ///   - start: an element before its keys are read; nil: the table cannot be used, which `start` has
  ///     reported.
  ///   - apply: reads a table into its element.
  package func read(
    _ nodes: [Node], order: [String], into elements: inout [Element], name: KeyPath<Element, String>,
    _ report: inout Report,
    start: (Node.Entry, inout Report) -> Element?,
    apply: (inout Element, Node.Entry, inout Report) -> Void
  ) {
    var tables: [String: [Node.Entry]] = [:]
    for node in nodes {
      for entry in entries(of: node, &report) {
        guard names.accepts(entry.key) else {
          report.error(
            entry.keyLocation, "\(entry.key.quoted) is not \(names.article) \(names.noun) for \(noun)",
            hint: names.hint(entry.key))
          continue
        }
        tables[entry.key, default: []].append(entry)
      }
    }
    for entry in order.flatMap({ tables[$0] ?? [] }) {
      if let index = elements.firstIndex(where: { $0[keyPath: name] == entry.key }) {
        apply(&elements[index], entry, &report)
        continue
      }
      guard elements.count < maximum else {
        report.error(
          entry.keyLocation, "at most \(maximum) tables [\(title).\(names.placeholder)] are allowed",
          hint: "remove one")
        break
      }
      guard var element = start(entry, &report) else { continue }
      apply(&element, entry, &report)
      elements.append(element)
    }
  }

  /// The tables of a file. If there is a key in place of a name, reports the missing name and returns no
  /// tables.
  private func entries(of node: Node, _ report: inout Report) -> [Node.Entry] {
    guard let entries = node.entries(title, &report) else { return [] }
    let loose = entries.first { entry in
      if case .table = entry.value.value { false } else { keys.contains(entry.key) }
    }
    guard let loose else { return entries }
    report.error(
      loose.keyLocation, "\(loose.key.quoted) below [\(title)], which has only tables with names",
      hint: "write [\(title).\(example)] above it")
    return []
  }
}

/// The form of the names of tables.
package struct NameForm {
  /// What stands for such a name in the manual.
  package let placeholder: String
  package let pattern: String
  let noun: String
  let article: String
  package let accepts: (String) -> Bool
  package var hint: (String) -> String

  /// 1 to 32 letters, digits, hyphens and underscores.
  package static var name: NameForm {
    NameForm(
      placeholder: "NAME", pattern: "^[A-Za-z0-9_-]{1,32}$", noun: "name", article: "a",
      accepts: { $0.isWord(1...32, also: "_-") },
      hint: { _ in "names are 1 to 32 letters, digits, '-' and '_'" })
  }

  /// 1 to 32 small letters, digits, hyphens and underscores, a letter first.
  package static var id: NameForm {
    NameForm(
      placeholder: "ID", pattern: "^[a-z][a-z0-9_-]{0,31}$", noun: "id", article: "an",
      accepts: { id in
        id.isWord(1...32, also: "_-") && id.first?.isLetter == true
          && !id.utf8.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
      },
      hint: { _ in "ids are 1 to 32 small letters, digits, '-' and '_', a letter first" })
  }
}

extension StringProtocol {
  /// Whether the text consists of ASCII letters, digits and the characters of `also`, and its length in bytes
  /// is in `count`.
  package func isWord(_ count: ClosedRange<Int>, also: String) -> Bool {
    count.contains(utf8.count)
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: also.utf8.contains(byte)
        }
      }
  }
}
