// SPDX-License-Identifier: Apache-2.0

import Languages
import TOMLConfig

/// A table `[widgets.NAME]`.
package struct WidgetSettings: Equatable, Sendable {
  package var name: String
  /// The widget's share of the space, relative to the weights of its neighbours.
  package var weight: Double
  package var content: any WidgetContent

  package init(name: String, weight: Double, content: any WidgetContent) {
    self.name = name
    self.weight = weight
    self.content = content
  }

  /// The config's word for the kind, such as `flip-clock`.
  package var typeName: String { type(of: content).typeName }

  package static func == (a: WidgetSettings, b: WidgetSettings) -> Bool {
    a.name == b.name && a.weight == b.weight && AnyHashable(a.content) == AnyHashable(b.content)
  }
}

// MARK: Kinds

extension WidgetSettings {
  /// The kinds of widgets, in the order of the manual. This is the only list of them. It is a tuple because
  /// the compiler then checks that the module `Widgets` has a widget for each type.
  package static let registry = (
    FlipClockSettings.self, ScoreSettings.self, DateSettings.self, TextSettings.self, BoardSettings.self,
    AnalogClockSettings.self, TimerSettings.self, WorldClockSettings.self, ImageSettings.self
  )

  /// The types in `registry`.
  package static let kinds = list(registry)

  private static func list<each Kind: WidgetContent>(
    _ types: (repeat (each Kind).Type)
  ) -> [any WidgetContent.Type] {
    var list: [any WidgetContent.Type] = []
    repeat list.append(each types)
    return list
  }
}

/// The settings of one kind of widget. A new kind is added to `WidgetSettings.registry`.
package protocol WidgetContent: Hashable, Sendable {
  /// The config's word for the kind, such as `flip-clock`.
  static var typeName: String { get }
  /// What the manual says about the kind, in the form of `Section.text`.
  static var text: String { get }
  /// The kind's own keys, without `type`, `weight` and those of its cards.
  static var keys: [Key<Self>] { get }
  /// The keys of the kind's cards; none for a kind without cards.
  static var cardKeys: [Key<Self>] { get }
  /// The defaults.
  init()
  /// Called when all tables have been read: sets what follows from other tables, and reports keys that do not
  /// fit together.
  mutating func complete(_ table: WidgetTable, _ report: inout Report)
  /// The config's text of a board, which a pushed text replaces; nil: the widget shows no pushed texts.
  var ownText: String? { get }
  /// The name of the countdown that the widget shows; nil: it shows none.
  var countdown: String? { get }
  /// Returns how a text fits a board.
  func fit(of text: BoardText, in language: Language) -> TextFit
}

/// How a text fits a board.
package struct TextFit: Hashable, Sendable {
  /// The number of letters in a line, and of lines; nil where any text fits.
  package var columns: Int?
  package var rows: Int?
  /// The lines as they are shown, with all their blanks; nil: the widget has no cards.
  package var lines: [String]?
  /// The lines without a place.
  package var leftOut: [String] = []
  /// The lines and the cells of tables whose end has no place.
  package var cut: [String] = []
  /// The letters that cannot be shown, each once.
  package var missing: [Character] = []
}

extension WidgetContent {
  package static var cardKeys: [Key<Self>] { [] }

  package func complete(_ table: WidgetTable, _ report: inout Report) {}

  package var ownText: String? { nil }

  package var countdown: String? { nil }

  package func fit(of text: BoardText, in language: Language) -> TextFit { TextFit() }

  fileprivate static var ownKeys: [String] { (keys + cardKeys).map(\.name) }
}

/// The settings of a kind of widget with cards.
package protocol CardWidgetContent: WidgetContent {
  var motion: CardMotionSettings { get set }
}

extension CardWidgetContent {
  package static var cardKeys: [Key<Self>] {
    Section<CardMotionSettings>.cardMotion.keys.map { $0.part(of: \.motion) }
  }
}

/// What the files have as a table `[widgets.NAME]`, after all of them have been read.
package struct WidgetTable {
  let files: ConfigFiles
  let name: String
  let teams: [TeamSettings]

  /// The table's title in messages.
  var title: String { "[widgets.\(name)]" }

  /// A key of the table, in the last file that has it; nil: no file has it.
  subscript(key: String) -> Node.Entry? { files.entries("widgets", name, key).last }
}

/// A widget of a known kind, while a table is read into it.
struct WidgetDraft<Content: WidgetContent> {
  var weight: Double
  var content: Content
}

extension Section {
  /// The keys of `[widgets.NAME]` for a kind.
  static func widget<Content>(_ name: String) -> Section where Target == WidgetDraft<Content> {
    Section(
      title: "widgets.\(name)", text: Content.text,
      keys: commonWidgetKeys()
        + (Content.keys + Content.cardKeys).map { $0.part(of: \WidgetDraft<Content>.content) })
  }

  /// The keys of every widget.
  static func commonWidgetKeys<Content>() -> [Key<Target>] where Target == WidgetDraft<Content> {
    [
      // The type determines which other keys are valid, so it was read before them.
      Key(
        name: "type", shape: ValueKind.widgetType.shape,
        text: """
          What the widget is: \(WidgetSettings.kinds.map { "`\"\($0.typeName)\"`" }.joined(separator: ", ")).
          """,
        written: { _ in ValueKind.widgetType.write(Content.typeName) }
      ) { _, _, _, _ in },
      Key(
        "weight", \.weight, .number(0.01...100),
        "The widget's share of the space, relative to the weights of its neighbours."),
    ]
  }
}

extension ValueKind where Value == String {
  /// The word for a kind of widget.
  static var widgetType: ValueKind { .choice(WidgetSettings.kinds.map { ($0.typeName, $0.typeName) }) }
}

extension WidgetSettings {
  /// Reads a table into the widget.
  mutating func apply(_ table: Node, _ report: inout Report) {
    (weight, content) = Self.applying(table, name, weight, content, &report)
  }

  private static func applying<Content: WidgetContent>(
    _ table: Node, _ name: String, _ weight: Double, _ content: Content, _ report: inout Report
  ) -> (Double, any WidgetContent) {
    var draft = WidgetDraft(weight: weight, content: content)
    Section<WidgetDraft<Content>>.widget(name).apply(
      table, to: &draft, &report, elsewhere: keysElsewhere(besides: Content.typeName))
    return (draft.weight, draft.content)
  }

  /// Reports a required key that no file has.
  func reportMissing(in files: ConfigFiles, _ report: inout Report) {
    Self.reportMissing(content, files.entries("widgets", name), name, &report)
  }

  private static func reportMissing<Content: WidgetContent>(
    _ content: Content, _ tables: [Node.Entry], _ name: String, _ report: inout Report
  ) {
    guard let first = tables.first else { return }
    let section = Section<WidgetDraft<Content>>.widget(name)
    section.reportMissing(in: tables.map(\.value), "[\(section.title)]", at: first.keyLocation, &report)
  }

  /// Hints for the keys of other kinds: the first kind that has the key.
  private static func keysElsewhere(besides name: String) -> [String: String] {
    var hints: [String: String] = [:]
    for kind in kinds where kind.typeName != name {
      for key in kind.ownKeys where hints[key] == nil {
        hints[key] = "it belongs to widgets of type \"\(kind.typeName)\""
      }
    }
    return hints
  }
}

extension Configuration {
  /// The widgets that show pushed texts, in the order of the config.
  package var boards: [WidgetSettings] { widgets.filter { $0.content.ownText != nil } }

  /// The names of the countdowns that widgets show, each once, in the order of the config.
  package var countdowns: [String] {
    widgets.compactMap(\.content.countdown).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The first page that has a widget for a countdown; nil: none has it.
  package func page(withCountdown name: String) -> String? {
    widgets.lazy.filter { $0.content.countdown == name }.compactMap { page(with: $0.name) }.first
  }

  /// The first page that has a widget; nil: none has it.
  package func page(with widget: String) -> String? {
    allPages.first { $0.layout.rows.joined().contains(widget) }?.name
  }
}
