// SPDX-License-Identifier: Apache-2.0

import Raster
import Typography

/// Draws a message or a notice on a panel, once for each; animations only move the picture.
struct MessageArtist {
  let theme: Theme
  let page: Size

  /// The shorter side of the page, from which sizes derive: a message is read from the same distance as the
  /// page.
  var reference: Double { min(page.width, page.height) }

  /// A panel's pictures, and its frame on the page, in whole pixels.
  struct Panel {
    /// A tile that is repeated sideways.
    var ground: Bitmap
    var frame: Rect
    var lines: [String]
    /// The letters and codes, and their frame on the panel.
    var letters: (bitmap: Bitmap, frame: Rect)
    /// The place of the time that is left, on the panel.
    var countdown: (box: Rect, capHeight: Double, alignment: Double)?
  }

  /// A panel that covers a part of the page, in whole pixels, with letters as large as fit. Nil if the text
  /// has no visible characters or the part is too small.
  func panel(_ text: String, in area: Rect) -> Panel? {
    let room = Size(width: area.width - 0.08 * reference, height: 0.74 * area.height)
    guard room.width >= 8, room.height >= 8 else { return nil }
    let layout = MessageLayout(
      text, in: room, largest: 0.5 * area.height, least: max(0.026 * reference, 7), fills: true,
      face: theme.nameFace)
    guard !layout.lines.isEmpty else { return nil }
    let air = 2 * layout.capHeight
    let frame = Rect(x: 0, y: 0, width: area.width, height: area.height).wholeMiddle(
      Size(width: min(layout.width + air, area.width), height: min(layout.height + air, area.height)))
    let letters = Bitmap(width: Int(frame.width), height: Int(frame.height), format: .argb8888)
    draw(layout, into: letters)
    return Panel(ground: ground(of: area), frame: area, lines: layout.lines, letters: (letters, frame))
  }

  /// A narrow tile of a panel. A line in the accent colour is where the panel ends inside the page.
  func ground(of area: Rect) -> Bitmap {
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

  /// The colour of a panel at a fraction of its height.
  private func paint(_ fraction: Double) -> Paint {
    Paint(theme.cardUpperTop).lit(theme.messageLight).mixed(
      with: Paint(theme.cardUpperBottom), min(max(fraction, 0), 1))
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
    // Clips glyphs that extend far out of their line (stacked accents).
    bitmap.buffer.fill(mask: mask.buffer, at: 0, 0, with: theme.symbol, clip: bitmap.buffer.bounds)
  }
}
