// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import Settings

/// What the presets of `[game]` contain, as keys of the config.
enum PresetReference {
  /// The text of a preset in the form of a key's text.
  static func text(_ preset: GameRules.Preset) -> String {
    let keys = list(ConfigTables.keys(of: preset))
    let counters = GameRules(preset).counters.map { counter in
      "`[game.counters.\(counter.id)]`: \(list(ConfigTables.keys(of: counter)))."
    }
    return ([keys.isEmpty ? "Scores and a stopwatch." : keys + "."] + counters).joined(separator: "\n\n")
  }

  /// Tables in Markdown with a row for each key and a column for each preset that sets any: first the games
  /// with a total score, then those of sets; then a table of the counters.
  static var tables: [String] {
    let presets = GameRules.Preset.allCases.filter { $0 != .free }
    func keys(_ heading: String, _ scoring: GameRules.Scoring) -> [String] {
      ["", "### \(heading)", ""] + table(of: presets.filter { GameRules($0).scoring == scoring })
    }
    return keys("Games with a clock", .total) + keys("Games of sets", .sets)
      + ["", "### What is counted", ""] + counters(of: presets)
  }

  private static func table(of presets: [GameRules.Preset]) -> [String] {
    let columns = presets.map { Dictionary(uniqueKeysWithValues: ConfigTables.keys(of: $0)) }
    let keys = ConfigTables.all.first { $0.title == "game" }?.keys.map(\.name) ?? []
    let rows = keys.filter { key in columns.contains { $0[key] != nil } }.map { key in
      ["`\(key)`"] + columns.map { column in column[key].map { "`\($0)`" } ?? "" }
    }
    return table([""] + presets.map(\.rawValue), rows)
  }

  private static func counters(of presets: [GameRules.Preset]) -> [String] {
    table(
      ["preset", "table", "keys"],
      presets.flatMap { preset in
        GameRules(preset).counters.map { counter in
          [preset.rawValue, "`[game.counters.\(counter.id)]`", list(ConfigTables.keys(of: counter))]
        }
      })
  }

  private static func table(_ heading: [String], _ rows: [[String]]) -> [String] {
    ([heading, heading.map { _ in "---" }] + rows).map { "| \($0.joined(separator: " | ")) |" }
  }

  private static func list(_ keys: [(name: String, value: String)]) -> String {
    keys.map { "`\($0.name) = \($0.value)`" }.joined(separator: ", ")
  }
}
