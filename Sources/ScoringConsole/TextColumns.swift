// SPDX-License-Identifier: Apache-2.0

/// The width of text on a terminal in columns, as in wcwidth(3) and most terminals.
enum TextColumns {
  static func count(_ text: String) -> Int { text.reduce(0) { $0 + count($1) } }

  /// The width of a character: 0, 1 or 2. Terminals differ for emoji of several parts, so text after one must
  /// be placed explicitly.
  static func count(_ character: Character) -> Int {
    var widest = 0
    for scalar in character.unicodeScalars {
      // Variation selector 16: the emoji form of a narrow character.
      if scalar.value == 0xfe0f {
        widest = max(widest, widest == 0 ? 0 : 2)
      } else {
        widest = max(widest, count(scalar))
      }
    }
    return widest
  }

  /// Truncates `text` to at most `columns` columns; the result ends with `…` if something was omitted.
  static func cut(_ text: String, to columns: Int) -> String {
    guard count(text) > columns else { return text }
    guard columns > 0 else { return "" }
    var kept = ""
    var width = 0
    for character in text {
      let next = count(character)
      if width + next > columns - 1 { break }
      kept.append(character)
      width += next
    }
    return kept + "…"
  }

  private static func count(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value) ? 0 : 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: return 0
    default: break
    }
    // The vowels and finals of Hangul join the previous letter and have no width.
    if (0x1160...0x11ff).contains(scalar.value) { return 0 }
    return scalar.properties.isEmojiPresentation || wide.contains { $0.contains(scalar.value) } ? 2 : 1
  }

  /// The blocks of wide and full-width East Asian characters (UAX #11).
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115f, 0x2329...0x232a, 0x2e80...0x303e, 0x3041...0x4dbf, 0x4e00...0xa4cf, 0xa960...0xa97f,
    0xac00...0xd7a3, 0xf900...0xfaff, 0xfe10...0xfe19, 0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6,
    0x16fe0...0x18cff, 0x1aff0...0x1b2ff, 0x1f200...0x1f2ff, 0x20000...0x3fffd,
  ]
}
