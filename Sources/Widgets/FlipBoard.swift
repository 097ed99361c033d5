// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster

/// A line of cards that flip together. Its planes, from far to near: beds, resting halves, flaps,
/// hinges. A flap in flight is thus before every resting card and behind every hinge.
final class FlipBoard {
  let layer = Layer()
  private(set) var cards: [FlipCard] = []

  private let beds = Layer()
  private let halves = Layer()
  private let flaps = Layer()
  private let hinges = Layer()
  private let motion: FlipMotion
  private let scene: Scene

  init(motion: FlipMotion, scene: Scene) {
    self.motion = motion
    self.scene = scene
    for plane in [beds, halves, flaps, hinges] { layer.addSublayer(plane) }
  }

  /// Adds a card; `frame` is in the board's superlayer, whole pixels.
  func addCard(_ symbol: String, frame: Rect, images: CardImages) {
    let card = FlipCard(frame: frame, symbol: symbol, images: images, motion: motion, scene: scene)
    beds.addSublayer(card.bed)
    halves.addSublayer(card.upper)
    halves.addSublayer(card.lower)
    flaps.addSublayer(card.flapSpace)
    for part in card.hinge { hinges.addSublayer(part) }
    cards.append(card)
  }

  /// Shows a symbol on each card. Those that change flip, the rightmost first, each a stagger later
  /// than its right neighbour among them; `time` is the first one's start in the scene's seconds.
  func show(_ symbols: [String], at time: Double, animated: Bool) {
    var start = time
    for (card, symbol) in zip(cards, symbols).reversed() {
      let flips = card.wouldFlip(to: symbol)
      card.show(symbol, at: start, animated: animated)
      if flips { start += motion.stagger }
    }
  }
}
