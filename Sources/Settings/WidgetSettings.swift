// SPDX-License-Identifier: Apache-2.0

/// A table `[widgets.NAME]`.
public struct WidgetSettings: Hashable, Sendable {
  /// The kinds of widgets, each with its settings.
  ///
  /// A new kind is a type that conforms to `WidgetContent`, in a file of its own, and a line in each of the three lists
  /// below. The compiler and the tests then name what else is missing: the widget itself, which `Stage.widget` makes,
  /// and the generated references.
  public enum Kind: Hashable, Sendable {
    case flipClock(FlipClockSettings)
    case score(ScoreSettings)
    case date(DateSettings)
    case text(TextSettings)
    case board(BoardSettings)
    case analogClock(AnalogClockSettings)
    case timer(TimerSettings)
    case worldClock(WorldClockSettings)

    /// Every kind with its defaults, in the order of the manual.
    static var all: [Kind] {
      [
        .flipClock(FlipClockSettings()), .score(ScoreSettings()), .date(DateSettings()),
        .text(TextSettings()),
        .board(BoardSettings()), .analogClock(AnalogClockSettings()), .timer(TimerSettings()),
        .worldClock(WorldClockSettings()),
      ]
    }

    var content: any WidgetContent {
      switch self {
      case .flipClock(let content): content
      case .score(let content): content
      case .date(let content): content
      case .text(let content): content
      case .board(let content): content
      case .analogClock(let content): content
      case .timer(let content): content
      case .worldClock(let content): content
      }
    }

    /// The config's word for the kind, such as `flip-clock`.
    public var typeName: String { type(of: content).typeName }
  }

  public var name: String
  /// The widget's share of the space, relative to the weights of its neighbours.
  public var weight: Double
  public var kind: Kind

  public init(name: String, weight: Double, kind: Kind) {
    self.name = name
    self.weight = weight
    self.kind = kind
  }

  /// The config's word for the kind, such as `flip-clock`.
  public var typeName: String { kind.typeName }
}

/// The settings of one kind of widget.
protocol WidgetContent: Hashable, Sendable {
  /// The config's word for the kind, such as `flip-clock`.
  static var typeName: String { get }
  /// What the manual says about the kind, in the form of `Section.text`.
  static var text: String { get }
  /// The keys that only this kind has, or that mean something else in other kinds.
  static var keys: [Key<Self>] { get }
  /// The keys of the kind's cards; none for a kind without cards.
  static var cardKeys: [Key<Self>] { get }
  var kind: WidgetSettings.Kind { get }
}

extension WidgetContent {
  static var cardKeys: [Key<Self>] { [] }
}

/// The settings of a kind of widget with cards.
protocol CardWidgetContent: WidgetContent {
  var motion: CardMotionSettings { get set }
}

extension WidgetContent where Self: CardWidgetContent {
  static var cardKeys: [Key<Self>] {
    Section<CardMotionSettings>.cardMotion.keys.map { $0.part(of: \.motion) }
  }
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
        name: "type", shape: ValueKind<WidgetSettings.Kind>.widgetType.shape,
        text: """
          What the widget is: \(WidgetSettings.Kind.all.map { "`\"\($0.typeName)\"`" }.joined(separator: ", ")).
          """,
        written: { ValueKind<WidgetSettings.Kind>.widgetType.write($0.content.kind) }
      ) { _, _, _, _ in },
      Key(
        "weight", \.weight, .number(0.01...100),
        "The widget's share of the space, relative to the weights of its neighbours."),
    ]
  }
}

extension ValueKind where Value == WidgetSettings.Kind {
  /// Reads the word for a kind of widget; the value is that kind with its defaults.
  static var widgetType: ValueKind {
    let words = Value.all.map { (word: $0.typeName, value: $0) }
    let choice = ValueKind.choice(words)
    return ValueKind(shape: choice.shape, read: choice.read, write: { "\"\($0.typeName)\"" })
  }
}

extension WidgetSettings {
  /// Reads a table into the widget.
  mutating func apply(_ table: Node, _ report: inout Report) {
    (weight, kind) = Self.applying(table, name, weight, kind.content, &report)
  }

  private static func applying<Content: WidgetContent>(
    _ table: Node, _ name: String, _ weight: Double, _ content: Content, _ report: inout Report
  ) -> (Double, Kind) {
    var draft = WidgetDraft(weight: weight, content: content)
    Section<WidgetDraft<Content>>.widget(name).apply(
      table, to: &draft, &report, elsewhere: keysElsewhere(besides: Content.typeName))
    return (draft.weight, draft.content.kind)
  }

  /// Hints for the keys of all other kinds: where they belong.
  private static func keysElsewhere(besides name: String) -> [String: String] {
    func names<Content: WidgetContent>(_ content: Content) -> [String] {
      (Content.keys + Content.cardKeys).map(\.name)
    }
    var hints: [String: String] = [:]
    for kind in Kind.all where kind.typeName != name {
      for key in names(kind.content) where hints[key] == nil {
        hints[key] = "it belongs to widgets of type \"\(kind.typeName)\""
      }
    }
    return hints
  }
}
