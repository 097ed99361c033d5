// SPDX-License-Identifier: Apache-2.0

import Raster

extension CardArtist {
  /// The card's dark background (its bed), visible while one of its halves is hidden, and the card's soft
  /// shadow on the ground. Larger than the card by `shadowMargin` on every side.
  func bed() -> Bitmap {
    let margin = metrics.shadowMargin
    let bitmap = Bitmap(
      width: metrics.width + 2 * margin, height: metrics.height + 2 * margin, format: .argb8888)
    let inset = max(0.004 * height, 0.5)
    let plate = RoundedRect(
      rect: Rect(
        x: Double(margin) + inset, y: Double(margin) + inset, width: width - 2 * inset,
        height: height - 2 * inset),
      topRadius: metrics.outerRadius, bottomRadius: metrics.outerRadius)
    let sigma = 0.022 * height
    let drop = 0.012 * height
    let depth = min((0.6 - 0.35 * theme.groundLightness) * theme.shadowStrength, 1)
    let shade = Paint(theme.shadow)
    // The shadow of a rectangle is, at each pixel, the product of a factor for the column and a factor for
    // the row.
    let across = (0..<bitmap.width).map { x in
      let cx = Double(x) + 0.5 - Double(margin)
      return softStep(cx, sigma: sigma) * softStep(width - cx, sigma: sigma)
    }
    let down = (0..<bitmap.height).map { y in
      let cy = Double(y) + 0.5 - Double(margin) - drop
      return softStep(cy, sigma: sigma) * softStep(height - cy, sigma: sigma)
    }
    // Between the corners, the plate's edge is the same in every row and in every column.
    let rim = margin + Int((metrics.outerRadius + inset).rounded(.up)) + 2
    let columns = rim..<max(bitmap.width - rim, rim)
    let rows = rim..<max(bitmap.height - rim, rim)
    let bed = Paint(theme.gap)
    let noise = Self.noise
    let solid = bed.pixel(coverage: 1, threshold: 0)
    for y in 0..<bitmap.height {
      let row = bitmap.buffer.row32(y)
      let isBetween = rows.contains(y)
      let before = y - Dither.period
      let pattern = (y & (Dither.period - 1)) * Dither.period
      if isBetween, rows.contains(before), down[y] == down[before] {
        row.update(from: bitmap.buffer.row32(before), count: bitmap.width)
        continue
      }
      let shadow = depth * down[y]
      func pixel(_ x: Int, _ coverage: Double) -> UInt32 {
        if coverage >= 1 { return solid }
        let shadow = shadow * across[x]
        if coverage > 0 {
          let alpha = shadow + (1 - shadow) * coverage
          return bed.mixed(with: shade, 1 - coverage).pixel(coverage: alpha, threshold: 0)
        }
        // The alpha is dithered too, because a soft shadow on a dark ground has few levels.
        return shade.shadowPixel(shadow < 0.004 ? shadow : shadow + noise[pattern | x & (Dither.period - 1)])
      }
      for x in 0..<min(columns.lowerBound, bitmap.width) { row[x] = pixel(x, plate.coverage(x, y)) }
      for x in min(columns.upperBound, bitmap.width)..<bitmap.width {
        row[x] = pixel(x, plate.coverage(x, y))
      }
      if columns.isEmpty { continue }
      if isBetween {
        Kernels.fill(row + columns.lowerBound, solid, count: columns.count)
      } else {
        let coverage = plate.coverage(columns.lowerBound, y)
        Self.draw(columns, of: row, repeating: across) { pixel($0, coverage) }
      }
    }
    return bitmap
  }

  /// The soft shadow around a flap in flight, for an upper half. Larger than the flap by `shadowMargin` at
  /// the sides and at the free edge. At the hinge the picture ends with the flap.
  func flapShadow() -> Bitmap {
    let margin = metrics.shadowMargin
    let bitmap = Bitmap(
      width: metrics.width + 2 * margin, height: metrics.height / 2 + margin, format: .argb8888)
    let sigma = 0.02 * height
    let depth = min((0.7 - 0.35 * theme.groundLightness) * theme.shadowStrength, 1)
    let shade = Paint(theme.shadow)
    let fade = max(0.06 * height, 1)
    let across = (0..<bitmap.width).map { x in
      let cx = Double(x) + 0.5 - Double(margin)
      return SIMD2(softStep(cx, sigma: sigma), softStep(width - cx, sigma: sigma))
    }
    // Each row has two factors. The first is for the columns of the flap, which hides the shadow's end at the
    // hinge. The second is for the columns beside it, where the shadow fades out before the hinge.
    let down = (0..<bitmap.height).map { y in
      let vertical = softStep(Double(y) + 0.5 - Double(margin), sigma: sigma)
      let toHinge = min((Double(bitmap.height - y) - 0.5) / fade, 1)
      let beside = toHinge * toHinge * (3 - 2 * toHinge)
      return SIMD2(depth * vertical, depth * beside * vertical)
    }
    let noise = Self.noise
    let card = margin..<(margin + metrics.width)
    for y in 0..<bitmap.height {
      let row = bitmap.buffer.row32(y)
      let before = y - Dither.period
      let pattern = (y & (Dither.period - 1)) * Dither.period
      if before >= 0, down[y] == down[before] {
        row.update(from: bitmap.buffer.row32(before), count: bitmap.width)
        continue
      }
      func pixel(_ x: Int, _ factor: Double) -> UInt32 {
        let alpha = factor * across[x].x * across[x].y
        return alpha < 0.004 ? 0 : shade.shadowPixel(alpha + noise[pattern | x & (Dither.period - 1)])
      }
      for x in 0..<margin { row[x] = pixel(x, down[y].y) }
      Self.draw(card, of: row, repeating: across) { pixel($0, down[y].x) }
      for x in card.upperBound..<bitmap.width { row[x] = pixel(x, down[y].y) }
    }
    return bitmap
  }

  /// What the dither adds to an alpha of 0 … 1: one period of its pattern in each direction, stored row by
  /// row.
  private static let noise = (0..<Dither.period * Dither.period).map { place in
    Dither.threshold(place % Dither.period, place / Dither.period) / 255
  }

  /// Draws pixels that depend only on the factor of their column and on the dither. If the column one dither
  /// period to the left has the same factor, the pixel is copied from there.
  private static func draw<Factor: Equatable>(
    _ columns: Range<Int>, of row: UnsafeMutablePointer<UInt32>, repeating factors: [Factor],
    pixel: (Int) -> UInt32
  ) {
    for x in columns {
      let before = x - Dither.period
      row[x] = before >= columns.lowerBound && factors[x] == factors[before] ? row[before] : pixel(x)
    }
  }
}
