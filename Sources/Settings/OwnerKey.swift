// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import Spelling
import TOMLConfig

/// A key of the config that people set without a file, from the phone or with `flipclockctl settings`.
package struct OwnerKey: Hashable, Sendable {
  /// The table as in the manual: `game`, `teams.ID`.
  let table: String
  /// The last part of its names in the config: `preset`.
  let name: String
  let shape: Shape
  /// The default as the config writes it, where it depends on no other key; nil: there is none.
  private let standard: String?

  private init(table: String, name: String, shape: Shape, standard: String?) {
    self.table = table
    self.name = name
    self.shape = shape
    self.standard = standard
  }

  /// The tables that have such keys, in the order of the settings' file; nil: all keys of the table. No key
  /// in it names a file, a device or an address.
  private static let selection: [(table: String, keys: [String]?)] = [
    ("locale", ["language", "digits", "zone"]),
    ("display", ["rotation", "margins", "brightness"]),
    ("theme", ["name"]),
    ("teams.ID", ["name", "short-name", "color"]),
    ("game", nil),
    ("widgets.time", ["hours", "leading-zero", "am-pm", "seconds"]),
    ("layout", nil),
    ("place", ["latitude", "longitude", "zone"]),
    ("schedule.NAME", ["from", "to", "days", "brightness", "display"]),
    ("remote", ["name", "messages"]),
    ("horn", ["on", "volume"]),
  ]

  /// All such keys.
  static let all: [OwnerKey] = {
    let time = ConfigTables.builtInWidgets.filter { $0.name == "time" }
    let tables =
      ConfigTables.all.map { ($0.title, $0.keys) } + time.map { ("widgets.\($0.name)", $0.keys) }
    return selection.flatMap { table, names in
      (tables.first { $0.0 == table }?.1 ?? []).filter { key in
        key.shape != .table && names?.contains(key.name) ?? true
      }.map { OwnerKey(table: table, name: $0.name, shape: $0.shape, standard: $0.standard) }
    }
  }()

  /// The key at a path: `["teams", "home", "name"]`; nil: people do not set it without a file.
  init?(_ path: [String]) {
    let found = Self.all.first { key in
      let pattern = key.pattern
      return pattern.count == path.count
        && zip(pattern, path).allSatisfy { part, name in
          [NameForm.id, .name].contains { $0.placeholder == part && $0.accepts(name) } || part == name
        }
    }
    guard let found else { return nil }
    self = found
  }

  /// The path, in which `ID` and `NAME` stand for names that people choose.
  private var pattern: [String] { table.split(separator: ".").map(String.init) + [name] }

  /// All such keys by their tables.
  static let tables: [[OwnerKey]] = selection.map { table, _ in all.filter { $0.table == table } }

  /// The path with a name in place of `ID` or `NAME`, if it has one of them.
  func path(_ name: String?) -> [String] { pattern.map { Self.isPlaceholder($0) ? name ?? $0 : $0 } }

  /// The group of tables of which this is one, if people choose their names: `teams`.
  var group: String? { pattern.contains(where: Self.isPlaceholder) ? pattern[0] : nil }

  private static func isPlaceholder(_ part: String) -> Bool {
    [NameForm.id, .name].contains { $0.placeholder == part }
  }

  /// The default without quotes, for a game.
  ///
  /// - Parameter name: the name in place of `ID` or `NAME`.
  func standard(_ name: String?, _ preset: GameRules.Preset) -> String? {
    let written =
      switch table {
      case "game": Self.games[preset]?[self.name]
      case "teams.ID": Self.teams[name ?? ""]?[self.name]
      default: standard
      }
    return written.flatMap { Node(written: $0) }.flatMap(Self.text)
  }

  /// The defaults of `[game]`, and of the built-in teams, by the names of keys.
  private static let games = Dictionary(
    uniqueKeysWithValues: GameRules.Preset.allCases.map { preset in
      (preset, standards(TableReference(.game, standard: GameDraft(preset)).keys))
    })
  private static let teams = Dictionary(
    uniqueKeysWithValues: ConfigTables.builtInTeams.map { ($0.id, standards($0.keys)) })

  private static func standards(_ keys: [KeyReference]) -> [String: String] {
    Dictionary(
      keys.compactMap { key in key.standard.map { (key.name, $0) } }, uniquingKeysWith: { first, _ in first })
  }

  /// The position of the key's table in the file.
  var rank: Int { Self.selection.firstIndex { $0.table == table } ?? 0 }

  /// A hint for a key that people do not set without a file.
  static func hint(for key: String) -> String? {
    Spelling.hint(for: key, among: all.map { $0.pattern.joined(separator: ".") })
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
  static func text(_ value: Node) -> String? { value.string ?? value.written }
}
