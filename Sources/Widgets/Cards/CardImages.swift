// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster

/// The pictures that the cards of one size share; each symbol is drawn when it is first needed and
/// never during a flip that has begun.
final class CardImages {
  let metrics: CardMetrics
  let bed: LayerImage
  let pin: LayerImage
  let hingeLine: LayerImage
  private let artist: CardArtist
  private var faces: [String: LayerImage] = [:]
  private var panels: [String: LayerImage] = [:]
  private var order: [String] = []
  private var panelOrder: [String] = []
  /// Words come from outside: beyond this much, what was used longest ago is forgotten.
  private static let byteLimit = 40 << 20
  /// A card that flips needs the shadow of its flap.
  var hasFlaps = false
  private var drawnFlapShadow: LayerImage?
  /// How many pictures have been drawn since the beginning.
  private(set) var drawings = 0
  private var limit: Int { max(Self.byteLimit / max(metrics.width * metrics.height * 4, 1), 12) }

  init(metrics: CardMetrics, theme: Theme) {
    self.metrics = metrics
    artist = CardArtist(metrics: metrics, theme: theme)
    bed = LayerImage(artist.bed())
    pin = LayerImage(artist.pin())
    hingeLine = LayerImage(artist.hingeLine())
  }

  /// Drawn when it is first needed: no picture at rest has it.
  var flapShadow: LayerImage {
    if let drawnFlapShadow { return drawnFlapShadow }
    let image = LayerImage(draw { artist.flapShadow() })
    drawnFlapShadow = image
    return image
  }

  func face(_ symbol: String) -> LayerImage {
    Self.image(symbol, in: &faces, &order, limit: limit) { draw { artist.face(symbol) } }
  }

  /// The face inside the window, as it moves behind it.
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

  /// The symbols whose faces are there.
  var symbols: Set<String> { Set(faces.keys) }

  /// Forgets all symbols but these; pictures that layers show live as long as they do.
  func forget(except symbols: Set<String>) {
    faces = faces.filter { symbols.contains($0.key) }
    panels = panels.filter { symbols.contains($0.key) }
    order.removeAll { !symbols.contains($0) }
    panelOrder.removeAll { !symbols.contains($0) }
  }

  /// Draws the next digit that is not there yet, so that none is drawn when a flip is to begin; false: all are.
  func prepareDigit() -> Bool {
    if hasFlaps, drawnFlapShadow == nil {
      _ = flapShadow
      return true
    }
    guard let digit = (0...9).map(String.init).first(where: { faces[$0] == nil }) else { return false }
    _ = face(digit)
    return true
  }

  /// Keeps what is shown and what comes next, and draws of the latter what is not there: pictures of cards are
  /// the most memory that a page needs. False: all was there.
  ///
  /// - Parameter draw: draws what the ways to the next symbols need.
  func prepare(shown: [String], coming: [String], draw: () -> Void) -> Bool {
    // The empty card is what a window shows around what moves in it.
    forget(except: Set(shown + coming + [""]))
    let before = drawings
    draw()
    return drawings > before
  }
}
