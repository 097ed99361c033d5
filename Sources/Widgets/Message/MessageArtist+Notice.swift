// SPDX-License-Identifier: Apache-2.0

import Languages
import Raster
import Typography

extension MessageArtist {
  /// The smallest cap height of a notice's texts that people in front of the display can read, in pixels.
  var legible: Double { max(0.018 * reference, 7) }

  /// The height of a notice's panel on the page: its usual one, or the smallest at which its codes and as
  /// many of its texts as possible can be read. Instructions may be missing.
  ///
  /// - Parameter isBrief: whether the notice is to take little space.
  func height(of notice: Notice, _ words: Words, isBrief: Bool) -> Double {
    let contents = NoticeContents(notice, words, theme.nameFace)
    let (usual, largest) = NoticeLayout.heights(of: notice, on: page, isBrief: isBrief)
    var height = usual
    var best: (layout: NoticeLayout?, height: Double) = (nil, usual)
    while true {
      let area = Size(width: page.width, height: height)
      let layout = NoticeLayout(contents, in: area, legible: legible, isBrief: isBrief)
      if let layout, best.layout.map({ layout.isMoreLegible(than: $0) }) ?? true { best = (layout, height) }
      if layout?.isComplete ?? false || height >= largest { return best.height }
      height = min((1.05 * height).rounded(.up), largest)
    }
  }

  /// The panel of a notice. If it is too small for the QR codes, there is only the text. Nil if it is too
  /// small for the text too.
  ///
  /// - Parameters:
  ///   - isBrief: whether there are no instructions.
  ///   - isMirrored: for languages that are written from right to left.
  func panel(
    _ notice: Notice, _ words: Words, in area: Rect, isBrief: Bool = false, isMirrored: Bool = false
  ) -> Panel? {
    let contents = NoticeContents(notice, words, theme.nameFace)
    let size = Size(width: area.width, height: area.height)
    guard let layout = NoticeLayout(contents, in: size, legible: legible, isBrief: isBrief) else {
      return nil
    }
    let (air, inner, isRow) = (layout.air, layout.size, layout.isRow)
    let height = ((inner.height + 2 * air.height) / 2).rounded(.up) * 2
    let frame = Rect(x: 0, y: 0, width: area.width, height: area.height).wholeMiddle(
      Size(
        width: min((inner.width + 2 * air.width).rounded(.up), area.width), height: min(height, area.height)))
    let letters = Bitmap(width: Int(frame.width), height: Int(frame.height), format: .argb8888)
    var panel = Panel(
      ground: ground(of: area), frame: area, lines: layout.parts.flatMap { $0.text.lines.map(\.text) },
      letters: (letters, frame))
    let bounds = Rect(
      x: air.width, y: air.height, width: frame.width - 2 * air.width, height: frame.height - 2 * air.height)
    var (x, y) = (bounds.x, bounds.y)
    for part in isRow && isMirrored ? layout.parts.reversed() : layout.parts {
      // A single part has all of the bitmap, whose size is rounded up.
      let area =
        layout.parts.count == 1
        ? bounds
        : Rect(
          x: x, y: y, width: isRow ? part.size.width : bounds.width,
          height: isRow ? bounds.height : part.size.height)
      draw(part, on: &panel, in: area, isMirrored: isMirrored)
      if isRow {
        x += (part.size.width + layout.between).rounded()
      } else {
        y += (part.size.height + layout.between).rounded()
      }
    }
    return panel
  }

  private func draw(_ part: NoticeLayout.Part, on panel: inout Panel, in bounds: Rect, isMirrored: Bool) {
    let (text, side, gap, isWide) = (part.text, part.plate?.side ?? 0, part.gap, part.isWide)
    let letters = panel.letters
    if let plate = part.plate {
      let left = isMirrored ? bounds.maxX - side : bounds.x
      plate.draw(
        into: letters.bitmap, x: Int((isWide ? left : bounds.midX - side / 2).rounded()),
        y: isWide ? Int((bounds.midY - side / 2).rounded()) : Int(bounds.y))
    }
    let width = isWide ? bounds.width - side - gap : bounds.width
    let origin = Point(
      x: isWide && !isMirrored ? bounds.x + side + gap : bounds.x,
      y: isWide ? bounds.midY - text.height / 2 : bounds.y + side + gap)
    let alignment = !isWide || !part.hasCode ? 0.5 : isMirrored ? 1 : 0
    draw(text, into: letters.bitmap, at: origin, width: width, alignment: alignment)
    guard let line = text.countdown else { return }
    let place = Rect(
      x: origin.x, y: origin.y + line.baseline - 1.5 * line.capHeight, width: width,
      height: 2 * line.capHeight)
    panel.countdown = (
      place.offset(x: letters.frame.x, y: letters.frame.y), line.capHeight, alignment
    )
  }

  func countdownStyle(_ capHeight: Double) -> Label.Style {
    let grounds = [theme.messageTop, theme.cardUpperBottom]
    let isLegible = grounds.allSatisfy { theme.mark.contrast(with: $0) >= 4.5 }
    return Label.Style(
      face: theme.symbolFace, color: isLegible ? theme.mark : theme.symbol, capHeight: capHeight,
      tracking: 0.02)
  }

  private func draw(
    _ text: NoticeText, into bitmap: Bitmap, at origin: Point, width: Double, alignment: Double
  ) {
    let mask = Bitmap(width: bitmap.width, height: bitmap.height, format: .a8)
    for line in text.lines {
      let advance = theme.nameFace.measure(
        line.text, capHeight: line.capHeight, tracking: MessageLayout.tracking
      ).width
      theme.nameFace.draw(
        line.text, into: mask.buffer, x: origin.x + (width - advance) * alignment,
        baseline: (origin.y + line.baseline).rounded(), capHeight: line.capHeight,
        tracking: MessageLayout.tracking, stretch: 1)
    }
    bitmap.buffer.fill(mask: mask.buffer, at: 0, 0, with: theme.symbol, clip: bitmap.buffer.bounds)
  }
}
