// SPDX-License-Identifier: Apache-2.0

import Raster

/// A card without a symbol, as what its rows are made of: a rim at either end, broader by the corners, and between
/// them one colour that repeats with the dither. All faces of a size begin with it.
final class BlankCard {
  private let metrics: CardMetrics
  private let theme: Theme
  private let upper: RoundedRect
  private let lower: RoundedRect
  private var rows: [Row] = []
  /// The pixels of the rims, row by row, those of the left before those of the right.
  private var rims: [UInt32] = []

  private struct Row {
    var ground: Paint
    /// Pixels of a rim, and where those of this row begin.
    var side: Int
    var rim: Int
    /// Eight pixels from the left rim on.
    var inside: SIMD8<UInt32>
    var hasInside: Bool
    /// Between the rims there is neither an edge nor light.
    var isPlain: Bool
  }

  init(metrics: CardMetrics, theme: Theme) {
    self.metrics = metrics
    self.theme = theme
    let (width, height) = (Double(metrics.width), Double(metrics.height))
    let gap = Double(metrics.hingeGap) / 2
    upper = RoundedRect(
      rect: Rect(x: 0, y: 0, width: width, height: height / 2 - gap),
      topRadius: metrics.outerRadius, bottomRadius: metrics.innerRadius)
    let top = height / 2 + gap
    lower = RoundedRect(
      rect: Rect(x: 0, y: top, width: width, height: height - top),
      topRadius: metrics.innerRadius, bottomRadius: metrics.outerRadius)
    rows.reserveCapacity(metrics.height)
    for y in 0..<metrics.height { addRow(y) }
  }

  private func isUpper(_ y: Int) -> Bool { y < metrics.height / 2 }
  private func half(_ y: Int) -> RoundedRect { isUpper(y) ? upper : lower }

  private func addRow(_ y: Int) {
    let half = half(y)
    let reach = min(Double(y) - half.rect.y, half.rect.maxY - Double(y))
    let isAtCorner = reach < max(half.topRadius, half.bottomRadius) + metrics.hairline + 2
    let edge = isAtCorner ? metrics.outerRadius : metrics.hairline
    let side = min(Int(edge.rounded(.up)) + 2, metrics.width / 2)
    // Between the rims all pixels have one coverage and one light.
    let coverage = half.coverage(metrics.width / 2, y)
    let light = edgeLight(metrics.width / 2, y)
    let ground = gradient(y)
    let lit = light > 0 ? ground.lit(light) : ground
    var inside = SIMD8<UInt32>()
    if coverage > 0 {
      for index in 0..<Dither.period {
        inside[index] = lit.pixel(coverage: coverage, threshold: Dither.threshold(side + index, y))
      }
    }
    rows.append(
      Row(
        ground: ground, side: side, rim: rims.count, inside: inside, hasInside: coverage > 0,
        isPlain: coverage == 1 && light <= 0))
    for x in 0..<side { rims.append(pixel(x, y)) }
    for x in metrics.width - side..<metrics.width { rims.append(pixel(x, y)) }
  }

  // MARK: Rows

  /// Where there is neither an edge nor light on row `y`: ink is ink there, and ground is ground.
  func plainPixels(row y: Int) -> Range<Int> {
    let row = rows[y]
    return row.isPlain ? row.side..<(metrics.width - row.side) : 0..<0
  }

  /// Draws row `y` over pixels that are clear.
  func draw(row y: Int, to pixels: UnsafeMutablePointer<UInt32>) {
    let row = rows[y]
    let end = metrics.width - row.side
    rims.withUnsafeBufferPointer { rims in
      for index in 0..<row.side {
        pixels[index] = rims[row.rim + index]
        pixels[end + index] = rims[row.rim + row.side + index]
      }
    }
    guard row.hasInside else { return }
    var x = row.side
    while x + 8 <= end {
      UnsafeMutableRawPointer(pixels + x).storeBytes(of: row.inside, as: SIMD8<UInt32>.self)
      x += 8
    }
    for index in 0..<max(end - x, 0) { pixels[x + index] = row.inside[index] }
  }

  // MARK: Pixels

  /// A pixel of the card, with so much ink on it.
  func pixel(_ x: Int, _ y: Int, ink: Paint = Paint(.black), _ amount: Double = 0) -> UInt32 {
    let coverage = half(y).coverage(x, y)
    if coverage <= 0 { return 0 }
    var paint = ground(row: y).lit(edgeLight(x, y))
    if amount > 0 { paint = paint.mixed(with: ink, amount) }
    return paint.pixel(coverage: coverage, threshold: amount < 1 ? Dither.threshold(x, y) : 0)
  }

  /// The card's colour on a row, without light.
  func ground(row y: Int) -> Paint { y < rows.count ? rows[y].ground : gradient(y) }

  private func gradient(_ y: Int) -> Paint {
    let rect = half(y).rect
    let fraction = min(max((Double(y) + 0.5 - rect.y) / max(rect.height, 1), 0), 1)
    return isUpper(y)
      ? Paint(theme.cardUpperTop).mixed(with: Paint(theme.cardUpperBottom), fraction)
      : Paint(theme.cardLowerTop).mixed(with: Paint(theme.cardLowerBottom), fraction)
  }

  /// Light from above catches the upper rim; a breath of it comes back from the lower one.
  private func edgeLight(_ x: Int, _ y: Int) -> Double {
    let half = half(y)
    let px = Double(x) + 0.5
    let py = Double(y) + 0.5
    let here = half.distance(x: px, y: py)
    let step = metrics.hairline
    if isUpper(y) {
      let above = half.distance(x: px, y: py - step)
      return 0.15 * min(max((above - max(here, -step)) / step, 0), 1) * min(max(above + 1, 0), 1)
    }
    let below = half.distance(x: px, y: py + step)
    return 0.07 * min(max((below - max(here, -step)) / step, 0), 1) * min(max(below + 1, 0), 1)
  }
}
