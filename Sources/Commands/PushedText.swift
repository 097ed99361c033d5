// SPDX-License-Identifier: Apache-2.0

/// A text that a person or another program puts on a board, in place of the config's.
package struct PushedText: Hashable, Sendable {
  /// The lines, separated by `\n`.
  package var text: String
  /// How long it is shown, in milliseconds; nil: until another text, or until it is cleared.
  package var milliseconds: Int?
  /// When it becomes stale, in milliseconds from now; nil: never.
  package var staleMilliseconds: Int?
  /// Who or what the text is from, for `status`.
  package var source: String?
  /// Whether to show the board's page, for as long as the text.
  package var showsPage: Bool
  /// Whether the text has no markup.
  package var isPlain: Bool
  /// In which order the cards start; nil: as in the config.
  package var wave: CardWave?

  package init(
    _ text: String, milliseconds: Int? = nil, staleMilliseconds: Int? = nil, source: String? = nil,
    showsPage: Bool = false, isPlain: Bool = false
  ) {
    self.text = Self.lines(text)
    self.milliseconds = milliseconds
    self.staleMilliseconds = staleMilliseconds
    self.source = source
    self.showsPage = showsPage
    self.isPlain = isPlain
  }

  /// The text with the line ends of other systems (CR LF, CR) replaced by `\n`.
  fileprivate static func lines(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      if scalar == "\n", previous == "\r" { scalars.removeLast() }
      scalars.append(scalar == "\r" ? "\n" : scalar)
      previous = scalar
    }
    return String(scalars)
  }
}

extension ClientRequest {
  /// Whether the text of the command is to be read from standard input.
  package var readsText: Bool {
    if case .command(.change(.setBoard(_, let pushed))) = self { pushed.text == "-" } else { false }
  }

  /// The command with the text from standard input. The line end after the last line does not count.
  package func reading(_ text: String) -> ClientRequest {
    guard case .command(.change(.setBoard(let board, var pushed))) = self else { return self }
    pushed.text = PushedText.lines(text)
    if pushed.text.hasSuffix("\n") { pushed.text.removeLast() }
    return .command(.change(.setBoard(board, pushed)))
  }
}
