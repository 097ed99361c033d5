// SPDX-License-Identifier: Apache-2.0

/// A key as the manual shows it.
package struct KeyReference: Hashable, Sendable {
  package var name: String
  package var shape: Shape
  /// Whole sentences, with backquotes around what is typed.
  package var text: String
  /// A value as the config writes it.
  package var example: String?
  /// The default as the config writes it; nil: there is none.
  package var standard: String?
}

/// A table as the manual shows it.
package struct TableReference: Hashable, Sendable {
  /// The table's name; `NAME` and `ID` stand for names that the user chooses.
  package var title: String
  /// Paragraphs in the form of `KeyReference.text`, separated by blank lines.
  package var text: String
  package var keys: [KeyReference]
}

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

/// Every table of the config, and the key outside of them. The manual, the reference file and the schema are generated
/// from these.
package enum ConfigTables {
  package static var motion: KeyReference { reference(.motion, Configuration()) }
  package static var locale: TableReference { reference(.locale, LocaleSettings()) }
  package static var words: TableReference { reference(.words, LocaleSettings()) }
  package static var display: TableReference { reference(.display, DisplaySettings()) }
  package static var output: TableReference { reference(.output("NAME"), OutputDraft("NAME")) }
  package static var burnIn: TableReference { reference(.burnIn, BurnInSettings()) }
  package static var theme: TableReference { reference(.theme, ThemeDraft()) }
  /// `[themes.NAME]` for any theme; its keys have no defaults.
  package static var namedTheme: TableReference {
    var table = reference(.theme("NAME"), ThemeDraft())
    for index in table.keys.indices { table.keys[index].standard = nil }
    return table
  }
  package static var flip: TableReference { reference(.flip, FlipSettings()) }
  package static var game: TableReference { reference(.game, GameDraft()) }
  package static var counter: TableReference { reference(.counter("ID"), GameDraft.Counter(id: "ID")) }
  package static var layout: TableReference { reference(.layout, LayoutDraft()) }
  package static var page: TableReference { reference(.page("NAME"), PageDraft()) }
  package static var rotation: TableReference { reference(.rotation, RotationDraft()) }
  package static var pageTransition: TableReference { reference(.pageTransition, PageTransitionSettings()) }
  package static var place: TableReference { reference(.place, PlaceDraft()) }
  package static var schedule: TableReference {
    reference(.schedule("NAME"), ScheduleDraft("NAME", Location(file: 0, line: 1, column: 1)))
  }
  package static var input: TableReference { reference(.input, InputSettings()) }
  package static var walls: TableReference { reference(.walls, WallsDraft()) }
  package static var remote: TableReference { reference(.remote, RemoteSettings()) }
  /// - Parameter commands: the commands that a key accepts, as a part of the table's text.
  package static func binding(commands: String) -> TableReference {
    reference(Section<InputSettings.Draft>.binding("input.keys", commands: commands), InputSettings.Draft())
  }

  /// `[teams.ID]` for any team; its keys have no defaults.
  package static var team: TableReference {
    var table = reference(.team("ID"), TeamSettings(id: "ID", name: "", color: 0))
    for index in table.keys.indices { table.keys[index].standard = nil }
    return table
  }

  /// The built-in teams, each with its id and its values.
  package static var builtInTeams: [(id: String, keys: [KeyReference])] {
    Configuration().teams.map { ($0.id, reference(.team($0.id), $0).keys) }
  }

  /// The keys of every widget.
  package static var widget: TableReference {
    TableReference(
      title: "widgets.NAME",
      text: """
        Something on the display. NAME is yours to choose, and `type` says what it is. The widgets `time`, `date` and
        `score` are built in: a table without a `type` changes one of them, and the other two stay. As soon as any
        widget has a `type`, only those with a table are shown.
        """,
      keys: common(FlipClockSettings()).map { key in
        var key = key
        if key.name == "type" { key.standard = nil }
        return key
      })
  }

  /// The keys of every widget with cards.
  package static var cards: TableReference {
    TableReference(
      title: "", text: Section<CardMotionSettings>.cardMotion.text,
      keys: reference(.cardMotion, CardMotionSettings()).keys)
  }

  /// All kinds of widgets, in the order of the manual.
  package static var widgets: [WidgetReference] { WidgetSettings.kinds.map { reference($0.init()) } }

  package static var builtInWidgets: [BuiltInWidgetReference] {
    Configuration.builtInWidgets.map { widget in
      BuiltInWidgetReference(
        name: widget.name, typeName: widget.typeName, keys: keys(widget.content, weight: widget.weight))
    }
  }

  /// Regular expressions for the names of widgets, pages and displays, and for the ids of teams and counters.
  package static let namePattern = "^[A-Za-z0-9_-]{1,32}$"
  package static let idPattern = "^[a-z][a-z0-9_-]{0,31}$"
  package static let maximumPages = PagesDecoder.maximumPages

  private static func reference<Target>(_ key: Key<Target>, _ target: Target) -> KeyReference {
    KeyReference(
      name: key.name, shape: key.shape, text: key.text, example: key.example, standard: key.written(target))
  }

  static func reference<Target>(_ section: Section<Target>, _ target: Target) -> TableReference {
    TableReference(
      title: section.title, text: section.text,
      keys: section.keys.map { reference($0, target) })
  }

  private static func reference<Content: WidgetContent>(_ content: Content) -> WidgetReference {
    WidgetReference(
      typeName: Content.typeName, text: Content.text, keys: Content.keys.map { reference($0, content) },
      cardKeys: Content.cardKeys.map { reference($0, content) })
  }

  private static func common(_ content: some WidgetContent) -> [KeyReference] {
    Array(keys(content, weight: 1).prefix(2))
  }

  private static func keys<Content: WidgetContent>(_ content: Content, weight: Double) -> [KeyReference] {
    let section = Section<WidgetDraft<Content>>.widget("NAME")
    return reference(section, WidgetDraft(weight: weight, content: content)).keys
  }
}
