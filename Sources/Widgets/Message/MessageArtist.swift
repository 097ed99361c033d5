// SPDX-License-Identifier: Apache-2.0

import Raster
import Typography

/// Draws a message as a box with a soft shadow, once per message; animations only move the picture.
struct MessageArtist {
  let theme: Theme
  /// Where a box is: the page, or the part of it that a panel covers.
  let page: Size
  /// Whether a box is drawn without its edges and its shadow, because it is on a panel.
  var isOnPanel = false

  /// The shorter side of the page, from which all sizes derive: a message is read from the same distance as
  /// the page.
  var reference: Double { min(page.width, page.height) }
  var margin: Double { isOnPanel ? 0 : (0.05 * reference).rounded(.up) + 2 }
  private var sigma: Double { 0.017 * reference }
  private var radius: Double { max(0.016 * reference, 3) }

  /// A box's picture, and its frame on the page, in whole pixels.
  struct Box {
    var bitmap: Bitmap
    var frame: Rect
    var lines: [String]
    /// The letters, on the box, where `bitmap` is a tile that is repeated sideways.
    var letters: (bitmap: Bitmap, frame: Rect)?
    /// The place of the time that is left, on the box.
    var countdown: (box: Rect, capHeight: Double, alignment: Double)?
  }

  /// A box in the middle of the page. Nil if the text has no visible characters or the page is too small.
  func box(_ text: String) -> Box? {
    let side = max(0.055 * reference, 5)
    let room = Size(
      width: page.width - 2 * margin - 2 * side, height: page.height - 2 * margin - 2 * side)
    guard room.width >= 8, room.height >= 8 else { return nil }
    let layout = MessageLayout(
      text, in: room, largest: max(0.088 * reference, 11), least: least, face: theme.nameFace)
    guard !layout.lines.isEmpty else { return nil }
    // The padding grows with the letters, as far as there is space.
    let air = max(layout.capHeight * 1.35, side)
    let size = Size(
      width: min((layout.width + 2 * air * 1.2).rounded(.up), page.width - 2 * margin),
      height: min(even(layout.height + 2 * air), page.height - 2 * margin))
    var box = emptyBox(size)
    draw(layout, into: box.bitmap, inset: Int(margin) + 1)
    box.lines = layout.lines
    return box
  }

  /// The smallest cap height, in pixels.
  private var least: Double { max(0.026 * reference, 7) }

  /// A panel that covers a part of the page, in whole pixels, with letters as large as fit. Nil if the text
  /// has no visible characters or the part is too small.
  func panel(_ text: String, in area: Rect) -> Box? {
    let room = Size(width: area.width - 0.08 * reference, height: 0.74 * area.height)
    guard room.width >= 8, room.height >= 8 else { return nil }
    let layout = MessageLayout(
      text, in: room, largest: 0.5 * area.height, least: least, fills: true, face: theme.nameFace)
    guard !layout.lines.isEmpty else { return nil }
    let air = 2 * layout.capHeight
    let frame = Rect(x: 0, y: 0, width: area.width, height: area.height).wholeMiddle(
      Size(width: min(layout.width + air, area.width), height: min(layout.height + air, area.height)))
    let letters = Bitmap(width: Int(frame.width), height: Int(frame.height), format: .argb8888)
    draw(layout, into: letters, inset: 0)
    return Box(
      bitmap: ground(of: area), frame: area, lines: layout.lines, letters: (bitmap: letters, frame: frame))
  }

  /// A panel that covers a part of the page, with a box that was drawn for it.
  func panel(_ box: Box, in area: Rect) -> Box {
    var panel = Box(
      bitmap: ground(of: area), frame: area, lines: box.lines, letters: (bitmap: box.bitmap, frame: box.frame)
    )
    panel.countdown = box.countdown.map { place in
      (place.box.offset(x: box.frame.x, y: box.frame.y), place.capHeight, place.alignment)
    }
    return panel
  }

  /// A narrow tile of a panel. A line in the accent colour is where the panel ends inside the page.
  private func ground(of area: Rect) -> Bitmap {
    let bitmap = Bitmap(width: 8 * Dither.period, height: Int(area.height), format: .xrgb8888)
    let line = max(Int((0.006 * reference).rounded()), 1)
    let top = area.y > 0 ? line : 0
    let bottom = bitmap.height - (area.maxY < page.height ? line : 0)
    for y in 0..<bitmap.height {
      let isInside = (top..<bottom).contains(y)
      let paint = isInside ? paint(Double(y) / area.height) : Paint(theme.accent)
      let row = bitmap.buffer.row32(y)
      for x in 0..<bitmap.width { row[x] = paint.pixel(coverage: 1, threshold: Dither.threshold(x, y)) }
    }
    return bitmap
  }

  /// The colour of a box or a panel at a fraction of its height.
  private func paint(_ fraction: Double) -> Paint {
    Paint(theme.cardUpperTop).lit(theme.messageLight).mixed(
      with: Paint(theme.cardUpperBottom), min(max(fraction, 0), 1))
  }

  /// A box without a text, in the middle of the page.
  ///
  /// - Parameter size: the size of the box without its shadow.
  func emptyBox(_ size: Size) -> Box {
    let frame = Rect(x: 0, y: 0, width: page.width, height: page.height).wholeMiddle(size).grown(margin)
    let bitmap = Bitmap(width: Int(frame.width), height: Int(frame.height), format: .argb8888)
    if !isOnPanel { draw(into: bitmap) }
    return Box(bitmap: bitmap, frame: frame, lines: [])
  }

  func even(_ value: Double) -> Double { (value / 2).rounded(.up) * 2 }

  /// The shadow of one edge at a distance from it, in pixels; the distance is negative outside.
  private func shade(_ inside: Double) -> Double { softStep(inside + 0.5 * sigma, sigma: sigma) }

  /// Draws the box and its shadow.
  private func draw(into bitmap: Bitmap) {
    let inner = Rect(
      x: margin, y: margin, width: Double(bitmap.width) - 2 * margin,
      height: Double(bitmap.height) - 2 * margin)
    let shape = RoundedRect(rect: inner, topRadius: radius, bottomRadius: radius)
    let rim = Int(margin + radius) + 2
    let drop = 0.35 * sigma
    let depth = min((0.85 - 0.5 * theme.groundLightness) * theme.shadowStrength, 1)
    let shadowPaint = Paint(theme.shadow)
    // Without a shadow, only its edge separates the box from what is beneath it.
    let strength = theme.shadowStrength > 0 ? theme.edgeLight : 4
    // A Gaussian never reaches zero. Its value at the picture's edge is subtracted everywhere, so that the
    // shadow does not end in a visible line.
    let rest = shade(drop - margin)
    func factor(_ inside: Double) -> Double { max(shade(inside) - rest, 0) / (1 - rest) }
    // The shadow of a rectangle is, at each pixel, the product of a factor for the column and a factor for
    // the row.
    let across = (0..<bitmap.width).map { x in
      let at = Double(x) + 0.5 - margin
      return factor(at) * factor(inner.width - at)
    }
    for y in 0..<bitmap.height {
      let row = bitmap.buffer.row32(y)
      let down = Double(y) + 0.5 - margin
      let vertical = depth * factor(down - drop) * factor(inner.height - down + drop)
      let paint = paint(down / inner.height)
      let isInsideRow = y >= rim && y < bitmap.height - rim
      let pattern = (0..<Dither.period).map { paint.pixel(coverage: 1, threshold: Dither.threshold($0, y)) }
      for x in 0..<bitmap.width {
        if isInsideRow, x >= rim, x < bitmap.width - rim {
          row[x] = pattern[x % Dither.period]
          continue
        }
        let solid = shape.coverage(x, y)
        let shadow = solid >= 1 ? 0 : vertical * across[x]
        let alpha = shadow + (1 - shadow) * solid
        if alpha < 0.004 { continue }
        let lit = solid > 0 ? paint.lit(strength * edgeLight(x, y, in: shape)) : paint
        let share = alpha > 0 ? solid / alpha : 0
        // The alpha is dithered too, because a soft shadow on a dark ground has few levels.
        let noisy = solid > 0 ? alpha : alpha + Dither.threshold(x, y) / 255
        row[x] = shadowPaint.mixed(with: lit, share).pixel(
          coverage: noisy, threshold: solid >= 1 ? Dither.threshold(x, y) : 0)
      }
    }
  }

  /// The light on the edge: a hairline all around, brightest at the top.
  private func edgeLight(_ x: Int, _ y: Int, in shape: RoundedRect) -> Double {
    let hairline = max(0.0016 * reference, 1)
    let inside = -shape.distance(x: Double(x) + 0.5, y: Double(y) + 0.5)
    guard inside < hairline + 0.5 else { return 0 }
    let down = (Double(y) - margin) / max(shape.rect.height, 1)
    return (0.2 - 0.12 * min(max(down, 0), 1)) * min(max(hairline + 0.5 - inside, 0), 1)
  }

  /// - Parameter inset: the width of the edge of the bitmap that is not drawn on.
  private func draw(_ layout: MessageLayout, into bitmap: Bitmap, inset: Int) {
    let mask = Bitmap(width: bitmap.width, height: bitmap.height, format: .a8)
    let face = theme.nameFace
    var baseline = ((Double(bitmap.height) - layout.height) / 2 + layout.capHeight).rounded()
    for line in layout.lines {
      let width = face.measure(line, capHeight: layout.capHeight, tracking: MessageLayout.tracking).width
      face.draw(
        line, into: mask.buffer, x: (Double(bitmap.width) - width) / 2, baseline: baseline.rounded(),
        capHeight: layout.capHeight, tracking: MessageLayout.tracking, stretch: 1)
      baseline += layout.capHeight * MessageLayout.lineAdvance
    }
    // Clip glyphs that extend far out of their line (stacked accents) to the box.
    let inside = PixelRect(
      x: inset, y: inset, width: bitmap.width - 2 * inset, height: bitmap.height - 2 * inset)
    bitmap.buffer.fill(mask: mask.buffer, at: 0, 0, with: theme.symbol, clip: inside)
  }
}
