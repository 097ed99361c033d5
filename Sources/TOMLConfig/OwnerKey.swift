// SPDX-License-Identifier: Apache-2.0

import Spelling

/// A key of a config that people set without a file, from the phone or with `flipclockctl settings`.
package struct OwnerKey: Hashable, Sendable {
  /// The table as in the manual: `game`, `teams.ID`.
  package let table: String
  /// The last part of its names in the config: `preset`.
  package let name: String
  package let shape: Shape
  /// The default as the config writes it, where it depends on no other key; nil: there is none.
  package let standard: String?

  package init(table: String, name: String, shape: Shape, standard: String?) {
    self.table = table
    self.name = name
    self.shape = shape
    self.standard = standard
  }

  /// The path, in which `ID` and `NAME` stand for names that people choose.
  var pattern: [String] { table.split(separator: ".").map(String.init) + [name] }

  /// Whether it is the key at a path: `["teams", "home", "name"]`.
  func isAt(_ path: [String]) -> Bool { pattern.count == path.count && isAtOrBelow(path) }

  /// The same, or whether it is in the table at the path, such as `["teams", "home"]`, or in a table of that.
  func isAtOrBelow(_ path: [String]) -> Bool {
    let pattern = pattern
    return pattern.count >= path.count
      && zip(pattern, path).allSatisfy { part, name in
        [NameForm.id, .name].contains { $0.placeholder == part && $0.accepts(name) } || part == name
      }
  }

  /// The path with a name in place of `ID` or `NAME`, if it has one of them.
  package func path(_ name: String?) -> [String] { pattern.map { Self.isPlaceholder($0) ? name ?? $0 : $0 } }

  /// The group of tables of which this is one, if people choose their names: `teams`.
  var group: String? { pattern.contains(where: Self.isPlaceholder) ? pattern[0] : nil }

  private static func isPlaceholder(_ part: String) -> Bool {
    [NameForm.id, .name].contains { $0.placeholder == part }
  }

  /// A value as the config writes it. A text that is not a value of the key stays a string, which reading the
  /// config refuses.
  func written(_ text: String) -> String {
    switch shape {
    case .boolean, .number, .integer, .integers, .array, .rows, .choice(_, asNumbers: true):
      Node(written: text)?.written ?? Units.string(text)
    default: Units.string(text)
    }
  }

  /// A value of the config as people write it: a string without its quotes.
  package static func text(_ value: Node) -> String? { value.string ?? value.written }
}

/// The keys of a config that people set without a file.
package protocol OwnerSelection: Sendable {
  /// In the order of the file in which they are stored.
  static var keys: [OwnerKey] { get }
  /// The lines above the settings in that file.
  static var introduction: [String] { get }
  /// The user who reads the config, for messages.
  static var reader: String { get }
}

extension OwnerSelection {
  /// The key at a path; nil: people do not set it without a file.
  package static func key(at path: [String]) -> OwnerKey? { keys.first { $0.isAt(path) } }

  /// The keys of tables that are chosen.
  ///
  /// - Parameters:
  ///   - selection: the titles of tables, and the names of keys; nil: all keys of the table.
  ///   - tables: the tables with their keys.
  package static func keys(
    _ selection: [(table: String, keys: [String]?)], of tables: [(title: String, keys: [KeyReference])]
  ) -> [OwnerKey] {
    selection.flatMap { table, names in
      (tables.first { $0.title == table }?.keys ?? []).filter { key in
        key.shape != .table && names?.contains(key.name) ?? true
      }.map { OwnerKey(table: table, name: $0.name, shape: $0.shape, standard: $0.standard) }
    }
  }

  /// The keys by their tables.
  package static var tables: [[OwnerKey]] {
    var tables: [[OwnerKey]] = []
    for key in keys {
      if tables.last?.last?.table == key.table {
        tables[tables.count - 1].append(key)
      } else {
        tables.append([key])
      }
    }
    return tables
  }

  /// A number that is greater for a key whose table is later in the file.
  static func rank(of key: OwnerKey) -> Int { keys.firstIndex { $0.table == key.table } ?? 0 }

  /// A hint for a key that people do not set without a file.
  static func hint(for key: String) -> String? {
    Spelling.hint(for: key, among: keys.map { $0.pattern.joined(separator: ".") })
  }

  /// The keys, and what sets each of them in files. In place of the names that people choose, keys have those
  /// that are in use.
  ///
  /// - Parameters:
  ///   - owner: the path of the file of the settings.
  ///   - names: the names that are in use even if no file has them, by their groups.
  ///   - excluding: the table of a file because of which a key that no file has is refused, and not used if
  ///     it was set before; nil: there is none.
  ///   - standard: the default of a key as the config writes it, for a name and the values of other keys.
  package static func settings(
    in files: ConfigFiles, _ report: Report, owner: String, names: [String: [String]] = [:],
    excluding: (OwnerKey) -> Node.Entry? = { _ in nil },
    standard: (OwnerKey, _ name: String?, _ value: ([String]) -> String?) -> String? = { key, _, _ in
      key.standard
    }
  ) -> [OwnerSetting] {
    func origin(_ entry: Node.Entry) -> OwnerSetting.Origin {
      let place = report.place(of: entry.keyLocation)
      return place.file == owner ? .settings : .config(file: place.file, line: place.line)
    }
    var written: [[String]: OwnerSetting] = [:]
    for (path, entry) in files.leaves {
      guard let key = key(at: path) else { continue }
      written[path] = OwnerSetting(
        key: path.joined(separator: "."), shape: key.shape, value: OwnerKey.text(entry.value),
        origin: origin(entry))
    }
    let inUse = Set(written.keys.map { $0.dropLast() })
    func known(_ group: String) -> [String] {
      let known = names[group] ?? []
      return known + files.names(group).filter { !known.contains($0) && inUse.contains([group, $0]) }
    }
    return tables.flatMap { keys in
      let found: [String?] = keys.first?.group.map(known) ?? [nil]
      return found.flatMap { name in
        keys.map { key in
          let path = key.path(name)
          let unset = OwnerSetting(
            key: path.joined(separator: "."), shape: key.shape,
            origin: excluding(key).map(origin) ?? .standard)
          var setting = written[path] ?? unset
          // What was set before the file had that table is not used.
          if setting.origin == .settings, unset.origin != .standard { setting = unset }
          setting.standard = standard(key, name) { written[$0]?.value }
            .flatMap { Node(written: $0) }.flatMap(OwnerKey.text)
          return setting
        }
      }
    }
  }
}
