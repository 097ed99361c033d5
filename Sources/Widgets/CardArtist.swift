// SPDX-License-Identifier: Apache-2.0

import Raster
import Typography

/// Draws the parts of a card, once per size: what moves afterwards are pixels.
struct CardArtist {
  let metrics: CardMetrics
  let theme: Theme

  static let bedColor = Color(rgb: 0x070708)

  private var width: Double { Double(metrics.width) }
  private var height: Double { Double(metrics.height) }
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

  /// Both halves of a card with its symbol, ARGB8888; the gap between them is clear.
  func face(_ symbol: String) -> Bitmap {
    let bitmap = Bitmap(width: metrics.width, height: metrics.height, format: .argb8888)
    let mask = symbolMask(symbol)
    let ink = Paint(theme.symbol)
    let solidInk = ink.pixel(coverage: 1, threshold: 0)
    let rim = Int(metrics.outerRadius.rounded(.up)) + 2
    for y in 0..<metrics.height {
      let isUpper = y < metrics.height / 2
      let half = isUpper ? upper : lower
      let ground = ground(row: y, isUpper: isUpper, in: half.rect)
      let row = bitmap.buffer.row32(y)
      let coverageRow = mask.buffer.row8(y)
      func draw(_ x: Int, isRim: Bool) {
        let coverage = isRim ? half.coverage(x, y) : 1
        if coverage <= 0 { return }
        var paint = ground
        if isRim { paint = paint.lit(edgeLight(x, y, isUpper: isUpper, in: half)) }
        let inkCoverage = Double(coverageRow[x]) / 255
        if inkCoverage > 0 { paint = paint.mixed(with: ink, inkCoverage) }
        let threshold = inkCoverage < 1 ? Dither.threshold(x, y) : 0
        row[x] = paint.pixel(coverage: coverage, threshold: threshold)
      }

      // The rim is at the ends of a row, broader by the corners; between them all pixels of a row have one coverage
      // and one light, and most are either ink or ground, which repeats with the dither.
      let reach = min(Double(y) - half.rect.y, half.rect.maxY - Double(y))
      let isAtCorner = reach < max(half.topRadius, half.bottomRadius) + metrics.hairline + 2
      let side = min(isAtCorner ? rim : Int(metrics.hairline.rounded(.up)) + 2, metrics.width / 2)
      let inside = side..<(metrics.width - side)
      for x in 0..<side { draw(x, isRim: true) }
      for x in inside.upperBound..<metrics.width { draw(x, isRim: true) }
      let coverage = half.coverage(metrics.width / 2, y)
      if coverage <= 0 { continue }
      let light = edgeLight(metrics.width / 2, y, isUpper: isUpper, in: half)
      let lit = light > 0 ? ground.lit(light) : ground
      fill(row, inside) { lit.pixel(coverage: coverage, threshold: Dither.threshold($0, y)) }
      var x = inside.lowerBound
      while x < inside.upperBound {
        // Where eight have no ink, there is none to be drawn.
        if x + 8 <= inside.upperBound,
          UnsafeRawPointer(coverageRow + x).loadUnaligned(as: UInt64.self) == 0
        {
          x += 8
          continue
        }
        if coverageRow[x] == 255, coverage == 1 {
          row[x] = solidInk
        } else if coverageRow[x] != 0 {
          draw(x, isRim: coverage < 1 || light > 0)
        }
        x += 1
      }
    }
    return bitmap
  }

  /// A ground that repeats with the dither.
  private func fill(_ row: UnsafeMutablePointer<UInt32>, _ range: Range<Int>, pixel: (Int) -> UInt32) {
    var eight = SIMD8<UInt32>()
    for index in 0..<Dither.period { eight[index] = pixel(range.lowerBound + index) }
    var x = range.lowerBound
    while x + 8 <= range.upperBound {
      UnsafeMutableRawPointer(row + x).storeBytes(of: eight, as: SIMD8<UInt32>.self)
      x += 8
    }
    for index in 0..<(range.upperBound - x) { row[x + index] = eight[index] }
  }

  /// What moves behind the card's window: the face inside the rim, opaque, and whole where the gap is.
  func panel(_ symbol: String) -> Bitmap {
    let inset = metrics.windowInset
    let whole = face(symbol)
    let area = PixelRect(
      x: inset, y: inset, width: metrics.width - 2 * inset, height: metrics.height - 2 * inset)
    let bitmap = Bitmap(width: area.width, height: area.height, format: .xrgb8888)
    let mask = symbolMask(symbol)
    let ink = Paint(theme.symbol)
    let middle = metrics.height / 2
    let gap = (middle - metrics.hingeGap / 2)..<(middle + metrics.hingeGap / 2)
    for y in area.y..<area.maxY {
      let row = bitmap.buffer.row32(y - area.y)
      let faceRow = whole.buffer.row32(y)
      let maskRow = mask.buffer.row8(y)
      let isUpper = y < middle
      let ground = ground(row: y, isUpper: isUpper, in: isUpper ? upper.rect : lower.rect)
      for x in area.x..<area.maxX {
        if gap.contains(y) {
          let coverage = Double(maskRow[x]) / 255
          row[x - area.x] = ground.mixed(with: ink, coverage).pixel(
            coverage: 1, threshold: coverage < 1 ? Dither.threshold(x, y) : 0)
        } else {
          row[x - area.x] = faceRow[x]
        }
      }
    }
    return bitmap
  }

  private func ground(row y: Int, isUpper: Bool, in rect: Rect) -> Paint {
    let fraction = min(max((Double(y) + 0.5 - rect.y) / max(rect.height, 1), 0), 1)
    return isUpper
      ? Paint(theme.cardUpperTop).mixed(with: Paint(theme.cardUpperBottom), fraction)
      : Paint(theme.cardLowerTop).mixed(with: Paint(theme.cardLowerBottom), fraction)
  }

  /// Light from above catches the upper rim; a breath of it comes back from the lower one.
  private func edgeLight(_ x: Int, _ y: Int, isUpper: Bool, in half: RoundedRect) -> Double {
    let px = Double(x) + 0.5
    let py = Double(y) + 0.5
    let here = half.distance(x: px, y: py)
    let step = metrics.hairline
    if isUpper {
      let above = half.distance(x: px, y: py - step)
      return 0.15 * min(max((above - max(here, -step)) / step, 0), 1) * min(max(above + 1, 0), 1)
    }
    let below = half.distance(x: px, y: py + step)
    return 0.07 * min(max((below - max(here, -step)) / step, 0), 1) * min(max(below + 1, 0), 1)
  }

  /// The symbol's coverage on a card: capitals centred on the hinge, condensed where too wide.
  private func symbolMask(_ symbol: String) -> Bitmap {
    let mask = Bitmap(width: metrics.width, height: metrics.height, format: .a8)
    guard !symbol.isEmpty else { return mask }
    let face = theme.symbolFace
    var cap = metrics.capHeight
    let tracking = symbol.unicodeScalars.count > 1 ? 0.02 : 0.0
    var measure = face.measure(symbol, capHeight: cap, tracking: tracking)
    var stretch = 1.0
    if measure.ink.width > metrics.symbolWidth {
      // Letters may be condensed by a sixth; beyond that they are set smaller.
      stretch = max(metrics.symbolWidth / measure.ink.width, 0.84)
      let rest = metrics.symbolWidth / (measure.ink.width * stretch)
      if rest < 1 {
        cap *= rest
        measure = face.measure(symbol, capHeight: cap, tracking: tracking)
      }
    }
    let x = width / 2 - (measure.ink.x + measure.ink.width / 2) * stretch
    let advanceX = (width - measure.width * stretch) / 2
    // Digits keep their advance, so that columns of them stand still; words are centred by their ink.
    face.draw(
      symbol, into: mask.buffer, x: symbol.unicodeScalars.count > 1 ? x : advanceX,
      baseline: hinge + cap / 2, capHeight: cap, tracking: tracking, stretch: stretch)
    return mask
  }

  /// What stays when a half is away: the dark bed of the card and its soft shadow on the ground.
  /// Larger than the card by `shadowMargin` on every side.
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
    let black = Paint(Self.bedColor)
    let sigma = 0.022 * height
    let drop = 0.012 * height
    let depth = 0.6 - 0.35 * theme.groundLightness
    // The shadow of a rectangle is a product of one factor for its column and one for its row.
    let horizontal = (0..<bitmap.width).map { x in
      let cx = Double(x) + 0.5 - Double(margin)
      return softStep(cx, sigma: sigma) * softStep(width - cx, sigma: sigma)
    }
    let inside = black.pixel(coverage: 1, threshold: 0)
    let rim = margin + Int((metrics.outerRadius + inset).rounded(.up)) + 2
    for y in 0..<bitmap.height {
      let row = bitmap.buffer.row32(y)
      let cy = Double(y) + 0.5 - Double(margin) - drop
      let vertical = softStep(cy, sigma: sigma) * softStep(height - cy, sigma: sigma)
      let isInsideRow = y >= rim && y < bitmap.height - rim
      for x in 0..<bitmap.width {
        if isInsideRow, x >= rim, x < bitmap.width - rim {
          row[x] = inside
          continue
        }
        let shadow = depth * vertical * horizontal[x]
        let solid = plate.coverage(x, y)
        let alpha = shadow + (1 - shadow) * solid
        // The alpha is dithered too: a soft shadow on a dark ground has few levels.
        let noisy = solid > 0 || shadow < 0.004 ? alpha : alpha + Dither.threshold(x, y) / 255
        row[x] = black.mixed(with: Paint(.black), 1 - solid).pixel(coverage: noisy, threshold: 0)
      }
    }
    return bitmap
  }

  /// The soft shadow that a flap in flight casts around itself: an upper half's, larger than it by
  /// `shadowMargin` at the sides and at the free edge, and straight at the hinge.
  func flapShadow() -> Bitmap {
    let margin = metrics.shadowMargin
    let bitmap = Bitmap(
      width: metrics.width + 2 * margin, height: metrics.height / 2 + margin, format: .argb8888)
    let sigma = 0.02 * height
    let black = Paint(.black)
    let depth = 0.7 - 0.35 * theme.groundLightness
    let fade = max(0.06 * height, 1)
    for y in 0..<bitmap.height {
      let row = bitmap.buffer.row32(y)
      let vertical = softStep(Double(y) + 0.5 - Double(margin), sigma: sigma)
      // Beside the card the shadow runs out before the hinge; beneath the flap nobody sees it.
      let toHinge = min((Double(bitmap.height - y) - 0.5) / fade, 1)
      let beside = toHinge * toHinge * (3 - 2 * toHinge)
      for x in 0..<bitmap.width {
        let cx = Double(x) + 0.5 - Double(margin)
        let side = cx < 0 || cx > width ? beside : 1
        let alpha = depth * side * vertical * softStep(cx, sigma: sigma) * softStep(width - cx, sigma: sigma)
        let noisy = alpha < 0.004 ? 0 : alpha + Dither.threshold(x, y) / 255
        row[x] = black.pixel(coverage: noisy, threshold: 0)
      }
    }
    return bitmap
  }

  /// The dark line between the halves, in front of every flap: it is the same at every angle.
  func hingeLine() -> Bitmap {
    let bitmap = Bitmap(width: metrics.width, height: metrics.hingeGap, format: .xrgb8888)
    bitmap.buffer.fill(bitmap.buffer.bounds, with: Self.bedColor, clip: bitmap.buffer.bounds)
    return bitmap
  }

  /// The little metal bearing at either side of the hinge.
  func pin() -> Bitmap {
    let bitmap = Bitmap(width: metrics.pinWidth, height: metrics.pinHeight, format: .argb8888)
    let shape = RoundedRect(
      rect: Rect(x: 0, y: 0, width: Double(bitmap.width), height: Double(bitmap.height)),
      topRadius: min(0.3 * Double(bitmap.width), 3), bottomRadius: min(0.3 * Double(bitmap.width), 3))
    let light = Paint(theme.cardUpperTop).lit(0.05)
    let dark = Paint(theme.cardUpperTop).mixed(with: Paint(.black), 0.55)
    for y in 0..<bitmap.height {
      let down = (Double(y) + 0.5) / Double(bitmap.height)
      for x in 0..<bitmap.width {
        // A cylinder: brightest a little left of its middle, darker towards its lower end.
        let across = (Double(x) + 0.5) / Double(bitmap.width)
        let sheen = max(0, 1 - abs(across - 0.4) * 1.9)
        let paint = dark.mixed(with: light, sheen * (1 - 0.45 * down))
        bitmap.buffer.row32(y)[x] = paint.pixel(coverage: shape.coverage(x, y), threshold: 0)
      }
    }
    return bitmap
  }
}
