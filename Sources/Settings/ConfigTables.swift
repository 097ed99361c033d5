// SPDX-License-Identifier: Apache-2.0

import Languages
import TOMLConfig

/// A kind of widget as the manual shows it.
package struct WidgetReference: Hashable, Sendable {
  package var typeName: String
  package var text: String
  /// The kind's own keys, without those of every widget and those of its cards.
  package var keys: [KeyReference]
  /// The keys of every widget with cards, with this kind's defaults; none for a kind without cards.
  package var cardKeys: [KeyReference]
}

/// A built-in widget, with its values.
package struct BuiltInWidgetReference: Hashable, Sendable {
  package var name: String
  package var typeName: String
  package var keys: [KeyReference]
}

/// The tables of the config, and the key outside of them. The manual, the reference file and the schema are
/// generated from these.
package enum ConfigTables {
  package static var motion: KeyReference { KeyReference(.motion, standard: Configuration()) }

  /// All tables, in the order of the manual.
  package static var all: [TableReference] { ConfigFormat.settings.manual }

  /// The built-in teams, each with its id and its values, in a language.
  package static func builtInTeams(in language: Language = .english) -> [(id: String, keys: [KeyReference])] {
    Configuration(in: language).teams.map { ($0.id, TableReference(.team($0.id), standard: $0).keys) }
  }

  /// The keys of every widget.
  package static var widget: TableReference {
    let section = Section<WidgetDraft<FlipClockSettings>>(
      title: "widgets.NAME",
      text: """
        Something on the display. NAME is yours to choose, and `type` says what it is. The widgets `time`, `date` and
        `score` are built in: a table without a `type` changes one of them, and the other two stay. As soon as any
        widget has a `type`, only those with a table are shown.
        """, keys: Section.commonWidgetKeys())
    let standard = WidgetDraft(weight: 1, content: FlipClockSettings())
    var table = TableReference(section, standard: standard, heading: "Widgets")
    table.keys[0].standard = nil
    return table
  }

  /// The keys of every widget with cards.
  package static var cards: TableReference { TableReference(.cardMotion, standard: CardMotionSettings()) }

  /// All kinds of widgets, in the order of the manual.
  package static var widgets: [WidgetReference] { WidgetSettings.kinds.map { reference($0.init()) } }

  package static var builtInWidgets: [BuiltInWidgetReference] {
    Configuration.builtInWidgets.map { widget in
      BuiltInWidgetReference(
        name: widget.name, typeName: widget.typeName, keys: keys(widget.content, weight: widget.weight))
    }
  }

  private static func reference<Content: WidgetContent>(_ content: Content) -> WidgetReference {
    WidgetReference(
      typeName: Content.typeName, text: Content.text,
      keys: Content.keys.map { KeyReference($0, standard: content) },
      cardKeys: Content.cardKeys.map { KeyReference($0, standard: content) })
  }

  private static func keys<Content: WidgetContent>(_ content: Content, weight: Double) -> [KeyReference] {
    TableReference(.widget("NAME"), standard: WidgetDraft(weight: weight, content: content)).keys
  }
}
