// SPDX-License-Identifier: Apache-2.0

import CQREncode
import Languages
import Raster
import Typography

extension MessageArtist {
  /// The card with which a phone is paired: a QR code, and beside it, or below it on a page in portrait, what to do, the
  /// address, the six digits and the time that is left. On a page that is too small for the QR code it has only the
  /// text. Nil if the page is too small for that, too.
  func card(_ notice: InvitationNotice, _ words: Words) -> Card? {
    let air = max(0.06 * reference, 3).rounded()
    let room = Size(
      width: min(page.width - 2 * margin - 2 * air, 1.9 * reference),
      height: page.height - 2 * margin - 2 * air)
    guard room.width >= 24, room.height >= 16 else { return nil }
    let isWide = room.width >= 1.3 * room.height
    let code = QRMatrix(notice.url)
    let plate = code.flatMap {
      QRPlate($0, side: isWide ? min(room.height, 0.47 * room.width) : min(room.width, 0.56 * room.height))
    }
    let gap = plate == nil ? 0 : air
    let side = plate?.side ?? 0
    let textRoom =
      isWide
      ? Size(width: room.width - side - gap, height: plate == nil ? room.height : side)
      : Size(width: room.width, height: min(room.height - side - gap, 0.9 * room.width))
    let text = InvitationText(notice, words, in: textRoom, face: theme.nameFace)
    let inner =
      isWide
      ? Size(width: side + gap + text.width, height: max(side, text.height))
      : Size(width: max(side, text.width), height: side + gap + text.height)
    var card = emptyCard(
      Size(
        width: min((inner.width + 2 * air).rounded(.up), page.width - 2 * margin),
        height: min(even(inner.height + 2 * air), page.height - 2 * margin)))
    let bounds = Rect(
      x: margin + air, y: margin + air, width: card.frame.width - 2 * (margin + air),
      height: card.frame.height - 2 * (margin + air))
    if let plate {
      plate.draw(
        into: card.bitmap, x: isWide ? Int(bounds.x) : Int((bounds.midX - side / 2).rounded()),
        y: isWide ? Int((bounds.midY - side / 2).rounded()) : Int(bounds.y))
    }
    let origin = Point(
      x: isWide ? bounds.x + side + gap : bounds.x,
      y: isWide ? bounds.midY - text.height / 2 : bounds.y + side + gap)
    draw(
      text, into: card.bitmap, at: origin,
      width: isWide ? bounds.maxX - origin.x : bounds.width, alignment: isWide ? 0 : 0.5)
    card.lines = text.lines.map(\.text)
    let line = text.countdown
    card.countdown = (
      Rect(
        x: origin.x, y: origin.y + line.baseline - 1.5 * line.capHeight,
        width: isWide ? text.width : bounds.width, height: 2 * line.capHeight), line.capHeight,
      isWide ? 0 : 0.5
    )
    return card
  }

  func countdownStyle(_ capHeight: Double) -> Label.Style {
    let grounds = [theme.messageTop, theme.cardUpperBottom]
    let isLegible = grounds.allSatisfy { theme.mark.contrast(with: $0) >= 4.5 }
    return Label.Style(
      face: theme.symbolFace, color: isLegible ? theme.mark : theme.symbol, capHeight: capHeight,
      tracking: 0.02)
  }

  private func draw(
    _ text: InvitationText, into bitmap: Bitmap, at origin: Point, width: Double, alignment: Double
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

/// The text of the card in lines. A pure function of the notice, the words, the typeface and the size.
private struct InvitationText {
  struct Line {
    var text: String
    var capHeight: Double
    /// The distance from the top of the text.
    var baseline: Double
  }

  private(set) var lines: [Line] = []
  /// Where the time that is left is written.
  private(set) var countdown: Line
  private(set) var width = 0.0
  /// From the top of the first line's capitals to the last baseline.
  private(set) var height: Double

  init(_ notice: InvitationNotice, _ words: Words, in room: Size, face: FontFace) {
    // Cap heights and distances as fractions of this unit; all lines together are about 18 units high.
    let unit = room.height / 18
    countdown = Line(text: "", capHeight: max(2.2 * unit, 4), baseline: 0)
    height = 0
    var y = 0.0
    func add(_ text: String, cap: Double, rows: Int = 1, above: Double) {
      let height = (1 + Double(rows - 1) * MessageLayout.lineAdvance) * cap * unit
      let layout = MessageLayout(
        text, in: Size(width: room.width, height: height), largest: cap * unit,
        least: min(max(0.5 * cap * unit, 5), cap * unit), face: face)
      if !lines.isEmpty { y += above * unit }
      for (index, line) in layout.lines.enumerated() {
        y += layout.capHeight * (index == 0 ? 1 : MessageLayout.lineAdvance)
        lines.append(Line(text: line, capHeight: layout.capHeight, baseline: y))
      }
      width = max(width, layout.width)
    }
    add(words[notice.isForScorer ? .keepScore : .watchScore], cap: 1.9, above: 0)
    add(words[.scan], cap: 0.95, rows: 3, above: 1.5)
    add(notice.address, cap: 1.25, above: 1.7)
    add("\(notice.code.prefix(3))\u{a0}\(notice.code.dropFirst(3))", cap: 2.2, above: 1.3)
    y += 1.3 * unit + countdown.capHeight
    countdown.baseline = y
    height = y
  }
}

/// The modules of a QR code (ISO/IEC 18004), in medium error correction; true is dark.
struct QRMatrix {
  let side: Int
  private let modules: [Bool]

  /// Nil if the text is too long, or if there is no memory. The corresponding C function is `QRcode_encodeData`.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M) else { return nil }
    defer { QRcode_free(code) }
    side = Int(code.pointee.width)
    guard let data = code.pointee.data else { return nil }
    // The lowest bit of each byte is the colour.
    modules = (0..<side * side).map { data[$0] & 1 == 1 }
  }

  subscript(x: Int, y: Int) -> Bool { modules[y * side + x] }
}

/// A QR code in whole pixels on a light plate, which is also its quiet zone of four modules.
private struct QRPlate {
  let matrix: QRMatrix
  /// Pixels per module.
  let scale: Int
  /// The plate's width and height, in pixels.
  var side: Double { Double((matrix.side + 8) * scale) }

  /// Nil if the code does not fit.
  init?(_ matrix: QRMatrix, side: Double) {
    scale = Int(side) / (matrix.side + 8)
    guard scale >= 1 else { return nil }
    self.matrix = matrix
  }

  /// Draws black on white whatever the theme is: cameras do not read inverted codes.
  func draw(into bitmap: Bitmap, x left: Int, y top: Int) {
    let shape = RoundedRect(
      rect: Rect(x: Double(left), y: Double(top), width: side, height: side), topRadius: 2.5 * Double(scale),
      bottomRadius: 2.5 * Double(scale))
    let white = Paint(Color(rgb: 0xf4f1ea))
    for y in top..<top + Int(side) {
      let row = bitmap.buffer.row32(y)
      for x in left..<left + Int(side) {
        let solid = shape.coverage(x, y)
        if solid >= 1 { row[x] = white.pixel(coverage: 1, threshold: 0) }
      }
    }
    let clip = PixelRect(x: left, y: top, width: Int(side), height: Int(side))
    for y in 0..<matrix.side {
      for x in 0..<matrix.side where matrix[x, y] {
        let module = PixelRect(
          x: left + (x + 4) * scale, y: top + (y + 4) * scale, width: scale, height: scale)
        bitmap.buffer.fill(module, with: Color(rgb: 0x111112), clip: clip)
      }
    }
  }
}
