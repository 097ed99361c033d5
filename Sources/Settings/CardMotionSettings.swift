// SPDX-License-Identifier: Apache-2.0

/// Whether anything on the display moves.
public enum Motion: String, CaseIterable, Hashable, Sendable {
  case full
  /// Everything changes at once.
  case none
}

/// What a card does between two symbols.
public enum DigitTransition: String, CaseIterable, Hashable, Sendable {
  /// A flap falls from the upper half onto the lower one.
  case flip
  /// The symbols are sides of a drum that turns one side on.
  case roll
  /// The old symbol goes away in vertical bands, up and down in turn.
  case shutter
  /// The new symbol pushes the old one out upwards.
  case slide
  case fade
  /// The new symbol is there at once.
  case none
}

/// The keys with which a widget says how its cards change.
public struct CardMotionSettings: Hashable, Sendable {
  /// Which card of a line starts first.
  public enum Order: String, CaseIterable, Hashable, Sendable {
    /// The rightmost of those that change, each a stagger later than its right neighbour among them.
    case rightToLeft = "right-to-left"
    case together
    /// A wave from the left: each card later by its place.
    case cascade
  }

  /// Which symbols a card shows on its way.
  public enum Path: String, CaseIterable, Hashable, Sendable {
    case direct
    /// All that stand between the two on the card's drum.
    case through
  }

  public var transition = DigitTransition.flip
  /// Seconds; nil: that of `[flip]`.
  public var duration: Double?
  public var easing = EasingSettings.automatic
  public var order = Order.rightToLeft
  /// How much of the light and shadow of a transition is shown, 0 … 1.
  public var shading = 1.0
  /// The eye's distance in card heights; nil: that of `[flip]`.
  public var perspective: Double?
  public var symbols = Path.direct
  /// Symbols a second on the way `through`.
  public var flapRate = 12.0

  public init() {}
}

/// How the progress of a transition follows time.
public enum EasingSettings: Hashable, Sendable {
  /// What suits the transition.
  case automatic
  /// `cubic-bezier(x1, y1, x2, y2)`, each 0 … 1.
  case curve(Double, Double, Double, Double)
  /// `steps(n)`: so many jumps, the last at the end.
  case steps(Int)

  public static let maximumSteps = 100

  /// The easings that have names; `linear`, `ease` and so on are those of CSS.
  static let named: [(name: String, easing: EasingSettings)] = [
    ("auto", .automatic), ("linear", .curve(0, 0, 1, 1)), ("ease", .curve(0.25, 0.1, 0.25, 1)),
    ("ease-in", .curve(0.42, 0, 1, 1)), ("ease-out", .curve(0, 0, 0.58, 1)),
    ("ease-in-out", .curve(0.42, 0, 0.58, 1)),
  ]

  /// As the config writes it. A curve that leaves 0 … 1 is refused: there is nothing to show beyond
  /// either symbol.
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

  /// The words between the brackets of `name(…)`, without the spaces around them.
  private static func arguments(of name: String, in text: String) -> [Substring]? {
    guard text.hasPrefix(name + "("), text.hasSuffix(")") else { return nil }
    let inner = text.dropFirst(name.count + 1).dropLast()
    return inner.split(separator: ",", omittingEmptySubsequences: false).map { word in
      var word = word.drop { $0 == " " }
      while word.last == " " { word.removeLast() }
      return word
    }
  }
}
