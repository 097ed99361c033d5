// SPDX-License-Identifier: Apache-2.0

import Languages
import Layers
import Raster

/// The pictures shared by a widget's cards of one size. A symbol is drawn when it is needed and missing,
/// before the flip to it begins.
final class CardImages {
  let metrics: CardMetrics
  let bed: LayerImage
  /// Nil: the theme's cards have no pins.
  let pin: LayerImage?
  let hingeLine: LayerImage
  private let artist: CardArtist
  /// Determines the digits that are drawn for 0 … 9.
  private let language: Language
  private var cards: [String: LayerImage] = [:]
  private var panels: [String: LayerImage] = [:]
  private var order: [String] = []
  private var panelOrder: [String] = []
  /// The memory limit, in bytes, for the pictures of cards; the pictures of panels have the same limit.
  /// Configs and commands may use any number of symbols, so the least recently used pictures are dropped. At
  /// least twelve are always kept.
  private static let byteLimit = 40 << 20
  /// Whether any of the cards shows the shadow of its flap.
  var hasFlaps = false
  private var drawnFlapShadow: LayerImage?
  /// The number of pictures of cards, panels and the flap's shadow drawn so far.
  private(set) var drawings = 0
  private var limit: Int { max(Self.byteLimit / max(metrics.width * metrics.height * 4, 1), 12) }

  /// How much cards darken while they change; 1: as in the theme `dark`.
  let shading: Double
  /// Whether cards and flaps cast shadows.
  let hasShadows: Bool
  /// The colour behind the halves of a card.
  let gap: Color

  /// - Parameter language: the language whose digits are drawn for the digits 0 … 9 of symbols.
  init(metrics: CardMetrics, theme: Theme, digits language: Language = .english) {
    var metrics = metrics
    metrics.cornerRadius = theme.cornerRadius
    self.metrics = metrics
    self.language = language
    shading = theme.shading
    hasShadows = theme.shadowStrength > 0
    gap = theme.gap
    artist = CardArtist(metrics: metrics, theme: theme)
    bed = LayerImage(artist.bed())
    pin = theme.hasPins ? LayerImage(artist.pin()) : nil
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
    Self.image(symbol, in: &cards, &order, limit: limit) { draw { artist.card(language.digits(in: symbol)) } }
  }

  /// The part of the card that moves behind the card's window.
  func panel(_ symbol: String) -> LayerImage {
    Self.image(symbol, in: &panels, &panelOrder, limit: limit) {
      draw { artist.panel(language.digits(in: symbol)) }
    }
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

  /// Draws the flap's shadow or the next digit, if missing, so that no flip waits for drawing. False: none is
  /// missing.
  func prepareDigit() -> Bool {
    if hasFlaps, drawnFlapShadow == nil {
      _ = flapShadow
      return true
    }
    guard let digit = (0...9).map(String.init).first(where: { cards[$0] == nil }) else { return false }
    _ = card(digit)
    return true
  }

  /// Keeps the shown and the next symbols, and draws the missing ones. Drops all others, because pictures of
  /// cards take most of a page's memory. False: nothing was missing.
  ///
  /// - Parameter draw: draws what the changes to the next symbols need.
  func prepare(shown: [String], coming: [String], draw: () -> Void) -> Bool {
    // Some transitions show the empty card around the moving content of a card (`CardChange`).
    forget(except: Set(shown + coming + [""]))
    let before = drawings
    draw()
    return drawings > before
  }
}
