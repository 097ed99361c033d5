// SPDX-License-Identifier: Apache-2.0

import Commands
import MQTTConfig
import Scoreboard
import Settings
import TOMLConfig

/// The keys of the config in mdoc(7), for man/flipclock.toml.5 and man/flipclock-mqtt.8.
struct Manual {
  private let tables: [TableReference]
  /// The names of keys, which are marked up as such.
  private let keys: Set<String>
  /// The names of commands. A word that is the name of both a command and a key means the command, unless the
  /// text is about a table with that key.
  private let verbs: Set<String>

  static var lines: [String] {
    let widgets = ConfigTables.widgets.flatMap { $0.keys + $0.cardKeys }
    let manual = Manual(ConfigTables.all, also: widgets, verbs: CommandTable.verbs)
    return heading("Above all tables") + manual.list([ConfigTables.motion])
      + manual.tables.flatMap { table in
        switch table.title {
        case "game.counters.ID": manual.section(table) + manual.presets
        case "widgets.NAME": manual.section(table) + manual.widgets
        default: manual.section(table)
        }
      }
  }

  /// The keys of flipclock-mqtt's config.
  static var mqttLines: [String] {
    let manual = Manual(MQTTSettingsLoader.format.manual, also: [], verbs: [])
    return manual.tables.flatMap { manual.section($0) }
  }

  private init(_ tables: [TableReference], also keys: [KeyReference], verbs: some Sequence<String>) {
    self.tables = tables
    self.keys = Set((tables.flatMap(\.keys) + keys).map(\.name))
    self.verbs = Set(verbs)
  }

  /// - Parameter own: the keys of the table that the text is about.
  private func markup(_ text: String, _ own: [KeyReference] = []) -> [String] {
    Markup(text).manual(
      keys: keys.subtracting(verbs).union(own.map(\.name)), headings: Set(tables.map(heading)))
  }

  private static func heading(_ title: String) -> [String] { [".Ss \(title)"] }

  /// The heading of a table: its title. The first of several tables with the same text gets the titles of all
  /// of them.
  private func heading(_ table: TableReference) -> String {
    let first = tables.first { $0.text == table.text }?.title
    guard first == table.title else { return "[\(table.title)]" }
    return tables.filter { $0.text == table.text }.map { "[\($0.title)]" }.joined(separator: " and ")
  }

  private func section(_ table: TableReference) -> [String] {
    let base = tables.first { $0.title == table.base }
    let common = Set(base?.keys.map(\.name) ?? [])
    let keys = table.keys.filter { !common.contains($0.name) }
    let text =
      base?.text == table.text ? "A page has the keys of `[\(table.base ?? "")]` and this one." : table.text
    return Self.heading(heading(table)) + markup(text, table.keys) + list(keys)
  }

  private var widgets: [String] {
    let cards = ConfigTables.cards
    var lines = Self.heading("Widgets with cards") + markup(cards.text) + cardWidgets + list(cards.keys)
    for widget in ConfigTables.widgets {
      lines += Self.heading(widget.typeName) + markup(widget.text) + list(widget.keys) + ownDefaults(widget)
    }
    return lines
  }

  private func list(_ keys: [KeyReference]) -> [String] {
    [".Bl -tag -width Ds"] + keys.flatMap { key in [".It Cm \(key.name)"] + markup(key.fullText, keys) }
      + [".El"]
  }

  /// What the presets contain.
  private var presets: [String] {
    let items = GameRules.Preset.allCases.flatMap { preset -> [String] in
      [".It Cm \(preset.rawValue)"] + markup(PresetReference.text(preset))
    }
    let text = markup("The presets of `[game]` have these rules, here with English names:")
    return Self.heading("Presets") + text + [".Bl -tag -width Ds"] + items + [".El"]
  }

  /// Which kinds of widgets have cards.
  private var cardWidgets: [String] {
    let names = ConfigTables.widgets.filter { !$0.cardKeys.isEmpty }.map { "\"\($0.typeName)\"" }
    return markup("The types \(Markup.list(names)) have these keys in addition to their own.")
  }

  /// The defaults of a kind's cards that differ from the common ones.
  private func ownDefaults(_ widget: WidgetReference) -> [String] {
    let standards = ConfigTables.cards.keys
    let own = widget.cardKeys.filter { key in
      standards.contains { $0.name == key.name && $0.standard != key.standard }
    }
    guard !own.isEmpty else { return [] }
    let list = own.compactMap { key in key.standard.map { "`\(key.name) = \($0)`" } }
    return [".Pp"] + markup("The cards have other defaults: \(list.joined(separator: " and ")).")
  }
}
