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
  /// Words come from outside: what has not been shown for longest is forgotten beyond this many.
  private static let limit = 64
  private var order: [String] = []

  init(metrics: CardMetrics, theme: Theme) {
    self.metrics = metrics
    artist = CardArtist(metrics: metrics, theme: theme)
    bed = LayerImage(artist.bed())
    pin = LayerImage(artist.pin())
    hingeLine = LayerImage(artist.hingeLine())
    flapShadow = LayerImage(artist.flapShadow())
  }

  func face(_ symbol: String) -> LayerImage {
    if let face = faces[symbol] { return face }
    if order.count >= Self.limit { faces[order.removeFirst()] = nil }
    let face = LayerImage(artist.face(symbol))
    faces[symbol] = face
    order.append(symbol)
    return face
  }
}
