// SPDX-License-Identifier: Apache-2.0

import Languages
import Typography

/// A text on the cards of a board.
package struct BoardLayout: Hashable, Sendable {
  package let columns: Int
  package let rows: Int
  /// The symbols of the cards, row by row.
  package let symbols: [CardSymbol]
  package let fit: TextFit

  /// A line of a board. Columns are counted from the side where the language begins.
  private struct Line {
    var letters: [BoardLetter]
    /// The line's parts between tab stops; nil: the line is aligned as a whole.
    var cells: [(column: Int, letters: ArraySlice<BoardLetter>)]?

    var width: Int { cells?.last.map { $0.column + $0.letters.count } ?? letters.count }
  }

  package init(_ text: BoardText, _ settings: BoardSettings, in language: Language = .english) {
    var fit = TextFit(columns: settings.columns, rows: settings.rows)
    let letters = text.letters
    let lines = letters.parts(between: "\n").flatMap { line in
      Self.lines(line, settings, &fit)
    }
    columns = settings.columns ?? lines.map(\.width).max() ?? 0
    rows = settings.rows ?? min(lines.count, BoardSettings.rowLimit)
    if let last = lines.lastIndex(where: { !$0.letters.isEmpty }), last >= rows {
      fit.leftOut = lines[rows...last].map(\.letters.plain)
    }
    var flaps: [BoardLetter: CardSymbol?] = [:]
    func flap(_ letter: BoardLetter) -> CardSymbol? {
      if let known = flaps[letter] { return known }
      let flap = settings.flap(for: letter, in: language)
      flaps[letter] = .some(flap)
      return flap
    }
    // A text with fewer lines than the board has rows begins at the top if it is aligned left, else it is
    // centred vertically; if the number of empty rows is odd, the additional one is below the text.
    let top = settings.align == .left ? 0 : max(rows - lines.count, 0) / 2
    var symbols = [CardSymbol](repeating: "", count: columns * rows)
    for (row, line) in lines.prefix(rows).enumerated() {
      for cell in line.cells ?? [(0, line.letters[...])] {
        let shown = TextOrder.visual(Array(cell.letters), \.character)
        let free = columns - shown.count
        let left =
          switch settings.align {
          case _ where line.cells != nil: language.isRightToLeft ? free - cell.column : cell.column
          case .left: 0
          case .center: free / 2
          case .right: free
          }
        for (column, letter) in shown.enumerated() {
          symbols[(top + row) * columns + left + column] = flap(letter) ?? ""
        }
      }
    }
    for letter in letters
    where letter.character != "\n" && flap(letter) == nil && !fit.missing.contains(letter.character) {
      fit.missing.append(letter.character)
    }
    fit.lines = []
    for row in 0..<rows {
      fit.lines?.append(symbols[row * columns..<(row + 1) * columns].map(\.letter).joined())
    }
    self.symbols = symbols
    self.fit = fit
  }

  /// The lines of a board for a line of the text.
  private static func lines(
    _ line: ArraySlice<BoardLetter>, _ settings: BoardSettings, _ fit: inout TextFit
  ) -> [Line] {
    let limit = settings.columns ?? BoardSettings.columnLimit
    if !settings.tabs.isEmpty, line.contains(where: { $0.character == "\t" }) {
      let starts = [0] + settings.tabs.filter { $0 < limit }
      let cells = line.parts(between: "\t", limit: starts.count)
      let ends = starts.dropFirst() + [limit]
      return [
        Line(
          letters: Array(line),
          cells: zip(zip(starts, ends), cells).map { ($0.0, cut($1, to: $0.1 - $0.0, &fit)) })
      ]
    }
    switch settings.overflow {
    case .cut: return [Line(letters: Array(cut(line, to: limit, &fit)))]
    case .wrap: return wrapped(line, to: limit).map { Line(letters: $0) }
    }
  }

  private static func cut(
    _ letters: ArraySlice<BoardLetter>, to width: Int, _ fit: inout TextFit
  ) -> ArraySlice<BoardLetter> {
    if letters.dropFirst(width).contains(where: { !$0.character.isWhitespace }) {
      fit.cut.append(letters.plain)
    }
    return letters.prefix(width)
  }

  /// Breaks a line where Unicode's rules allow it. A part that is wider than the board is broken at its edge.
  private static func wrapped(_ text: ArraySlice<BoardLetter>, to width: Int) -> [[BoardLetter]] {
    var lines: [[BoardLetter]] = []
    var line: [BoardLetter] = []
    var start = text.startIndex
    for (index, isEnd) in zip(text.indices, TextOrder.lineBreaks(text.map(\.character)))
    where isEnd || index == text.endIndex - 1 {
      var part = text[start...index]
      start = index + 1
      // White space at the end of a line needs no place.
      let end = part.lastIndex { !$0.character.isWhitespace }
      var needed = end.map { $0 + 1 - part.startIndex } ?? 0
      if needed > 0, !line.isEmpty, line.count + needed > width {
        lines.append(line)
        line = []
      }
      while needed > width {
        lines.append(Array(part.prefix(width)))
        part = part.dropFirst(width)
        needed -= width
      }
      line = Array((line + part).prefix(width))
    }
    return lines + [line]
  }
}

extension RandomAccessCollection<BoardLetter> {
  /// The parts between separators, with the empty ones. The last part of `limit` has the rest.
  fileprivate func parts(between separator: Character, limit: Int = .max) -> [SubSequence] {
    split(maxSplits: limit - 1, omittingEmptySubsequences: false) { $0.character == separator }
  }
}
