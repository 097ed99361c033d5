// SPDX-License-Identifier: Apache-2.0

extension ScoreScreen {
  /// Alternate screen, no cursor, no wrapping, bracketed paste.
  static let setUp = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l\u{1b}[?2004h"
  /// Begins with CAN, which ends an incomplete sequence.
  static let reset = "\u{18}\u{1b}[?2026l\u{1b}[0m\u{1b}[?2004l\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l"

  /// The bytes that draw `lines` on a terminal of `rows` rows; empty when nothing changes.
  ///
  /// - Parameters:
  ///   - shown: the lines on the terminal; only lines that differ are drawn. Nil: unknown.
  ///   - colors: false (NO_COLOR): only bold, dim and inverse text.
  static func bytes(
    _ lines: [[Cell]], over shown: [[Cell]]?, rows: Int, colors: Bool
  ) -> [UInt8] {
    // Synchronized update, so that terminals which know it do not show a part of the picture.
    let start = "\u{1b}[?2026h"
    var text = start
    for row in 0..<max(rows, 0) {
      if let shown, (row < shown.count ? shown[row] : []) == (row < lines.count ? lines[row] : []) {
        continue
      }
      text += "\u{1b}[\(row + 1);1H\u{1b}[0m\u{1b}[2K"
      guard row < lines.count else { continue }
      for cell in lines[row] {
        text += "\u{1b}[\(row + 1);\(cell.column + 1)H\(sequence(cell.style, colors: colors))\(cell.text)"
      }
    }
    guard text != start else { return [] }
    text += "\u{1b}[0m\u{1b}[?2026l"
    return Array(text.utf8)
  }

  private static func sequence(_ style: Style, colors: Bool) -> String {
    let codes =
      switch style {
      case .plain: "0"
      case .bold, .title: "0;1"
      case .dim: "0;2"
      case .hint: "0"
      case .done: colors ? "0;32" : "0"
      case .question: colors ? "0;1;30;43" : "0;1;7"
      case .refusal: colors ? "0;1;37;41" : "0;1;7"
      }
    return "\u{1b}[\(codes)m"
  }
}
