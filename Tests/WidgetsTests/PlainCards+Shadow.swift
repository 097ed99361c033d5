// SPDX-License-Identifier: Apache-2.0

import Raster

@testable import Widgets

extension PlainCards {
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
    let (bed, dark) = (Paint(theme.gap), Paint(theme.shadow))
    let sigma = 0.022 * height
    let drop = 0.012 * height
    let depth = min((0.6 - 0.35 * theme.groundLightness) * theme.shadowStrength, 1)
    // The shadow of a rectangle at a pixel is the product of a factor for the column and one for the row.
    let horizontal = (0..<bitmap.width).map { x in
      let cx = Double(x) + 0.5 - Double(margin)
      return softStep(cx, sigma: sigma) * softStep(width - cx, sigma: sigma)
    }
    for y in 0..<bitmap.height {
      let row = bitmap.buffer.row32(y)
      let cy = Double(y) + 0.5 - Double(margin) - drop
      let vertical = softStep(cy, sigma: sigma) * softStep(height - cy, sigma: sigma)
      for x in 0..<bitmap.width {
        let shadow = depth * vertical * horizontal[x]
        let solid = plate.plainCoverage(x, y)
        let alpha = shadow + (1 - shadow) * solid
        // The alpha is dithered too, because a soft shadow on a dark ground has few levels.
        let noisy = solid > 0 || shadow < 0.004 ? alpha : alpha + Dither.threshold(x, y) / 255
        row[x] = bed.mixed(with: dark, 1 - solid).plainPixel(coverage: noisy, threshold: 0)
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
    let dark = Paint(theme.shadow)
    let depth = min((0.7 - 0.35 * theme.groundLightness) * theme.shadowStrength, 1)
    let fade = max(0.06 * height, 1)
    for y in 0..<bitmap.height {
      let row = bitmap.buffer.row32(y)
      let vertical = softStep(Double(y) + 0.5 - Double(margin), sigma: sigma)
      // Beside the card the shadow fades out before the hinge. Elsewhere the flap hides the shadow's end.
      let toHinge = min((Double(bitmap.height - y) - 0.5) / fade, 1)
      let beside = toHinge * toHinge * (3 - 2 * toHinge)
      for x in 0..<bitmap.width {
        let cx = Double(x) + 0.5 - Double(margin)
        let side = cx < 0 || cx > width ? beside : 1
        let alpha = depth * side * vertical * softStep(cx, sigma: sigma) * softStep(width - cx, sigma: sigma)
        let noisy = alpha < 0.004 ? 0 : alpha + Dither.threshold(x, y) / 255
        row[x] = dark.plainPixel(coverage: noisy, threshold: 0)
      }
    }
    return bitmap
  }
}

extension RoundedRect {
  func plainCoverage(_ x: Int, _ y: Int) -> Double {
    min(max(0.5 - distance(x: Double(x) + 0.5, y: Double(y) + 0.5), 0), 1)
  }
}

extension Paint {
  func plainPixel(coverage: Double, threshold: Double) -> UInt32 {
    let alpha = UInt32((min(max(coverage, 0), 1) * 255).rounded())
    func channel(_ value: Double) -> UInt32 {
      let dithered = min(max((value + threshold).rounded(), 0), 255)
      let t = UInt32(dithered) * alpha + 128
      return (t + (t >> 8)) >> 8
    }
    return alpha << 24 | channel(red) << 16 | channel(green) << 8 | channel(blue)
  }
}
