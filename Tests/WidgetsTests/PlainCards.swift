// SPDX-License-Identifier: Apache-2.0

import Raster
import Settings
import Typography

@testable import Widgets

/// The reference for `CardArtist`: the parts of a card, computed separately for every pixel.
struct PlainCards {
  let metrics: CardMetrics
  let theme: Theme

  var width: Double { Double(metrics.width) }
  var height: Double { Double(metrics.height) }
  private var hinge: Double { height / 2 }

  private var upper: RoundedRect {
    RoundedRect(
      rect: Rect(x: 0, y: 0, width: width, height: hinge - Double(metrics.hingeGap) / 2),
      topRadius: metrics.outerRadius, bottomRadius: metrics.innerRadius)
  }

  private var lower: RoundedRect {
    let top = hinge + Double(metrics.hingeGap) / 2
    return RoundedRect(
      rect: Rect(x: 0, y: top, width: width, height: height - top),
      topRadius: metrics.innerRadius, bottomRadius: metrics.outerRadius)
  }

  func card(_ symbol: CardSymbol) -> Bitmap {
    if let cover = cover(symbol) { return cover.card("") }
    let (mask, color) = (symbolMask(symbol.text), self.ink(symbol))
    let bitmap = Bitmap(width: metrics.width, height: metrics.height, format: .argb8888)
    for y in 0..<metrics.height {
      let isUpper = y < metrics.height / 2
      let half = isUpper ? upper : lower
      for x in 0..<metrics.width {
        let coverage = half.plainCoverage(x, y)
        if coverage <= 0 { continue }
        var paint = ground(row: y, isUpper: isUpper, in: half.rect)
        paint = paint.lit(edgeLight(x, y, isUpper: isUpper, in: half))
        let ink = Double(mask.buffer.row8(y)[x]) / 255
        if ink > 0 { paint = paint.mixed(with: color, ink) }
        bitmap.buffer.row32(y)[x] = paint.plainPixel(
          coverage: coverage, threshold: ink < 1 ? Dither.threshold(x, y) : 0)
      }
    }
    return bitmap
  }

  func panel(_ symbol: CardSymbol) -> Bitmap {
    if let cover = cover(symbol) { return cover.panel("") }
    let inset = metrics.windowInset
    let whole = card(symbol)
    let (mask, color) = (symbolMask(symbol.text), self.ink(symbol))
    let bitmap = Bitmap(
      width: metrics.width - 2 * inset, height: metrics.height - 2 * inset, format: .xrgb8888)
    let middle = metrics.height / 2
    let gap = (middle - metrics.hingeGap / 2)..<(middle + metrics.hingeGap / 2)
    for y in inset..<(metrics.height - inset) {
      let isUpper = y < middle
      let ground = ground(row: y, isUpper: isUpper, in: isUpper ? upper.rect : lower.rect)
      for x in inset..<(metrics.width - inset) {
        let ink = Double(mask.buffer.row8(y)[x]) / 255
        bitmap.buffer.row32(y - inset)[x - inset] =
          gap.contains(y)
          ? ground.mixed(with: color, ink)
            .plainPixel(coverage: 1, threshold: ink < 1 ? Dither.threshold(x, y) : 0)
          : whole.buffer.row32(y)[x]
      }
    }
    return bitmap
  }

  /// Cards of the colour of a symbol that covers its card; nil: the symbol does not.
  private func cover(_ symbol: CardSymbol) -> PlainCards? {
    guard symbol.isFilled else { return nil }
    let color = symbol.color.map { theme.dimmed(Color(rgb: $0)) } ?? theme.symbol
    return PlainCards(metrics: metrics, theme: theme.covered(with: color))
  }

  private func ink(_ symbol: CardSymbol) -> Paint {
    Paint(symbol.color.map { theme.onCards(Color(rgb: $0)) } ?? theme.symbol)
  }

  private func ground(row y: Int, isUpper: Bool, in rect: Rect) -> Paint {
    let fraction = min(max((Double(y) + 0.5 - rect.y) / max(rect.height, 1), 0), 1)
    return isUpper
      ? Paint(theme.cardUpperTop).mixed(with: Paint(theme.cardUpperBottom), fraction)
      : Paint(theme.cardLowerTop).mixed(with: Paint(theme.cardLowerBottom), fraction)
  }

  /// The light from above on the upper rim, and a weak reflection on the lower one.
  private func edgeLight(_ x: Int, _ y: Int, isUpper: Bool, in half: RoundedRect) -> Double {
    let px = Double(x) + 0.5
    let py = Double(y) + 0.5
    let here = half.distance(x: px, y: py)
    let step = metrics.hairline
    if isUpper {
      let above = half.distance(x: px, y: py - step)
      return 0.15 * theme.edgeLight * min(max((above - max(here, -step)) / step, 0), 1)
        * min(max(above + 1, 0), 1)
    }
    let below = half.distance(x: px, y: py + step)
    return 0.07 * theme.edgeLight * min(max((below - max(here, -step)) / step, 0), 1)
      * min(max(below + 1, 0), 1)
  }

  /// The symbol's coverage on a card, which is 0 for an empty symbol. It comes from `CardArtist` and is not
  /// compared.
  func symbolMask(_ symbol: String) -> Bitmap {
    CardArtist(metrics: metrics, theme: theme).symbolMask(symbol)
      ?? Bitmap(width: metrics.width, height: metrics.height, format: .a8)
  }

}
