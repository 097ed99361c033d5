// SPDX-License-Identifier: Apache-2.0

import Languages
import Settings

extension FuzzTarget {
  /// A text for a board. The first bytes are the board's settings.
  static let board = FuzzTarget(
    name: "board",
    seeds: {
      [
        "ZURICH 12:30 {red}LATE{/}", "9:05\tBERN\t3\n10:15\t{#ff8800}ZUG{/}\t12", "🟥🟧🟨🟩🟦🟪⬜\u{fe0f}⬛█",
        "{ {red {/} }{blue}{/}\n\n שלום (7) 今日は、雨。 TIME-OUT e\u{301}", #"{"text": {"red": "{red}"}}"#,
      ].enumerated().map { index, text in [UInt8(index * 7), 5, UInt8(index * 9)] + Array(text.utf8) }
    },
    run: { bytes in
      guard bytes.count > 3 else { return }
      let text = String(decoding: bytes.dropFirst(3), as: UTF8.self)
      var settings = BoardSettings()
      settings.columns = bytes[1] == 0 ? nil : Int(bytes[1] % 64) + 1
      settings.rows = bytes[2] == 0 ? nil : Int(bytes[2] % 24) + 1
      settings.align = BoardSettings.Alignment.allCases[Int(bytes[0] % 3)]
      settings.overflow = bytes[0] & 4 == 0 ? .wrap : .cut
      settings.tabs = bytes[0] & 8 == 0 ? [] : [2, 5, 9]
      let language = (bytes[0] & 16 == 0 ? nil : Language("ar")) ?? .english
      try checkLayout(text, settings, language)
    })

  private static func checkLayout(
    _ text: String, _ settings: BoardSettings, _ language: Language
  ) throws(Broken) {
    let marks = (BoardColor.allCases.map(\.rawValue) + ["/"]).map { "{\($0)}" }
    for isPlain in [false, true] {
      let board = BoardText(text, isPlain: isPlain)
      let letters = board.letters.map(\.character)
      if isPlain || !(text.contains("{#") || marks.contains { text.contains($0) }) {
        try check(letters == text.map(BoardColor.canonical), "\(text.debugDescription) is not plain")
      }
      let layout = BoardLayout(board, settings, in: language)
      try check(
        layout.columns <= 64 && layout.rows <= 24 && layout.symbols.count == layout.columns * layout.rows,
        "\(layout.columns) × \(layout.rows)")
      // With an automatic drum, all that is not shown is named.
      let shown = layout.symbols.count { !$0.text.isEmpty }
      let given = letters.count { !$0.isWhitespace }
      let leftOut = layout.fit.leftOut.joined().count { !$0.isWhitespace }
      if layout.fit.cut.isEmpty {
        try check(shown + leftOut == given, "\(shown) + \(leftOut) of \(given) letters")
      } else {
        try check(shown < given, "cut, but all letters are shown")
      }
    }
  }
}
