// SPDX-License-Identifier: Apache-2.0

import Languages
import Scoreboard
import TOMLConfig

/// The keys of the display's config that people set without a file.
package enum DisplaySelection: OwnerSelection {
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

  package static let keys: [OwnerKey] = keys(
    selection,
    of: ConfigTables.all.map { ($0.title, $0.keys) }
      + ConfigTables.builtInWidgets.filter { $0.name == "time" }.map { ("widgets.\($0.name)", $0.keys) })

  package static let introduction = [
    "# Settings of the phone's page and of 'flipclockctl settings', written by flipclockd.",
    "# The files of /etc/flipclock have precedence.",
    "# After editing it, run 'flipclockctl reload'. Other comments are removed.",
  ]

  package static let reader = "flipclock"

  /// The default of a key as the config writes it, for a preset of the game.
  ///
  /// - Parameters:
  ///   - name: the name in place of `ID` or `NAME`.
  ///   - teams: the defaults of the built-in teams (`teams(in:)`).
  static func standard(
    of key: OwnerKey, _ name: String?, _ preset: GameRules.Preset, _ teams: [String: [String: String]]
  ) -> String? {
    switch key.table {
    case "game": presets[preset]?[key.name]
    case "teams.ID": teams[name ?? ""]?[key.name]
    default: key.standard
    }
  }

  /// The defaults of the built-in teams, by their ids and the names of keys.
  static func teams(in language: Language) -> [String: [String: String]] {
    Dictionary(
      uniqueKeysWithValues: ConfigTables.builtInTeams(in: language).map { ($0.id, standards($0.keys)) })
  }

  private static let presets = Dictionary(
    uniqueKeysWithValues: GameRules.Preset.allCases.map { ($0, game(GameRules($0))) })

  /// What `[game]` has for these rules, by the names of keys.
  static func game(_ rules: GameRules) -> [String: String] {
    standards(TableReference(.game, standard: GameDraft(rules)).keys)
  }

  private static func standards(_ keys: [KeyReference]) -> [String: String] {
    Dictionary(
      keys.compactMap { key in key.standard.map { (key.name, $0) } }, uniquingKeysWith: { first, _ in first })
  }
}

/// What people have set without a file.
package typealias OwnerSettings = StoredSettings<DisplaySelection>
