// SPDX-License-Identifier: Apache-2.0

import Raster
import Typography

/// Draws a message as a box with a soft shadow, once per message; animations only move the picture.
struct MessageArtist {
  let theme: Theme
  let page: Size

  /// The shorter side of the page, from which all sizes derive: a message is read from the same distance as
  /// the page.
  var reference: Double { min(page.width, page.height) }
  var margin: Double { (0.05 * reference).rounded(.up) + 2 }
  private var whole: Rect { Rect(x: 0, y: 0, width: page.width, height: page.height) }
  private var sigma: Double { 0.017 * reference }
  private var radius: Double { max(0.016 * reference, 3) }

  /// A box's picture, and its frame on the page, in whole pixels.
  struct Box {
    var bitmap: Bitmap
    var frame: Rect
    var lines: [String]
    /// The place of the time that is left, on the box.
    var countdown: (box: Rect, capHeight: Double, alignment: Double)?

    /// The box on a part of the page, for which it was drawn; nil: it was drawn for the whole page.
    func moved(to area: Rect?) -> Box {
      var moved = self
      moved.frame.x += area?.x ?? 0
      moved.frame.y += area?.y ?? 0
      return moved
    }
  }

  /// Nil if the text has no visible characters or the page is too small.
  ///
  /// - Parameter band: the part of the page in which the box is; nil: the whole page.
  func box(_ text: String, in band: Rect? = nil) -> Box? {
    let area = band ?? whole
    let side = max((band == nil ? 0.055 : 0.014) * reference, 5)
    let gap = band == nil ? margin : max((0.012 * reference).rounded(.up), 2)
    let room = Size(width: area.width - 2 * gap - 2 * side, height: area.height - 2 * gap - 2 * side)
    guard room.width >= 8, room.height >= 8 else { return nil }
    let layout = MessageLayout(
      text, in: room, largest: max(0.088 * reference, 11), least: max(0.026 * reference, 7),
      face: theme.nameFace)
    guard !layout.lines.isEmpty else { return nil }
    // The padding grows with the letters, as far as there is space.
    let air = max(layout.capHeight * 1.35, side)
    let size = Size(
      width: min((layout.width + 2 * air * 1.2).rounded(.up), area.width - 2 * gap),
      height: min(even(layout.height + 2 * air), area.height - 2 * gap))
    var box = emptyBox(size, in: area)
    draw(layout, into: box.bitmap)
    box.lines = layout.lines
    return box
  }

  /// A box without a text, in the middle of the page, or of a part of it.
  ///
  /// - Parameter size: the size of the box without its shadow.
  func emptyBox(_ size: Size, in area: Rect? = nil) -> Box {
    let frame = (area ?? whole).wholeMiddle(size).grown(margin)
    let bitmap = Bitmap(width: Int(frame.width), height: Int(frame.height), format: .argb8888)
    draw(into: bitmap)
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
      let paint = Paint(theme.cardUpperTop).lit(theme.messageLight)
        .mixed(with: Paint(theme.cardUpperBottom), min(max(down / inner.height, 0), 1))
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

  private func draw(_ layout: MessageLayout, into bitmap: Bitmap) {
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
    let inset = Int(margin) + 1
    let inside = PixelRect(
      x: inset, y: inset, width: bitmap.width - 2 * inset, height: bitmap.height - 2 * inset)
    bitmap.buffer.fill(mask: mask.buffer, at: 0, 0, with: theme.symbol, clip: inside)
  }
}
