// SPDX-License-Identifier: Apache-2.0

import Glibc
import Raster

@testable import Widgets

/// The reference for `AnalogDisc`: the disc of a clock, computed separately for every pixel.
struct PlainDial {
  let theme: Theme
  let radius: Double
  let side: Int

  private var center: Double { Double(side) / 2 }

  func draw() -> Bitmap {
    let bitmap = Bitmap(width: side, height: side, format: .argb8888)
    for y in 0..<side {
      for x in 0..<side { bitmap.buffer.row32(y)[x] = pixel(x, y) }
    }
    return bitmap
  }

  func pixel(_ x: Int, _ y: Int) -> UInt32 {
    let dx = Double(x) + 0.5 - center
    let dy = Double(y) + 0.5 - center
    let distance = hypot(dx, dy)
    let coverage = min(max(radius - distance + 0.5, 0), 1)
    let below = hypot(dx, dy - radius * 0.025)
    let shadow = min(0.55 * theme.shadowStrength, 1) * softStep(radius - below, sigma: radius * 0.03)
    let dark = Paint(theme.shadow)
    guard coverage > 0 else { return dark.plainPixel(coverage: shadow, threshold: 0) }
    let height = min(max((dy / radius + 1) / 2, 0), 1)
    var paint = Paint(theme.cardUpperTop).mixed(with: Paint(theme.cardLowerTop), height)
    // The rim catches the light from above, and the dial is slightly recessed.
    let rim = max(radius * 0.022, 1.5)
    let inner = min(max(radius - rim - distance + 0.5, 0), 1)
    let facing = distance > 0 ? -dy / distance : 0
    paint = paint.lit(theme.edgeLight * (1 - inner) * (0.07 + 0.05 * facing))
    let groove = max(1 - abs(distance - (radius - rim)) / max(radius * 0.006, 0.8), 0)
    paint = paint.mixed(with: dark, groove * 0.35)
    let edge = max(1 - abs(radius - distance - 0.5) / max(radius * 0.004, 0.7), 0)
    paint = paint.lit(theme.edgeLight * edge * max(facing, 0) * 0.14)
    let threshold = Dither.threshold(x, y)
    if coverage >= 1 { return paint.plainPixel(coverage: 1, threshold: threshold) }
    let alpha = coverage + shadow * (1 - coverage)
    guard theme.shadow == .black else {
      return dark.mixed(with: paint, coverage / alpha).plainPixel(coverage: alpha, threshold: threshold)
    }
    let over = paint.plainPixel(coverage: coverage, threshold: threshold)
    return over & 0x00ff_ffff | UInt32((alpha * 255).rounded()) << 24
  }
}
