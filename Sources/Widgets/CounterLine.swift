// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster
import Scoreboard

/// One counter of a team: its name at the left, its dots or figure at the right.
final class CounterLine {
  let layer = Layer()
  let counter: GameRules.Counter

  private let box: Rect
  private let cap: Double
  private let theme: Theme
  private var dots: [Layer] = []
  private var figure: Label?
  private var shown: Int?
  private let filled: LayerImage
  private let empty: LayerImage

  /// More dots than these are not seen at a glance.
  private static let dotLimit = 6
  private static let emptyOpacity = 0.32

  init(_ counter: GameRules.Counter, in box: Rect, cap: Double, theme: Theme) {
    self.counter = counter
    self.box = box
    self.cap = cap
    self.theme = theme
    let diameter = max((0.62 * cap).rounded(), 3)
    filled = LayerImage(Disc.image(diameter: Int(diameter), color: theme.onGround))
    empty = LayerImage(Disc.image(diameter: Int(diameter), color: theme.label))
    let step = (diameter * 1.65).rounded()
    let width = Double(counter.limit - 1) * step + diameter
    let hasDots = counter.limit <= Self.dotLimit && width <= 0.55 * box.width
    if hasDots {
      for index in 0..<counter.limit {
        let dot = Layer()
        dot.frame = Rect(
          x: (box.maxX - width + Double(index) * step).rounded(.down),
          y: (box.midY - diameter / 2).rounded(), width: diameter, height: diameter)
        layer.addSublayer(dot)
        dots.append(dot)
      }
    } else {
      let label = Label()
      layer.addSublayer(label.layer)
      figure = label
    }
    let name = Label()
    let room = box.width - (hasDots ? width : 2.6 * cap) - 0.7 * cap
    let style = Label.Style(
      face: theme.labelFace, color: theme.label, capHeight: cap * 0.86, tracking: theme.labelTracking / 2)
    name.show(
      counter.name, style: style, in: Rect(x: box.x, y: box.y, width: max(room, 0), height: box.height),
      alignment: 0)
    layer.addSublayer(name.layer)
  }

  func show(_ value: Int) {
    guard value != shown else { return }
    shown = value
    for (index, dot) in dots.enumerated() {
      let isFilled = index < value
      dot.contents = isFilled ? filled : empty
      dot.opacity = isFilled ? 1 : Self.emptyOpacity
    }
    let style = Label.Style(face: theme.nameFace, color: theme.onGround, capHeight: cap, tracking: 0.02)
    let width = min(2.6 * cap, box.width)
    figure?.show(
      String(value), style: style,
      in: Rect(x: box.maxX - width, y: box.y, width: width, height: box.height), alignment: 1)
  }
}
