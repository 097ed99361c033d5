// SPDX-License-Identifier: Apache-2.0

import CQREncode
import Languages
import Raster
import Typography

extension MessageArtist {
  /// The panel of a notice. Of two parts, the first is at the left, or above the second on a high panel. In
  /// each part, the text is beside the QR code if the place is clearly wider than high, otherwise below it.
  /// If the place is too small for the QR code, there is only the text. Nil if it is too small for the text
  /// too.
  ///
  /// - Parameter isMirrored: for languages that are written from right to left.
  func panel(_ notice: Notice, _ words: Words, in area: Rect, isMirrored: Bool = false) -> Panel? {
    let side = min(area.width, area.height)
    // At the sides as much as beside the parts of a page.
    let air = Size(
      width: max(0.02 * area.width, 2).rounded(), height: max(0.02 * side, 2).rounded())
    let room = Size(
      width: min(area.width - 2 * air.width, 3 * side * Double(notice.parts.count)),
      height: area.height - 2 * air.height)
    guard room.width >= 24, room.height >= 16 else { return nil }
    let between = (0.1 * side).rounded()
    let isRow = room.width >= 1.6 * room.height
    let count = Double(notice.parts.count)
    let place =
      isRow
      ? Size(width: (room.width - (count - 1) * between) / count, height: room.height)
      : Size(width: room.width, height: (room.height - (count - 1) * between) / count)
    let plates = notice.parts.map { NoticePart.plate(of: $0, in: place) }
    // The codes of both parts have modules of the same size.
    let scale = plates.compactMap { $0?.scale }.min() ?? 0
    let parts = zip(notice.parts, plates).map { part, plate in
      NoticePart(
        part, plate?.of(scale: scale), words, in: place, gap: (0.06 * side).rounded(),
        face: theme.nameFace)
    }
    let (widths, heights) = (parts.map(\.size.width), parts.map(\.size.height))
    let gaps = (count - 1) * between
    let inner =
      isRow
      ? Size(width: widths.reduce(gaps, +), height: heights.max() ?? 0)
      : Size(width: widths.max() ?? 0, height: heights.reduce(gaps, +))
    let height = ((inner.height + 2 * air.height) / 2).rounded(.up) * 2
    let frame = Rect(x: 0, y: 0, width: area.width, height: area.height).wholeMiddle(
      Size(
        width: min((inner.width + 2 * air.width).rounded(.up), area.width), height: min(height, area.height)))
    let letters = Bitmap(width: Int(frame.width), height: Int(frame.height), format: .argb8888)
    var panel = Panel(
      ground: ground(of: area), frame: area, lines: parts.flatMap { $0.text.lines.map(\.text) },
      letters: (letters, frame))
    let bounds = Rect(
      x: air.width, y: air.height, width: frame.width - 2 * air.width, height: frame.height - 2 * air.height)
    var (x, y) = (bounds.x, bounds.y)
    for part in isRow && isMirrored ? parts.reversed() : parts {
      // A single part has all of the bitmap, whose size is rounded up.
      let area =
        count == 1
        ? bounds
        : Rect(
          x: x, y: y, width: isRow ? part.size.width : bounds.width,
          height: isRow ? bounds.height : part.size.height)
      draw(part, on: &panel, in: area, isMirrored: isMirrored)
      if isRow {
        x += (part.size.width + between).rounded()
      } else {
        y += (part.size.height + between).rounded()
      }
    }
    return panel
  }

  private func draw(_ part: NoticePart, on panel: inout Panel, in bounds: Rect, isMirrored: Bool) {
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

/// A part of a notice with the sizes of its QR code and its text.
private struct NoticePart {
  let plate: QRPlate?
  let text: NoticeText
  /// The distance between the QR code and the text.
  let gap: Double
  /// Whether the text is beside the QR code.
  let isWide: Bool
  let size: Size
  /// Whether it has a QR code, even if there is no place for it.
  let hasCode: Bool

  private static func isWide(_ room: Size) -> Bool { room.width >= 1.3 * room.height }

  /// The QR code of a part, as large as its place allows; nil if it has none, or no place for it.
  static func plate(of part: Notice.Part, in room: Size) -> QRPlate? {
    let matrix = part.code.flatMap { QRMatrix($0) }
    let least = matrix.map { Double(2 * ($0.side + QRPlate.quiet)) } ?? 0
    // A code gets as much of the place as two pixels per module need, which most cameras can read.
    let side =
      isWide(room)
      ? min(room.height, max(0.47 * room.width, min(least, 0.57 * room.width)))
      : min(room.width, max(0.56 * room.height, min(least, 0.65 * room.height)))
    return matrix.flatMap { QRPlate($0, side: side) }
  }

  init(
    _ part: Notice.Part, _ plate: QRPlate?, _ words: Words, in room: Size, gap most: Double,
    face: FontFace
  ) {
    self.plate = plate
    isWide = Self.isWide(room)
    hasCode = part.code != nil
    gap = plate == nil ? 0 : most
    let used = plate?.side ?? 0
    let beside = plate == nil ? room.height : 0.88 * used
    let textRoom =
      isWide
      ? Size(width: room.width - used - gap, height: beside)
      : Size(width: room.width, height: min(room.height - used - gap, 0.9 * room.width))
    text = NoticeText(part, words, in: textRoom, face: face)
    size =
      isWide
      ? Size(width: used + gap + text.width, height: max(used, text.height))
      : Size(width: max(used, text.width), height: used + gap + text.height)
  }
}

/// The text of a part in lines. A pure function of the part, the words, the typeface and the size.
private struct NoticeText {
  struct Line {
    var text: String
    var capHeight: Double
    /// The distance from the top of the text.
    var baseline: Double
  }

  private(set) var lines: [Line] = []
  /// The place of the time that is left; nil: none is shown.
  private(set) var countdown: Line?
  private(set) var width = 0.0
  /// From the top of the first line's capitals to the last baseline.
  private(set) var height = 0.0

  /// The text in the largest letters with which it fits.
  init(_ part: Notice.Part, _ words: Words, in room: Size, face: FontFace) {
    // The height of the text in units, with instructions in two lines.
    let units = part.lines.reduce(0) { $0 + $1.units }
    var unit = room.height / max(units, 9)
    self.init(part, words, in: room, unit: unit, face: face)
    for _ in 0..<40 where height > room.height {
      unit *= 0.96
      self.init(part, words, in: room, unit: unit, face: face)
    }
  }

  /// - Parameter unit: cap heights and distances are multiples of it.
  private init(
    _ part: Notice.Part, _ words: Words, in room: Size, unit: Double, face: FontFace
  ) {
    var y = 0.0
    func add(_ texts: [String], cap: Double, above: Double) {
      if !lines.isEmpty { y += above * unit }
      for (index, text) in texts.enumerated() {
        y += cap * (index == 0 ? 1 : MessageLayout.lineAdvance)
        lines.append(Line(text: text, capHeight: cap, baseline: y))
        width = max(width, Self.width(text, face) * cap)
      }
    }
    func addLine(_ text: String, cap: Double, above: Double) {
      add([text], cap: min(cap * unit, room.width / Self.width(text, face)), above: above)
    }
    for line in part.lines {
      switch line {
      case .heading(let word): addLine(words[word], cap: 1.6, above: 1.4)
      case .instructions(let word):
        let layout = MessageLayout(
          words[word], in: Size(width: room.width, height: 6 * unit), largest: unit, least: min(5, unit),
          face: face)
        if !layout.isCut { add(layout.lines, cap: layout.capHeight, above: 1.4) }
      case .problem(let name, let word):
        addLine(name, cap: 1.3, above: 1.4)
        addLine(words[word], cap: 1.3, above: 0.9)
      case .name(let name): addLine(name, cap: 1.9, above: 1.3)
      case .password(let password):
        addLine(words[.password], cap: 0.9, above: 1.4)
        addLine(password, cap: 1.9, above: 0.9)
      case .address(let address):
        let (texts, cap) = Self.broken(address, cap: 1.3 * unit, width: room.width, face)
        add(texts, cap: cap, above: 1.5)
      case .code(let code):
        addLine(String(code.map { $0 == " " ? "\u{a0}" : $0 }), cap: 2.5, above: 1.3)
      case .countdown:
        let cap = max(1.7 * unit, 4)
        y += 1.3 * unit + cap
        countdown = Line(text: "", capHeight: cap, baseline: y)
      }
    }
    height = y
  }

  /// The width in cap heights; never 0.
  private static func width(_ text: String, _ face: FontFace) -> Double {
    max(face.measure(text, capHeight: 1, tracking: MessageLayout.tracking).width, 0.01)
  }

  /// An address in up to three lines, broken after dots, colons and hyphens, and also inside parts of more
  /// than 24 characters. It is never cut, because people type it. Another line is used only if the letters
  /// would otherwise be much smaller.
  ///
  /// - Returns: the lines, and the cap height with which they fit into `width`.
  private static func broken(
    _ address: String, cap: Double, width: Double, _ face: FontFace
  ) -> (lines: [String], cap: Double) {
    var parts: [String] = [""]
    for character in address {
      parts[parts.count - 1].append(character)
      if ".:-".contains(character) { parts.append("") }
    }
    // Breaks long parts too, for example a long host name.
    parts = parts.filter { !$0.isEmpty }.flatMap { $0.count > 24 ? $0.chunks(of: 24) : [$0] }
    var best = (lines: [address], cap: min(cap, width / Self.width(address, face)))
    for count in 2...3 where count <= parts.count && best.cap < 0.62 * cap {
      let lines = parts.lines(count) { Self.width($0, face) }
      let fitting = min(cap, width / (lines.map { Self.width($0, face) }.max() ?? 1))
      if fitting > best.cap { best = (lines, fitting) }
    }
    return best
  }
}

extension Notice.Line {
  /// Its usual height and the space above it, in units.
  fileprivate var units: Double {
    switch self {
    case .heading: 1.6
    case .instructions: 3.8
    case .problem: 4.9
    case .name: 3.2
    case .password: 5.1
    case .address: 2.8
    case .code: 3.8
    case .countdown: 3
    }
  }
}

extension String {
  fileprivate func chunks(of count: Int) -> [String] {
    stride(from: 0, to: self.count, by: count).map { String(dropFirst($0).prefix(count)) }
  }
}

extension [String] {
  /// Joins parts to `count` lines so that the widest of them is as narrow as possible.
  fileprivate func lines(_ count: Int, width: (String) -> Double) -> [String] {
    guard count > 1, self.count > 1 else { return [joined()] }
    var best: (lines: [String], width: Double)?
    for end in 1..<self.count {
      let first = self[..<end].joined()
      let rest = Array(self[end...]).lines(count - 1, width: width)
      let widest = (rest + [first]).map(width).max() ?? 0
      if best.map({ widest < $0.width }) ?? true { best = ([first] + rest, widest) }
    }
    return best?.lines ?? [joined()]
  }
}

/// The modules of a QR code (ISO/IEC 18004) with medium error correction; true is dark.
struct QRMatrix {
  let side: Int
  private let modules: [Bool]

  /// Nil if the text is too long, or if there is no memory. The corresponding C function is
  /// `QRcode_encodeData`.
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
  /// The modules of the quiet zone on both sides.
  static let quiet = 8
  let matrix: QRMatrix
  /// Pixels per module.
  let scale: Int
  /// The plate's width and height, in pixels.
  var side: Double { Double((matrix.side + Self.quiet) * scale) }

  /// Nil if the code does not fit.
  init?(_ matrix: QRMatrix, side: Double) {
    scale = Int(side) / (matrix.side + Self.quiet)
    guard scale >= 1 else { return nil }
    self.matrix = matrix
  }

  private init(_ matrix: QRMatrix, scale: Int) { (self.matrix, self.scale) = (matrix, scale) }

  /// The same code with modules of another size.
  func of(scale: Int) -> QRPlate { QRPlate(matrix, scale: scale) }

  /// Draws dark on light, whatever the theme is, because cameras do not read inverted codes.
  func draw(into bitmap: Bitmap, x left: Int, y top: Int) {
    let radius = 2.5 * Double(scale)
    let shape = RoundedRect(
      rect: Rect(x: 0, y: 0, width: side, height: side), topRadius: radius, bottomRadius: radius)
    let mask = Bitmap(width: Int(side), height: Int(side), format: .a8)
    for y in 0..<mask.height {
      let row = mask.buffer.row8(y)
      for x in 0..<mask.width { row[x] = UInt8(truncatingIfNeeded: shape.coverage(x, y).alpha255) }
    }
    bitmap.buffer.fill(
      mask: mask.buffer, at: left, top, with: Color(rgb: 0xf4f1ea), clip: bitmap.buffer.bounds)
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
