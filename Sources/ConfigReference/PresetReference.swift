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

  private static func list(_ keys: [(name: String, value: String)]) -> String {
    keys.map { "`\($0.name) = \($0.value)`" }.joined(separator: ", ")
  }
}
