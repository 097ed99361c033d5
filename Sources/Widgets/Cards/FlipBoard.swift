// SPDX-License-Identifier: Apache-2.0

import Commands
import Layers
import Raster
import Settings

/// Cards that change together, in one or more lines. The board's layers are, from back to front, the cards'
/// dark backgrounds with their shadows (beds), resting halves, flaps and hinges. A flap in flight is thus in
/// front of every resting card and behind every hinge.
final class FlipBoard {
  let layer = Layer()
  private(set) var cards: [FlipCard] = []

  private let beds = Layer()
  private let halves = Layer()
  private let flaps = Layer()
  private let hinges = Layer()
  private let motion: FlipMotion
  private let scene: Scene

  /// The number of cards per line; nil: all in one line.
  private let columns: Int?

  init(motion: FlipMotion, columns: Int? = nil, scene: Scene) {
    self.columns = columns
    self.motion = motion
    self.scene = scene
    for plane in [beds, halves, flaps, hinges] { layer.addSublayer(plane) }
  }

  /// Adds a card. `frame` is in the coordinates of the board's superlayer, in whole pixels.
  func addCard(_ symbol: CardSymbol, frame: Rect, images: CardImages, drum: SymbolDrum? = nil) {
    let card = FlipCard(
      frame: frame, symbol: symbol, images: images, motion: motion, drum: drum, scene: scene)
    beds.addSublayer(card.bed)
    halves.addSublayer(card.upper)
    halves.addSublayer(card.lower)
    if let window = card.window { halves.addSublayer(window.layer) }
    flaps.addSublayer(card.flapSpace)
    for part in card.hinge { hinges.addSublayer(part) }
    cards.append(card)
  }

  /// Draws everything that the changes to these symbols need, before anything moves.
  func prepare(_ symbols: [CardSymbol]) {
    for (card, symbol) in zip(cards, symbols) { card.prepare(symbol) }
  }

  /// Shows a symbol on each card. The cards that change start in the motion's order, none of them before
  /// `time` (scene seconds).
  ///
  /// - Parameter wave: the order in which the cards start; nil: that of the motion.
  func show(_ symbols: [CardSymbol], at time: Double, animated: Bool, wave: CardWave? = nil) {
    let columns = max(columns ?? cards.count, 1)
    let starts = wave?.starts(
      columns: columns, rows: (cards.count + columns - 1) / columns, step: motion.stagger,
      seed: symbols.reduce(0) { $1.text.unicodeScalars.reduce($0) { $0 &* 31 &+ UInt64($1.value) } })
    for row in stride(from: 0, to: min(cards.count, symbols.count), by: columns) {
      let line = row..<min(row + columns, cards.count, symbols.count)
      var start = time
      for index in line.reversed() {
        switch motion.order {
        case _ where starts != nil: start = time + (starts?[index] ?? 0)
        case .rightToLeft, .together: break
        case .cascade: start = time + Double(index - row + row / columns) * motion.stagger
        }
        let flips = cards[index].wouldFlip(to: symbols[index])
        cards[index].show(symbols[index], at: start, animated: animated)
        if flips, motion.order == .rightToLeft { start += motion.stagger }
      }
    }
  }
}
