// SPDX-License-Identifier: Apache-2.0

import Spelling

/// A table of a config, or the tables `[name.NAME]`: how they are read into `Draft` and checked, and their
/// place in the manual.
package struct ConfigTable<Draft> {
  let name: String
  /// The table's keys; none for tables with names.
  let keys: [String]
  /// Reads the tables of all files.
  let read: (inout Draft, ConfigFiles, inout Report) -> Void
  /// Checks what depends on other tables, after all of them have been read, and sets what follows from them.
  let check: (inout Draft, ConfigFiles, inout Report) -> Void
  /// The tables in the manual, which may be several: a table may contain others.
  package let manual: () -> [TableReference]

  package init(
    _ name: String, keys: [String] = [], manual: @autoclosure @escaping () -> [TableReference],
    read: @escaping (inout Draft, ConfigFiles, inout Report) -> Void,
    check: @escaping (inout Draft, ConfigFiles, inout Report) -> Void = { _, _, _ in }
  ) {
    self.name = name
    self.keys = keys
    self.read = read
    self.check = check
    self.manual = manual
  }

  /// A table that is read into a part of the draft.
  ///
  /// - Parameters:
  ///   - standard: the part with its defaults.
  ///   - heading, example: as in `TableReference`.
  ///   - parts: the tables inside this one, for the manual.
  package init<Target>(
    _ section: Section<Target>, _ path: WritableKeyPath<Draft, Target>, standard: Target,
    heading: String? = nil, example: TableReference.Example? = nil,
    parts: @autoclosure @escaping () -> [TableReference] = [],
    check: @escaping (inout Draft, ConfigFiles, inout Report) -> Void = { _, _, _ in }
  ) {
    self.init(
      section.title, keys: section.keys.map(\.name),
      manual: [TableReference(section, standard: standard, heading: heading, example: example)] + parts(),
      read: { draft, files, report in
        for node in files.nodes(section.title) { section.apply(node, to: &draft[keyPath: path], &report) }
      }, check: check)
  }

  /// Tables with names, each of which is read into an element of a part of the draft.
  ///
  /// - Parameters:
  ///   - noun, example, maximum: as in `NamedTables`.
  ///   - shown, base: as `example` and `base` in `TableReference`.
  ///   - name: the name of an element.
  ///   - section: the table with a name.
  ///   - start: the element with a name, before its keys are read.
  package init<Element>(
    _ title: String, noun: String, example: String, maximum: Int, _ path: WritableKeyPath<Draft, [Element]>,
    name: KeyPath<Element, String>, section: @escaping (String) -> Section<Element>,
    start: @escaping (String) -> Element, shown: TableReference.Example, base: String? = nil,
    check: @escaping (inout Draft, ConfigFiles, inout Report) -> Void = { _, _, _ in }
  ) {
    self.init(
      title,
      manual: [TableReference(section("NAME"), standard: start("NAME"), example: shown, base: base)],
      read: { draft, files, report in
        let tables = NamedTables<Element>(
          title, noun: noun, example: example, maximum: maximum, keys: section("").keys.map(\.name))
        tables.read(
          files.nodes(title), order: files.names(title), into: &draft[keyPath: path], name: name, &report,
          start: { entry, _ in start(entry.key) },
          apply: { element, entry, report in section(entry.key).apply(entry.value, to: &element, &report) })
      }, check: check)
  }
}

/// All tables of a config, in the order of the manual, and the keys outside of them.
package struct ConfigFormat<Draft> {
  package let tables: [ConfigTable<Draft>]
  package let keys: [Key<Draft>]

  package init(_ tables: [ConfigTable<Draft>], keys: [Key<Draft>] = []) {
    self.tables = tables
    self.keys = keys
  }

  /// The tables of the manual.
  package var manual: [TableReference] { tables.flatMap { $0.manual() } }

  /// Reads and checks all tables. A mistake is reported even if a later file sets the key again.
  package func read(_ files: ConfigFiles, into draft: inout Draft, _ report: inout Report) {
    for entry in files.entries {
      if let key = keys.first(where: { $0.name == entry.key }) {
        key.apply(&draft, entry.value, Place(key: key.name, section: ""), &report)
      } else if !tables.contains(where: { $0.name == entry.key }) {
        reportUnknown(entry, &report)
      }
    }
    for table in tables { table.read(&draft, files, &report) }
    for table in tables { table.check(&draft, files, &report) }
  }

  private func reportUnknown(_ entry: Node.Entry, _ report: inout Report) {
    let names = tables.map(\.name)
    if case .table = entry.value.value {
      report.unknownKey(
        entry.keyLocation, "unknown table [\(entry.key.withoutControls.prefix(48))]",
        hint: Spelling.hint(for: entry.key, among: names) ?? "known are \(names.joined(separator: ", "))")
      return
    }
    // A key above the first header is a common mistake.
    let owner = tables.first { $0.keys.contains(entry.key) }
    report.unknownKey(
      entry.keyLocation, "unknown key \(entry.key.quoted) outside of any table",
      hint: owner.map { "write it below [\($0.name)]" }
        ?? Spelling.hint(for: entry.key, among: names + keys.map(\.name)))
  }
}
