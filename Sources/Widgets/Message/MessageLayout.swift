// SPDX-License-Identifier: Apache-2.0

import Raster
import Typography

/// Breaks a text of any length and script into lines that fit a box, in the largest letters that fit. If even
/// the smallest letters do not fit, the text is cut with an ellipsis. A pure function of the text, the
/// typeface and the sizes.
struct MessageLayout {
  private(set) var lines: [String] = []
  /// In pixels.
  private(set) var capHeight: Double
  /// The width of the widest line, in pixels.
  private(set) var width = 0.0
  /// Whether a part of the text is missing.
  private(set) var isCut = false

  static let tracking = 0.012
  /// The distance of baselines, in cap heights.
  static let lineAdvance = 1.78
  /// Longer text fits no display, so it need not be measured.
  private static let characterLimit = 2_000
  private static let scalarLimit = 4_000
  /// Fractions of the largest cap height. Letters shrink to `shrinkBeforeFilling` before the text may use
  /// more than about half of the box's height, and to `shrinkBeforeBreaking` before words may be broken.
  private static let shrinkBeforeFilling = 0.6
  private static let shrinkBeforeBreaking = 0.45

  /// The height from the top of the first line's capitals to the last baseline.
  var height: Double { capHeight * (1 + Double(max(lines.count - 1, 0)) * Self.lineAdvance) }

  /// A part of the text that stays on one line, unless words are broken.
  private struct Piece {
    var characters: [Character]
    /// The advance of each character, in cap heights.
    var advances: [Double]
    /// The width in cap heights.
    var width: Double
    var joinsPrevious: Bool

    var text: String { String(characters) }
  }

  private struct Line {
    var text = ""
    var width = 0.0
  }

  private let face: FontFace
  private let paragraphs: [[Piece]]
  private let space: Double

  /// - Parameters:
  ///   - room: the space for the letters, in pixels.
  ///   - largest: the largest cap height, in pixels.
  ///   - least: the smallest cap height, in pixels.
  ///   - fills: uses all of the space, and breaks words only where the smallest letters do not fit otherwise.
  init(
    _ text: String, in room: Size, largest: Double, least: Double, fills: Bool = false, face: FontFace
  ) {
    self.face = face
    capHeight = largest
    space = Self.width(" ", face)
    paragraphs = Self.paragraphs(text, face)
    guard !paragraphs.isEmpty else { return }
    let half = Size(width: room.width, height: (fills ? 1 : 0.56) * room.height)
    let filling = fills ? least : max(largest * Self.shrinkBeforeFilling, least)
    let breaking = max(largest * Self.shrinkBeforeBreaking, least)
    if shrink(in: half, from: largest, to: filling, breaksWords: false)
      || shrink(in: room, from: filling, to: breaking, breaksWords: false)
      || shrink(in: room, from: filling, to: least, breaksWords: true)
    {
      return
    }
    isCut = true
    cut(in: room, cap: least)
  }

  /// Uses the largest letters with which the whole text fits; false: even the smallest are too large.
  private mutating func shrink(in room: Size, from largest: Double, to least: Double, breaksWords: Bool)
    -> Bool
  {
    var cap = largest
    while true {
      if let lines = lines(in: room, cap: cap, breaksWords: breaksWords) {
        settle(balanced(lines, in: room, cap: cap, breaksWords: breaksWords), cap: cap)
        return true
      }
      if cap <= least { return false }
      cap = max(cap * 0.94, least)
    }
  }

  private static func width(_ text: String, _ face: FontFace) -> Double {
    face.measure(text, capHeight: 1, tracking: tracking).width
  }

  // MARK: Words

  private static func paragraphs(_ text: String, _ face: FontFace) -> [[Piece]] {
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: text.unicodeScalars.prefix(scalarLimit))
    var shown = String(scalars)
    let isCut = scalars.count < text.unicodeScalars.count || shown.count > characterLimit
    if isCut { shown = String(shown.prefix(characterLimit)) + "…" }
    return shown.split(whereSeparator: \.isNewline).map { pieces(of: $0, face) }.filter { !$0.isEmpty }
  }

  /// The pieces of a line of the text: words, and the parts of words between which a line may end.
  private static func pieces(of line: Substring, _ face: FontFace) -> [Piece] {
    let characters = Array(line)
    let advances = face.advances(of: String(line))
    let ends = TextOrder.lineBreaks(characters)
    let gap = tracking * face.emPerCap
    var pieces: [Piece] = []
    var piece = Piece(characters: [], advances: [], width: 0, joinsPrevious: false)
    func finish() {
      piece.width = piece.advances.reduce(0, +)
      // A part without visible characters is dropped.
      let isShown = piece.width > 0
      if isShown {
        piece.width += gap * Double(piece.advances.count { $0 > 0 } - 1)
        pieces.append(piece)
      }
      piece = Piece(
        characters: [], advances: [], width: 0, joinsPrevious: isShown || piece.joinsPrevious)
    }
    for (index, character) in characters.enumerated() {
      if character.isWhitespace, character != "\u{a0}", character != "\u{202f}" {
        finish()
        piece.joinsPrevious = false
        continue
      }
      piece.characters.append(character)
      piece.advances.append(advances[index])
      if ends[index] { finish() }
    }
    finish()
    return pieces
  }

  // MARK: Lines

  private func limit(in room: Size, cap: Double) -> Int {
    max(Int(((room.height / cap - 1) / Self.lineAdvance).rounded(.down)) + 1, 1)
  }

  /// The text in lines at this cap height; nil: it does not fit.
  private func lines(in room: Size, cap: Double, breaksWords: Bool) -> [Line]? {
    guard cap <= room.height else { return nil }
    return lines(width: room.width / cap, limit: limit(in: room, cap: cap), breaksWords: breaksWords)
  }

  private func lines(width: Double, limit: Int, breaksWords: Bool) -> [Line]? {
    var lines: [Line] = []
    for paragraph in paragraphs {
      var line = Line()
      for piece in paragraph {
        let gap = line.text.isEmpty || piece.joinsPrevious ? 0 : space
        if line.width + gap + piece.width <= width {
          line.text += (gap > 0 ? " " : "") + piece.text
          line.width += gap + piece.width
          continue
        }
        if !line.text.isEmpty { lines.append(line) }
        line = Line(text: piece.text, width: piece.width)
        if piece.width > width {
          guard breaksWords, var parts = broken(piece, width: width), let last = parts.popLast() else {
            return nil
          }
          lines += parts
          line = last
        }
        if lines.count >= limit { return nil }
      }
      if !line.text.isEmpty { lines.append(line) }
    }
    return lines.count <= limit ? lines : nil
  }

  /// The parts of a word that is wider than a line; nil: a single character is too wide.
  private func broken(_ piece: Piece, width: Double) -> [Line]? {
    var lines = [Line()]
    for (character, own) in zip(piece.characters, piece.advances) {
      if own > width { return nil }
      if lines[lines.count - 1].width + own > width { lines.append(Line()) }
      lines[lines.count - 1].text.append(character)
      lines[lines.count - 1].width += own + Self.tracking * face.emPerCap
    }
    return lines
  }

  /// Balances the lengths of the lines without adding lines.
  private func balanced(_ lines: [Line], in room: Size, cap: Double, breaksWords: Bool) -> [Line] {
    var best = lines
    var high = room.width / cap
    // Words that fit on a line stay unbroken.
    var low = paragraphs.joined().map(\.width).filter { $0 <= high }.max() ?? 0
    for _ in 0..<9 where lines.count > 1 {
      let middle = (low + high) / 2
      if let narrower = self.lines(width: middle, limit: lines.count, breaksWords: breaksWords) {
        best = narrower
        high = middle
      } else {
        low = middle
      }
    }
    return best
  }

  private mutating func cut(in room: Size, cap: Double) {
    let limit = limit(in: room, cap: cap)
    let width = room.width / cap
    // A generous limit on the number of lines bounds the work.
    guard let all = lines(width: width, limit: Self.characterLimit, breaksWords: true) else {
      settle([], cap: cap)
      return
    }
    var kept = Array(all.prefix(limit))
    if all.count > limit, var last = kept.popLast() {
      while !last.text.isEmpty, Self.width(last.text + "…", face) > width { last.text.removeLast() }
      while let end = last.text.last, end.isWhitespace || ".,;:…".contains(end) { last.text.removeLast() }
      last.text += "…"
      kept.append(last)
    }
    settle(kept, cap: cap)
  }

  private mutating func settle(_ lines: [Line], cap: Double) {
    capHeight = cap
    self.lines = lines.map(\.text)
    width = lines.map { Self.width($0.text, face) * cap }.max() ?? 0
  }
}
