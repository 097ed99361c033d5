// SPDX-License-Identifier: Apache-2.0

import Languages
import Layers
import Raster
import Settings

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
  private var cards = Pictures()
  private var panels = Pictures()
  /// The memory limit, in bytes, for the pictures of cards; the pictures of panels have the same limit.
  /// Configs and commands may use any number of symbols, so the least recently used pictures are dropped. At
  /// least twelve are always kept.
  private static let byteLimit = 40 << 20
  /// Whether any of the cards shows the shadow of its flap.
  var hasFlaps = false
  /// Whether any of the cards changes behind a window. The rim around it does not move, so it has the card's
  /// own colour on a card that is covered with another.
  var hasWindows = false
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

  func card(_ symbol: CardSymbol) -> LayerImage {
    cards.image(symbol, limit: limit) { draw { artist.card(inDigits(symbol), keepsRim: hasWindows) } }
  }

  /// The part of the card that moves behind the card's window.
  func panel(_ symbol: CardSymbol) -> LayerImage {
    panels.image(symbol, limit: limit) { draw { artist.panel(inDigits(symbol)) } }
  }

  private func inDigits(_ symbol: CardSymbol) -> CardSymbol {
    CardSymbol(language.digits(in: symbol.text), color: symbol.color)
  }

  private func draw(_ picture: () -> Bitmap) -> Bitmap {
    drawings += 1
    return picture()
  }

  /// Pictures by their symbols.
  private struct Pictures {
    private(set) var images: [CardSymbol: (image: LayerImage, lastUse: Int)] = [:]
    private var uses = 0

    /// Returns the picture of a symbol, drawn if it is missing. Then the least recently used ones are dropped
    /// if there would be more than `limit`.
    mutating func image(_ symbol: CardSymbol, limit: Int, draw: () -> Bitmap) -> LayerImage {
      uses += 1
      if let index = images.index(forKey: symbol) {
        images.values[index].lastUse = uses
        return images.values[index].image
      }
      while images.count >= limit, let oldest = images.min(by: { $0.value.lastUse < $1.value.lastUse }) {
        images[oldest.key] = nil
      }
      let image = LayerImage(draw())
      images[symbol] = (image, uses)
      return image
    }

    mutating func forget(except symbols: Set<CardSymbol>) {
      images = images.filter { symbols.contains($0.key) }
    }
  }

  /// The symbols whose cards are drawn.
  var symbols: Set<CardSymbol> { Set(cards.images.keys) }

  /// Drops all symbols but these. Layers keep the pictures that they show.
  func forget(except symbols: Set<CardSymbol>) {
    cards.forget(except: symbols)
    panels.forget(except: symbols)
  }

  /// Draws the flap's shadow or the next digit, if missing, so that no flip waits for drawing. False: none is
  /// missing.
  func prepareDigit() -> Bool {
    if hasFlaps, drawnFlapShadow == nil {
      _ = flapShadow
      return true
    }
    let digits = (0...9).map { CardSymbol(String($0)) }
    guard let digit = digits.first(where: { cards.images[$0] == nil }) else { return false }
    _ = card(digit)
    return true
  }

  /// Keeps the shown and the next symbols, and draws the missing ones. Drops all others, because pictures of
  /// cards take most of a page's memory. False: nothing was missing.
  ///
  /// - Parameter draw: draws what the changes to the next symbols need.
  func prepare(shown: [CardSymbol], coming: [CardSymbol], draw: () -> Void) -> Bool {
    // Some transitions show the empty card around the moving content of a card (`CardChange`).
    forget(except: Set(shown + coming + [""]))
    let before = drawings
    draw()
    return drawings > before
  }
}
