// SPDX-License-Identifier: Apache-2.0

import Raster

/// The exact shape and colours of a card's two halves, computed per pixel.
struct CardShape {
  private let middle: Int
  private let hairline: Double
  /// How bright the lit edges are; 1: as in the theme `dark`.
  private let edgeStrength: Double
  private let upper: RoundedRect
  private let lower: RoundedRect
  /// The colours at the top and the bottom of a half.
  private let upperPaints: (Paint, Paint)
  private let lowerPaints: (Paint, Paint)

  init(metrics: CardMetrics, theme: Theme) {
    middle = metrics.height / 2
    hairline = metrics.hairline
    edgeStrength = theme.edgeLight
    upperPaints = (Paint(theme.cardUpperTop), Paint(theme.cardUpperBottom))
    lowerPaints = (Paint(theme.cardLowerTop), Paint(theme.cardLowerBottom))
    let (width, height) = (Double(metrics.width), Double(metrics.height))
    let gap = Double(metrics.hingeGap) / 2
    upper = RoundedRect(
      rect: Rect(x: 0, y: 0, width: width, height: height / 2 - gap),
      topRadius: metrics.outerRadius, bottomRadius: metrics.innerRadius)
    let top = height / 2 + gap
    lower = RoundedRect(
      rect: Rect(x: 0, y: top, width: width, height: height - top),
      topRadius: metrics.innerRadius, bottomRadius: metrics.outerRadius)
  }

  func isUpper(_ y: Int) -> Bool { y < middle }
  func half(_ y: Int) -> RoundedRect { isUpper(y) ? upper : lower }

  /// A pixel of the card.
  ///
  /// - Parameters:
  ///   - ground: the row's colour.
  ///   - amount: the coverage of ink, 0 … 1.
  func pixel(_ x: Int, _ y: Int, ground: Paint, ink: Paint = Paint(.black), _ amount: Double = 0) -> UInt32 {
    let coverage = half(y).coverage(x, y)
    if coverage <= 0 { return 0 }
    var paint = ground.lit(edgeLight(x, y))
    if amount > 0 { paint = paint.mixed(with: ink, amount) }
    return paint.pixel(coverage: coverage, threshold: amount < 1 ? Dither.threshold(x, y) : 0)
  }

  /// The card's colour on a row, without the light on the edge.
  func ground(row y: Int) -> Paint {
    let isUpper = isUpper(y)
    let rect = (isUpper ? upper : lower).rect
    let fraction = min(max((Double(y) + 0.5 - rect.y) / max(rect.height, 1), 0), 1)
    let (top, bottom) = isUpper ? upperPaints : lowerPaints
    return top.mixed(with: bottom, fraction)
  }

  /// Whether a pixel is so far inside that neither the edge nor its light is visible.
  func isPlain(_ x: Int, _ y: Int) -> Bool {
    half(y).distance(x: Double(x) + 0.5, y: Double(y) + 0.5) < -(hairline + 1.01)
  }

  /// The light from above on the upper rim, and a weak reflection on the lower one.
  func edgeLight(_ x: Int, _ y: Int) -> Double {
    let half = half(y)
    let px = Double(x) + 0.5
    let py = Double(y) + 0.5
    let here = half.distance(x: px, y: py)
    let step = hairline
    if isUpper(y) {
      let above = half.distance(x: px, y: py - step)
      return 0.15 * edgeStrength * min(max((above - max(here, -step)) / step, 0), 1)
        * min(max(above + 1, 0), 1)
    }
    let below = half.distance(x: px, y: py + step)
    return 0.07 * edgeStrength * min(max((below - max(here, -step)) / step, 0), 1) * min(max(below + 1, 0), 1)
  }
}
