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
  let flapShadow: LayerImage
  private let artist: CardArtist
  private var faces: [String: LayerImage] = [:]
  private var panels: [String: LayerImage] = [:]
  /// Words come from outside: what has not been shown for longest is forgotten beyond this many.
  private static let limit = 64
  private var order: [String] = []
  private var panelOrder: [String] = []

  init(metrics: CardMetrics, theme: Theme) {
    self.metrics = metrics
    artist = CardArtist(metrics: metrics, theme: theme)
    bed = LayerImage(artist.bed())
    pin = LayerImage(artist.pin())
    hingeLine = LayerImage(artist.hingeLine())
    flapShadow = LayerImage(artist.flapShadow())
  }

  func face(_ symbol: String) -> LayerImage {
    Self.image(symbol, in: &faces, &order) { artist.face(symbol) }
  }

  /// The face inside the window, as it moves behind it.
  func panel(_ symbol: String) -> LayerImage {
    Self.image(symbol, in: &panels, &panelOrder) { artist.panel(symbol) }
  }

  private static func image(
    _ symbol: String, in images: inout [String: LayerImage], _ order: inout [String], draw: () -> Bitmap
  ) -> LayerImage {
    if let image = images[symbol] { return image }
    if order.count >= limit { images[order.removeFirst()] = nil }
    let image = LayerImage(draw())
    images[symbol] = image
    order.append(symbol)
    return image
  }
}
