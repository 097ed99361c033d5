// SPDX-License-Identifier: Apache-2.0

/// The words of a widget's `type`, and the keys that go with each.
enum WidgetType: String, CaseIterable {
  case flipClock = "flip-clock"
  case score
  case date
  case text
  case board
  case analogClock = "analog-clock"
  case timer
  case worldClock = "world-clock"

  /// A widget of this type as it is when the config says nothing more.
  var defaultKind: WidgetSettings.Kind {
    switch self {
    case .flipClock: .flipClock(FlipClockSettings())
    case .score: .score(ScoreSettings())
    case .date: .date(DateSettings())
    case .text: .text(TextSettings())
    case .board: .board(BoardSettings())
    case .analogClock: .analogClock(AnalogClockSettings())
    case .timer: .timer(TimerSettings())
    case .worldClock: .worldClock(WorldClockSettings())
    }
  }

  /// The keys of `[widgets.NAME]` for this type.
  func section(_ name: String) -> Section<WidgetSettings> {
    Section(title: "widgets.\(name)", keys: Self.commonKeys + ownKeys)
  }

  static var commonKeys: [Key<WidgetSettings>] {
    [
      // Read before all others, since they depend on it.
      Key(name: "type", shape: ValueKind<WidgetType>.choice().shape) { _, _, _, _ in },
      Key("weight", \.weight, .number(0.01...100)),
    ]
  }

  var ownKeys: [Key<WidgetSettings>] {
    switch self {
    case .flipClock: Section<FlipClockSettings>.flipClock.keys.map { $0.lifted(through: \.flipClock) }
    case .score: Section<ScoreSettings>.score.keys.map { $0.lifted(through: \.score) }
    case .date: Section<DateSettings>.date.keys.map { $0.lifted(through: \.date) }
    case .text: Section<TextSettings>.text.keys.map { $0.lifted(through: \.text) }
    case .board: Section<BoardSettings>.board.keys.map { $0.lifted(through: \.board) }
    case .analogClock:
      Section<AnalogClockSettings>.analogClock.keys.map { $0.lifted(through: \.analogClock) }
    case .timer: Section<TimerSettings>.timer.keys.map { $0.lifted(through: \.timer) }
    case .worldClock: Section<WorldClockSettings>.worldClock.keys.map { $0.lifted(through: \.worldClock) }
    }
  }

  /// For keys that another type has: which.
  var keysElsewhere: [String: String] {
    var hints: [String: String] = [:]
    for other in Self.allCases where other != self {
      for key in other.ownKeys where hints[key.name] == nil {
        hints[key.name] = "it belongs to widgets of type \"\(other.rawValue)\""
      }
    }
    return hints
  }
}

extension Key {
  /// The same key of what is perhaps in a part of `Whole`; it does nothing where that part is not.
  fileprivate func lifted<Whole>(through path: WritableKeyPath<Whole, Target?>) -> Key<Whole> {
    Key<Whole>(name: name, shape: shape) { whole, node, place, report in
      guard var part = whole[keyPath: path] else { return }
      apply(&part, node, place, &report)
      whole[keyPath: path] = part
    }
  }
}

extension WidgetSettings {
  fileprivate var flipClock: FlipClockSettings? {
    get { if case .flipClock(let settings) = kind { settings } else { nil } }
    set { if let newValue { kind = .flipClock(newValue) } }
  }

  fileprivate var score: ScoreSettings? {
    get { if case .score(let settings) = kind { settings } else { nil } }
    set { if let newValue { kind = .score(newValue) } }
  }

  fileprivate var date: DateSettings? {
    get { if case .date(let settings) = kind { settings } else { nil } }
    set { if let newValue { kind = .date(newValue) } }
  }

  fileprivate var text: TextSettings? {
    get { if case .text(let settings) = kind { settings } else { nil } }
    set { if let newValue { kind = .text(newValue) } }
  }

  fileprivate var board: BoardSettings? {
    get { if case .board(let settings) = kind { settings } else { nil } }
    set { if let newValue { kind = .board(newValue) } }
  }

  fileprivate var analogClock: AnalogClockSettings? {
    get { if case .analogClock(let settings) = kind { settings } else { nil } }
    set { if let newValue { kind = .analogClock(newValue) } }
  }

  fileprivate var timer: TimerSettings? {
    get { if case .timer(let settings) = kind { settings } else { nil } }
    set { if let newValue { kind = .timer(newValue) } }
  }

  fileprivate var worldClock: WorldClockSettings? {
    get { if case .worldClock(let settings) = kind { settings } else { nil } }
    set { if let newValue { kind = .worldClock(newValue) } }
  }
}
