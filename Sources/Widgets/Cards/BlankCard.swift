// SPDX-License-Identifier: Apache-2.0

import Raster

/// A card without a symbol, stored as rows. A row has a rim at each end, which is wider at the corners, and
/// between the rims one dithered colour, whose pattern repeats. For each card of this size, the blank card is
/// drawn first, and then the symbol over it.
struct BlankCard {
  let shape: CardShape
  private let width: Int
  private let rows: [Row]
  /// The pixels of the rims, row by row, left before right.
  private let rims: [UInt32]

  private struct Row {
    var ground: Paint
    /// The width of a rim in pixels, and the index of the row's first pixel in `rims`.
    var side: Int
    var rim: Int
    /// Eight pixels of the colour between the rims; the first one is next to the left rim.
    var inside: SIMD8<UInt32>
    var hasInside: Bool
    /// Whether neither the card's edge nor the light on it affects the part between the rims.
    var isPlain: Bool
  }

  init(metrics: CardMetrics, theme: Theme) {
    let shape = CardShape(metrics: metrics, theme: theme)
    let width = metrics.width
    var rows: [Row] = []
    var rims: [UInt32] = []
    rows.reserveCapacity(metrics.height)
    for y in 0..<metrics.height {
      let half = shape.half(y)
      let reach = min(Double(y) - half.rect.y, half.rect.maxY - Double(y))
      let isAtCorner = reach < max(half.topRadius, half.bottomRadius) + metrics.hairline + 2
      let edge = isAtCorner ? metrics.outerRadius : metrics.hairline
      let side = min(Int(edge.rounded(.up)) + 2, width / 2)
      // All pixels between the rims have the same coverage and light.
      let coverage = half.coverage(width / 2, y)
      let light = shape.edgeLight(width / 2, y)
      let ground = shape.ground(row: y)
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
      func addRim(_ x: Int) {
        rims.append(
          light <= 0 && coverage == 1 && shape.isPlain(x, y)
            ? inside[(x - side) & (Dither.period - 1)] : shape.pixel(x, y, ground: ground))
      }
      for x in 0..<side { addRim(x) }
      for x in width - side..<width { addRim(x) }
    }
    self.shape = shape
    self.width = width
    self.rows = rows
    self.rims = rims
  }

  /// The part of row `y` that neither the card's edge nor the light on it affects, where ink and ground can
  /// be written unchanged.
  func plainPixels(row y: Int) -> Range<Int> {
    let row = rows[y]
    return row.isPlain ? row.side..<(width - row.side) : 0..<0
  }

  /// The card's colour on a row, without the light on the edge.
  func ground(row y: Int) -> Paint { rows[y].ground }

  /// Draws row `y`. Its pixels must be clear.
  func draw(row y: Int, to pixels: UnsafeMutablePointer<UInt32>) {
    let row = rows[y]
    let end = width - row.side
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
}
