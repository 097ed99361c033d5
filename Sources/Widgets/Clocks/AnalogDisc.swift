// SPDX-License-Identifier: Apache-2.0

import Glibc
import Raster

/// The disc behind a clock's hands, in the colours of the cards, with a lit rim and a soft shadow. Most
/// pixels need no computation: inside the rim, a row has one dithered colour, whose pattern repeats, and the
/// shadow ends where it is no longer visible.
struct AnalogDisc {
  /// The side of the picture, in pixels. The disc is in its centre.
  let side: Int
  let radius: Double
  private let top: Paint
  private let bottom: Paint
  private let shade: Paint
  private let shadowDepth: Double
  private let edgeLight: Double
  private let center: Double
  private let rim: Double
  /// How far below the disc its shadow is.
  private let drop: Double
  private let softness: Double

  init(theme: Theme, radius: Double, side: Int) {
    self.side = side
    self.radius = radius
    top = Paint(theme.cardUpperTop)
    bottom = Paint(theme.cardLowerTop)
    shade = Paint(theme.shadow)
    shadowDepth = min(0.55 * theme.shadowStrength, 1)
    edgeLight = theme.edgeLight
    center = Double(side) / 2
    rim = max(radius * 0.022, 1.5)
    drop = radius * 0.025
    softness = radius * 0.03
  }

  // MARK: Rows

  /// Draws row `y`. Its pixels must be clear.
  func draw(row y: Int, to row: UnsafeMutablePointer<UInt32>) {
    let dy = Double(y) + 0.5 - center
    // At a distance of four standard deviations, the shadow is less than a hundredth of a level.
    let shadowReach = max(radius + 4 * softness, radius + drop + 2)
    let shadow = columnsOutside(shadowReach, dy - drop)
    let disc = max(columnsOutside(radius + 1, dy), shadow)
    // The shadow is symmetric.
    for x in shadow..<disc {
      row[x] = pixel(x, y)
      row[side - 1 - x] = row[x]
    }
    guard let plain = columnsBeforePlain(dy), plain > disc else {
      for x in disc..<side - disc { row[x] = pixel(x, y) }
      return
    }
    for x in disc..<plain { row[x] = pixel(x, y) }
    for x in side - plain..<side - disc { row[x] = pixel(x, y) }
    let paint = ground(dy)
    let end = side - plain
    for x in plain..<min(plain + Dither.period, end) {
      row[x] = paint.pixel(coverage: 1, threshold: Dither.threshold(x, y))
    }
    guard end - plain > Dither.period else { return }
    let eight = UnsafeRawPointer(row + plain).loadUnaligned(as: SIMD8<UInt32>.self)
    var x = plain + Dither.period
    while x + 8 <= end {
      UnsafeMutableRawPointer(row + x).storeBytes(of: eight, as: SIMD8<UInt32>.self)
      x += 8
    }
    for index in 0..<(end - x) { row[x + index] = eight[index] }
  }

  /// The number of columns at each end of a row that are farther than `reach` from the centre; at most half
  /// of the row. The row is `dy` below the centre.
  private func columnsOutside(_ reach: Double, _ dy: Double) -> Int {
    let square = reach * reach - dy * dy
    return square <= 0
      ? side / 2 : min(max(Int((center - square.squareRoot()).rounded(.down)) - 1, 0), side / 2)
  }

  /// The number of columns at each end of a row that the disc's edge or the light on it may affect; nil: all
  /// of them.
  private func columnsBeforePlain(_ dy: Double) -> Int? {
    let inner = radius - rim - max(groove, 0.5) - 0.01
    let reach = min(inner, radius - 0.5 - edge - 0.01)
    let square = reach * reach - dy * dy
    guard reach > 0, square > 0 else { return nil }
    let columns = max(Int((center - square.squareRoot()).rounded(.up)) + 1, 0)
    return 2 * columns < side ? columns : nil
  }

  // MARK: Pixels

  private var groove: Double { max(radius * 0.006, 0.8) }
  private var edge: Double { max(radius * 0.004, 0.7) }

  private func ground(_ dy: Double) -> Paint {
    top.mixed(with: bottom, min(max((dy / radius + 1) / 2, 0), 1))
  }

  private func shadow(_ dx: Double, _ dy: Double) -> Double {
    shadowDepth * softStep(radius - hypot(dx, dy - drop), sigma: softness)
  }

  func pixel(_ x: Int, _ y: Int) -> UInt32 {
    let dx = Double(x) + 0.5 - center
    let dy = Double(y) + 0.5 - center
    let distance = hypot(dx, dy)
    let coverage = min(max(radius - distance + 0.5, 0), 1)
    guard coverage > 0 else { return shade.shadowPixel(shadow(dx, dy)) }
    var paint = ground(dy)
    // The rim catches the light from above, and the dial is slightly recessed.
    let inner = min(max(radius - rim - distance + 0.5, 0), 1)
    let facing = distance > 0 ? -dy / distance : 0
    paint = paint.lit(edgeLight * (1 - inner) * (0.07 + 0.05 * facing))
    let groove = max(1 - abs(distance - (radius - rim)) / groove, 0)
    paint = paint.mixed(with: shade, groove * 0.35)
    let edge = max(1 - abs(radius - distance - 0.5) / edge, 0)
    paint = paint.lit(edgeLight * edge * max(facing, 0) * 0.14)
    let over = paint.pixel(coverage: coverage, threshold: Dither.threshold(x, y))
    if coverage >= 1 { return over }
    let alpha = coverage + shadow(dx, dy) * (1 - coverage)
    guard shade.isBlack else {
      return shade.mixed(with: paint, coverage / alpha)
        .pixel(coverage: alpha, threshold: Dither.threshold(x, y))
    }
    return over & 0x00ff_ffff | alpha.alpha255 << 24
  }
}
