// SPDX-License-Identifier: Apache-2.0

import Spelling
import TOMLConfig

/// Whether anything on the display moves.
package enum Motion: String, CaseIterable, Hashable, Sendable {
  case full
  /// Everything changes at once.
  case none
}

/// What a card does between two symbols.
package enum DigitTransition: String, CaseIterable, Hashable, Sendable {
  /// A flap falls from the upper half onto the lower one.
  case flip
  /// The symbols are sides of a drum that turns by one side.
  case roll
  /// The old symbol leaves in vertical bands, alternately up and down.
  case shutter
  /// The new symbol pushes the old one out upwards.
  case slide
  case fade
  /// The new symbol appears at once.
  case none
}

/// How the cards of a widget change.
package struct CardMotionSettings: Hashable, Sendable {
  /// Which card of a line starts first.
  package enum Order: String, CaseIterable, Hashable, Sendable {
    /// The rightmost of the cards that change. Each other card that changes starts one stagger after the next
    /// one to its right.
    case rightToLeft = "right-to-left"
    case together
    /// A wave from the left: a card's start depends only on the card's position.
    case cascade
  }

  /// Which symbols a card shows between the old and the new one.
  package enum Path: String, CaseIterable, Hashable, Sendable {
    case direct
    /// All symbols that are between the two on the card's drum.
    case through
  }

  package var transition = DigitTransition.flip
  /// Seconds; nil: that of `[flip]`.
  package var duration: Double?
  /// Nil: the default of the transition.
  package var easing: EasingSettings?
  package var order = Order.rightToLeft
  /// How much of the light and shadow of a transition is shown, 0 … 1.
  package var shading = 1.0
  /// The distance of the eye in card heights; nil: that of `[flip]`.
  package var perspective: Double?
  package var symbols = Path.direct
  /// Symbols per second with `Path.through`.
  package var flapRate = 12.0

  package init() {}
}

extension Section where Target == CardMotionSettings {
  /// The keys of every widget with cards.
  static var cardMotion: Section {
    Section(
      title: "",
      text: "How the cards of a widget change.",
      keys: [
        Key(
          "transition", \.transition, .choice(),
          """
          What a card does between two symbols. `"flip"`: a flap falls. `"roll"`: a drum turns. `"shutter"`: the old
          symbol leaves in bands, up and down. `"slide"`: the new symbol pushes the old one out. `"fade"`: one fades
          into the other. `"none"`: the new symbol appears at once.
          """),
        Key(
          "duration", \.duration, .duration(maximum: 10), "As in `[flip]`, whose value is the default.",
          example: "\"300ms\""),
        Key(
          "easing", \.easing, .easing,
          """
          How the motion follows time. `"auto"` is the default of the transition; otherwise write `"linear"`,
          `"ease"`, `"ease-in"`, `"ease-out"`, `"ease-in-out"`, `"cubic-bezier(0.4, 0, 0.2, 1)"` with four numbers
          from 0 to 1, or `"steps(8)"` with a number from 1 to 100. The names and the forms are those of CSS.
          """),
        Key(
          "order", \.order, .choice(),
          """
          Which card starts first. `"right-to-left"`: the rightmost, the others one `stagger` after another;
          `"together"`: all at the same time; `"cascade"`: a wave from the left.
          """),
        Key("shading", \.shading, .percentage, "How much light and shadow is shown on moving parts."),
        Key(
          "perspective", \.perspective, .number(1...20), "As in `[flip]`, whose value is the default.",
          example: "4.0"),
        Key(
          "symbols", \.symbols, .choice(),
          """
          `"direct"` goes straight to the new symbol, `"through"` shows all symbols in between, flap by flap.
          """),
        Key("flap-rate", \.flapRate, .number(1...60), "How many flaps fall in a second with `\"through\"`."),
      ])
  }
}

/// How the progress of a motion follows time.
package enum EasingSettings: Hashable, Sendable, CustomStringConvertible {
  /// `cubic-bezier(x1, y1, x2, y2)`, each 0 … 1.
  case curve(Double, Double, Double, Double)
  /// `steps(n)`: n jumps, the last one at the end.
  case steps(Int)

  package static let linear = EasingSettings.curve(0, 0, 1, 1)
  package static let ease = EasingSettings.curve(0.25, 0.1, 0.25, 1)
  package static let easeIn = EasingSettings.curve(0.42, 0, 1, 1)
  package static let easeOut = EasingSettings.curve(0, 0, 0.58, 1)
  package static let easeInOut = EasingSettings.curve(0.42, 0, 0.58, 1)

  package static let maximumSteps = 100

  /// The easings that have names, which are those of CSS.
  static let named: [(name: String, easing: EasingSettings)] = [
    ("linear", .linear), ("ease", .ease), ("ease-in", .easeIn), ("ease-out", .easeOut),
    ("ease-in-out", .easeInOut),
  ]

  /// Reads a name, `cubic-bezier(…)` or `steps(…)`. Numbers of a curve outside 0 … 1 are refused, because a
  /// motion has nothing to show before its start and after its end.
  init?(_ text: String) {
    if let known = Self.named.first(where: { $0.name == text }) {
      self = known.easing
      return
    }
    if let arguments = Self.arguments(of: "cubic-bezier", in: text) {
      let numbers = arguments.compactMap { Units.decimal($0, fraction: true) }
      guard arguments.count == 4, numbers.count == 4, numbers.allSatisfy({ $0 <= 1 }) else { return nil }
      self = .curve(numbers[0], numbers[1], numbers[2], numbers[3])
    } else if let arguments = Self.arguments(of: "steps", in: text) {
      guard arguments.count == 1, let count = arguments.first.flatMap({ Units.decimal($0, fraction: false) }),
        (1...Double(Self.maximumSteps)).contains(count)
      else { return nil }
      self = .steps(Int(count))
    } else {
      return nil
    }
  }

  /// The words between the parentheses of `name(…)`, without the spaces around them.
  private static func arguments(of name: String, in text: String) -> [Substring]? {
    guard text.hasPrefix(name + "("), text.hasSuffix(")") else { return nil }
    let inner = text.dropFirst(name.count + 1).dropLast()
    return inner.split(separator: ",", omittingEmptySubsequences: false).map { word in
      var word = word.drop { $0 == " " }
      while word.last == " " { word.removeLast() }
      return word
    }
  }

  /// The easing as it is written in the config.
  package var description: String {
    if let known = Self.named.first(where: { $0.easing == self }) { return known.name }
    switch self {
    case .curve(let x1, let y1, let x2, let y2):
      return "cubic-bezier(\([x1, y1, x2, y2].map(Units.number).joined(separator: ", ")))"
    case .steps(let count): return "steps(\(count))"
    }
  }

  /// A regular expression for `words`, the named easings, `cubic-bezier(…)` and `steps(…)`.
  fileprivate static func pattern(also words: [String]) -> String {
    let number = " *[0-9.]+ *"
    let curve = "cubic-bezier\\(\([number, number, number, number].joined(separator: ","))\\)"
    return "^(\((words + named.map(\.name) + [curve, "steps\\( *[0-9]+ *\\)"]).joined(separator: "|")))$"
  }
}

extension ValueKind where Value == EasingSettings? {
  /// An easing; `"auto"` is read as nil.
  static var easing: ValueKind {
    .easing(also: [("auto", nil)], formerly: ["ease-in-ease-out": "ease-in-out"]) {
      $0
    } easing: {
      $0
    }
  }
}

extension ValueKind where Value == AnalogClockSettings.Tick {
  static var tick: ValueKind {
    .easing(also: [("spring", .spring), ("none", .none)], formerly: ["smooth": "ease-in-out"]) {
      .eased($0)
    } easing: { tick in
      if case .eased(let easing) = tick { easing } else { nil }
    }
  }
}

extension ValueKind where Value: Equatable {
  /// An easing, or one of a few words.
  ///
  /// - Parameter formerly: the new names of easings, by their old names. An old name is read, with a warning.
  fileprivate static func easing(
    also words: [(name: String, value: Value)], formerly: [String: String],
    value: @escaping (EasingSettings) -> Value, easing: @escaping (Value) -> EasingSettings?
  ) -> ValueKind {
    ValueKind(
      shape: .form(pattern: EasingSettings.pattern(also: words.map(\.name)), maximum: nil),
      read: { node, place, report in
        var hint =
          "write \"\(words[0].name)\", \"ease-in-out\", \"cubic-bezier(0.4, 0, 0.2, 1)\" with numbers from 0 to 1, "
          + "or \"steps(8)\""
        if case .string(let text) = node.value {
          if let word = words.first(where: { $0.name == text }) { return word.value }
          if let easing = EasingSettings(formerly[text] ?? text) {
            if let name = formerly[text] {
              report.warning(
                node.location, "\(place.description) has the old name \(text.quoted)",
                hint: "write \"\(name)\"")
            }
            return value(easing)
          }
          let names = words.map(\.name) + EasingSettings.named.map(\.name)
          hint = Spelling.hint(for: text, among: names) ?? hint
        }
        report.mismatch(node, place, "an easing", hint: hint)
        return nil
      },
      write: { value in
        let word = words.first { $0.value == value }?.name ?? easing(value)?.description
        return word.map { "\"\($0)\"" }
      })
  }
}
