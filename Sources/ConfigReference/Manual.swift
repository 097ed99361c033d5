// SPDX-License-Identifier: Apache-2.0

import Commands
import Scoreboard
import Settings

/// The keys of the config in mdoc(7), for man/flipclock.toml.5.
enum Manual {
  static var lines: [String] {
    var lines = heading("Above all tables") + list([ConfigTables.motion])
    for table in [
      ConfigTables.locale, ConfigTables.words, ConfigTables.display, ConfigTables.output, ConfigTables.burnIn,
      ConfigTables.theme,
    ] {
      lines += section(table)
    }
    // The keys are those of [theme].
    lines += heading("[themes.NAME]") + markup(ConfigTables.namedTheme.text)
    lines += list(Array(ConfigTables.namedTheme.keys.prefix(1))) + section(ConfigTables.flip)
    lines += section(ConfigTables.team, "[teams.ID]")
    lines += section(ConfigTables.game) + section(ConfigTables.counter) + presets
    lines += section(ConfigTables.widget)
    lines += heading("Widgets with cards") + markup(ConfigTables.cards.text) + cardWidgets
    lines += list(ConfigTables.cards.keys)
    for widget in ConfigTables.widgets {
      lines += heading(widget.typeName) + markup(widget.text) + list(widget.keys) + ownDefaults(widget)
    }
    lines += section(ConfigTables.layout, "[layout] and [pages.NAME]")
    lines += heading("[pages.NAME]") + markup("A page has the keys of `[layout]` and this one.")
    let common = Set(ConfigTables.layout.keys.map(\.name))
    lines += list(ConfigTables.page.keys.filter { !common.contains($0.name) })
    for table in [
      ConfigTables.rotation, ConfigTables.pageTransition, ConfigTables.place, ConfigTables.schedule,
      ConfigTables.input, ConfigTables.binding, ConfigTables.remote, ConfigTables.walls,
    ] {
      lines += section(table)
    }
    return lines
  }

  /// The keys of flipclock-mqtt's config, for man/flipclock-mqtt.8.
  static var mqttLines: [String] {
    let tables = ConfigTables.mqtt
    let keys = Set(tables.flatMap(\.keys).map(\.name))
    let headings = Set(tables.map { "[\($0.title)]" })
    func markup(_ text: String) -> [String] { Markup(text).manual(keys: keys, headings: headings) }
    var lines: [String] = []
    for table in tables {
      lines += heading("[\(table.title)]") + markup(table.text) + [".Bl -tag -width Ds"]
      for key in table.keys { lines += [".It Cm \(key.name)"] + markup(key.fullText) }
      lines.append(".El")
    }
    return lines
  }

  private static let headings: Set<String> = Set(
    [
      ConfigTables.locale, ConfigTables.words, ConfigTables.display, ConfigTables.output, ConfigTables.burnIn,
      ConfigTables.theme, ConfigTables.namedTheme, ConfigTables.flip, ConfigTables.game,
      ConfigTables.rotation,
      ConfigTables.pageTransition, ConfigTables.place, ConfigTables.schedule, ConfigTables.input,
      ConfigTables.binding, ConfigTables.remote, ConfigTables.walls,
    ].map { "[\($0.title)]" } + ["[game.counters.ID]"])

  private static let keys: Set<String> = {
    let tables = [
      ConfigTables.locale, ConfigTables.words, ConfigTables.display, ConfigTables.output, ConfigTables.burnIn,
      ConfigTables.theme, ConfigTables.namedTheme, ConfigTables.page, ConfigTables.flip, ConfigTables.team,
      ConfigTables.game, ConfigTables.counter, ConfigTables.widget, ConfigTables.layout,
      ConfigTables.rotation,
      ConfigTables.pageTransition, ConfigTables.place, ConfigTables.schedule, ConfigTables.input,
      ConfigTables.binding, ConfigTables.remote, ConfigTables.walls,
    ]
    let widgets = ConfigTables.widgets.flatMap { $0.keys + $0.cardKeys }
    return Set((tables.flatMap(\.keys) + widgets).map(\.name))
  }()

  /// - Parameter own: the keys of the table that the text is about. What else has the name of a command is the command.
  private static func markup(_ text: String, _ own: [KeyReference] = []) -> [String] {
    let keys = keys.subtracting(CommandTable.verbs).union(own.map(\.name))
    return Markup(text).manual(keys: keys, headings: headings)
  }

  private static func heading(_ title: String) -> [String] { [".Ss \(title)"] }

  private static func section(_ table: TableReference, _ title: String? = nil) -> [String] {
    heading(title ?? "[\(table.title)]") + markup(table.text, table.keys) + list(table.keys)
  }

  private static func list(_ keys: [KeyReference]) -> [String] {
    [".Bl -tag -width Ds"] + keys.flatMap { key in [".It Cm \(key.name)"] + markup(key.fullText, keys) }
      + [".El"]
  }

  /// What the presets contain.
  private static var presets: [String] {
    let items = GameRules.Preset.allCases.flatMap { preset -> [String] in
      [".It Cm \(preset.rawValue)"] + markup(PresetReference.text(preset))
    }
    let text = markup("The presets of `[game]` have these rules, here with English names:")
    return heading("Presets") + text + [".Bl -tag -width Ds"] + items + [".El"]
  }

  /// Which kinds of widgets have cards.
  private static var cardWidgets: [String] {
    let names = ConfigTables.widgets.filter { !$0.cardKeys.isEmpty }.map { "\"\($0.typeName)\"" }
    return markup("The types \(Markup.list(names)) have these keys in addition to their own.")
  }

  /// The defaults of a kind's cards that differ from the common ones.
  private static func ownDefaults(_ widget: WidgetReference) -> [String] {
    let standards = ConfigTables.cards.keys
    let own = widget.cardKeys.filter { key in
      standards.contains { $0.name == key.name && $0.standard != key.standard }
    }
    guard !own.isEmpty else { return [] }
    let list = own.compactMap { key in key.standard.map { "`\(key.name) = \($0)`" } }
    return [".Pp"] + markup("The cards have other defaults: \(list.joined(separator: " and ")).")
  }
}
