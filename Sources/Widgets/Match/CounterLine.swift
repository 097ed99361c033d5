// SPDX-License-Identifier: Apache-2.0

import Languages
import Layers
import Raster
import Scoreboard

/// One counter of a team: its name at the left, its value as dots or a number at the right.
final class CounterLine {
  /// How counters are labelled. All counters of a widget are labelled in the same way.
  enum Naming: Hashable {
    /// The full name, with letters scaled by this factor.
    case full(Double)
    /// The same, with numbers in place of dots, which would leave too little space for the names.
    case figures(Double)
    /// The initials, such as `TO` for TIME-OUTS.
    case initials
    /// Names are not shown, because there is no space for them.
    case none
  }

  /// The proportions of a line.
  struct Look: Hashable {
    /// The cap height of names, in that of the line, and the least scale of a name.
    var name: Double
    var leastScale: Double
    /// The diameter and the distance of dots, in cap heights of the line, and how much of the width they may
    /// take.
    var dot: Double
    var step: Double
    var share: Double
    var emptyOpacity: Double

    /// Beneath small cards.
    static let plain = Look(
      name: 0.86, leastScale: 0.8, dot: 0.62, step: 1.65, share: 0.55, emptyOpacity: 0.32)
    /// Beneath the scores of a scoreboard.
    static let board = Look(name: 1, leastScale: 0.6, dot: 1, step: 1.45, share: 0.6, emptyOpacity: 0.3)
  }

  let layer = Layer()
  let counter: GameRules.Counter

  private let box: Rect
  private let cap: Double
  private let naming: Naming
  private let look: Look
  private let theme: Theme
  private let language: Language
  /// The counter's name; nil: not shown.
  private(set) var name: Label?
  private var dots: [Layer] = []
  private var figure: Label?
  private var shown: (value: Int, limit: Int)?
  private let filled: LayerImage
  /// The dots of a counter that warns at its limit.
  private let warning: LayerImage
  private let empty: LayerImage

  /// The maximum number of dots: more cannot be counted at a glance.
  private static let dotLimit = 6

  /// The longest labels that fit for every counter in lines of this width.
  static func naming(
    _ counters: [GameRules.Counter], width: Double, cap: Double, look: Look = .plain, theme: Theme
  )
    -> Naming
  {
    func scale(_ name: (GameRules.Counter) -> String, dots: Bool = true) -> Double {
      counters.map { counter in
        let needed = Label.width(of: name(counter), style: nameStyle(cap, look, theme))
        let dots = dots ? dotsWidth(counter, width: width, cap: cap, look) : nil
        let value = dots ?? figureWidth(counter) * cap
        return needed > 0 ? nameRoom(value, width: width, cap: cap) / needed : 1
      }.min() ?? 1
    }
    let full = scale(\.name)
    if full >= look.leastScale { return .full(min(full, 1)) }
    let figures = scale(\.name, dots: false)
    if figures >= look.leastScale { return .figures(min(figures, 1)) }
    return scale(\.initials) >= 1 ? .initials : .none
  }

  private static func nameStyle(_ cap: Double, _ look: Look, _ theme: Theme) -> Label.Style {
    theme.labelStyle(cap: cap * look.name, narrowing: 2)
  }

  /// Many dots are smaller, so that they take no more space than four.
  private static func dotDiameter(_ counter: GameRules.Counter, _ cap: Double, _ look: Look) -> Double {
    let scale = look == .board ? min(1, 4.8 / Double(max(counter.limit, 1))) : 1
    return max((look.dot * cap * scale).rounded(), 3)
  }

  /// The width of a counter's dots; nil if they are too many or too wide, so that a number is shown instead.
  private static func dotsWidth(
    _ counter: GameRules.Counter, width: Double, cap: Double, _ look: Look
  ) -> Double? {
    let diameter = dotDiameter(counter, cap, look)
    let needed = Double(counter.limit - 1) * (diameter * look.step).rounded() + diameter
    return counter.limit <= dotLimit && needed <= look.share * width ? needed : nil
  }

  /// - Parameter value: the width of the dots or the number.
  private static func nameRoom(_ value: Double, width: Double, cap: Double) -> Double {
    max(width - value - 0.7 * cap, 0)
  }

  /// The width of a number, in cap heights. A counter may exceed its limit.
  private static func figureWidth(_ counter: GameRules.Counter) -> Double { counter.limit < 9 ? 1.2 : 2.4 }

  init(
    _ counter: GameRules.Counter, _ naming: Naming, in box: Rect, cap: Double, look: Look = .plain,
    theme: Theme, language: Language = .english
  ) {
    self.counter = counter
    self.language = language
    self.cap = cap
    self.look = look
    self.naming = naming
    self.theme = theme
    // Without a name, the value is centred.
    var dotsWidth = Self.dotsWidth(counter, width: box.width, cap: cap, look)
    if case .figures = naming { dotsWidth = nil }
    let value = dotsWidth ?? Self.figureWidth(counter) * cap
    let inset = naming == .none ? (box.width - value) / 2 : 0
    self.box = Rect(x: box.x, y: box.y, width: box.width - max(inset, 0), height: box.height)
    let diameter = Self.dotDiameter(counter, cap, look)
    filled = LayerImage(Disc.image(diameter: Int(diameter), color: theme.onGround))
    warning = LayerImage(
      Disc.image(diameter: Int(diameter), color: TimerLook.warning.applied(to: theme).onGround))
    empty = LayerImage(Disc.image(diameter: Int(diameter), color: theme.label))
    if let width = dotsWidth {
      for index in 0..<counter.limit {
        let dot = Layer()
        dot.frame = Rect(
          x: (self.box.maxX - width + Double(index) * (diameter * look.step).rounded()).rounded(.down),
          y: (box.midY - diameter / 2).rounded(), width: diameter, height: diameter)
        layer.addSublayer(dot)
        dots.append(dot)
      }
    } else {
      let label = Label()
      layer.addSublayer(label.layer)
      figure = label
    }
    addName(naming, in: Self.nameRoom(value, width: box.width, cap: cap))
  }

  private func addName(_ naming: Naming, in room: Double) {
    var style = Self.nameStyle(cap, look, theme)
    let words: String
    switch naming {
    case .full(let scale), .figures(let scale):
      words = counter.name
      style.capHeight *= scale
    case .initials: words = counter.initials
    case .none: return
    }
    let name = Label()
    self.name = name
    name.show(
      words, style: style, in: Rect(x: box.x, y: box.y, width: room, height: box.height), alignment: 0)
    layer.addSublayer(name.layer)
  }

  /// - Parameter limit: the current limit, which may be lower than the counter's usual limit.
  func show(_ value: Int, of limit: Int) {
    guard value != shown?.value || limit != shown?.limit else { return }
    shown = (value, limit)
    // Dots that are not needed now are those before the others.
    let hidden = max(dots.count - max(limit, value), 0)
    for (place, dot) in dots.enumerated() {
      dot.isHidden = place < hidden
      let index = place - hidden
      let isFilled = index < value
      let full = counter.warnsAtLimit && value >= limit ? warning : filled
      dot.contents = isFilled ? full : empty
      dot.opacity = isFilled ? 1 : look.emptyOpacity
    }
    let width = min(Self.figureWidth(counter) * cap, box.width)
    let isFull = counter.warnsAtLimit && value >= limit
    let look = isFull ? TimerLook.warning.applied(to: theme) : theme
    figure?.show(
      language.digits(in: String(value)), style: look.figureStyle(cap: cap),
      in: Rect(x: box.maxX - width, y: box.y, width: width, height: box.height),
      alignment: naming == .none ? 0.5 : 1)
  }
}

extension GameRules.Counter {
  /// The initials of the first four words of the counter's name: `TO` for TIME-OUTS.
  var initials: String {
    String(name.split { $0.isWhitespace || $0 == "-" }.compactMap(\.first).prefix(4))
  }
}
