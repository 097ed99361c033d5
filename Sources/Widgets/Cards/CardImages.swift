// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster

/// The pictures shared by all cards of one size. A symbol is drawn when it is first needed, never during a flip.
final class CardImages {
  let metrics: CardMetrics
  let bed: LayerImage
  let pin: LayerImage
  let hingeLine: LayerImage
  private let artist: CardArtist
  private var cards: [String: LayerImage] = [:]
  private var panels: [String: LayerImage] = [:]
  private var order: [String] = []
  private var panelOrder: [String] = []
  /// The memory limit, in bytes, for the pictures of cards, and the same for those of panels, because configs and
  /// commands may use any number of symbols. The least recently used pictures are dropped.
  private static let byteLimit = 40 << 20
  /// Whether any of the cards shows the shadow of its flap.
  var hasFlaps = false
  private var drawnFlapShadow: LayerImage?
  /// The number of pictures drawn so far.
  private(set) var drawings = 0
  private var limit: Int { max(Self.byteLimit / max(metrics.width * metrics.height * 4, 1), 12) }

  init(metrics: CardMetrics, theme: Theme) {
    self.metrics = metrics
    artist = CardArtist(metrics: metrics, theme: theme)
    bed = LayerImage(artist.bed())
    pin = LayerImage(artist.pin())
    hingeLine = LayerImage(artist.hingeLine())
  }

  /// Drawn when first needed, because cards at rest do not show it.
  var flapShadow: LayerImage {
    if let drawnFlapShadow { return drawnFlapShadow }
    let image = LayerImage(draw { artist.flapShadow() })
    drawnFlapShadow = image
    return image
  }

  func card(_ symbol: String) -> LayerImage {
    Self.image(symbol, in: &cards, &order, limit: limit) { draw { artist.card(symbol) } }
  }

  /// The part of the card inside its window, which moves behind it.
  func panel(_ symbol: String) -> LayerImage {
    Self.image(symbol, in: &panels, &panelOrder, limit: limit) { draw { artist.panel(symbol) } }
  }

  private func draw(_ picture: () -> Bitmap) -> Bitmap {
    drawings += 1
    return picture()
  }

  private static func image(
    _ symbol: String, in images: inout [String: LayerImage], _ order: inout [String], limit: Int,
    draw: () -> Bitmap
  ) -> LayerImage {
    if let image = images[symbol] {
      if order.last != symbol, let index = order.firstIndex(of: symbol) {
        order.remove(at: index)
        order.append(symbol)
      }
      return image
    }
    while order.count >= limit { images[order.removeFirst()] = nil }
    let image = LayerImage(draw())
    images[symbol] = image
    order.append(symbol)
    return image
  }

  /// The symbols whose cards are drawn.
  var symbols: Set<String> { Set(cards.keys) }

  /// Drops all symbols but these. Layers keep the pictures that they show.
  func forget(except symbols: Set<String>) {
    cards = cards.filter { symbols.contains($0.key) }
    panels = panels.filter { symbols.contains($0.key) }
    order.removeAll { !symbols.contains($0) }
    panelOrder.removeAll { !symbols.contains($0) }
  }

  /// Draws the next missing digit, so that no flip waits for drawing. False: none is missing.
  func prepareDigit() -> Bool {
    if hasFlaps, drawnFlapShadow == nil {
      _ = flapShadow
      return true
    }
    guard let digit = (0...9).map(String.init).first(where: { cards[$0] == nil }) else { return false }
    _ = card(digit)
    return true
  }

  /// Keeps the shown and the next symbols, and draws the missing ones. Drops all others, because pictures of cards
  /// take most of a page's memory. False: nothing was missing.
  ///
  /// - Parameter draw: draws what the changes to the next symbols need.
  func prepare(shown: [String], coming: [String], draw: () -> Void) -> Bool {
    // The empty card is shown around a window while its content moves.
    forget(except: Set(shown + coming + [""]))
    let before = drawings
    draw()
    return drawings > before
  }
}
