// SPDX-License-Identifier: Apache-2.0

extension SyntaxError {
  /// Says of a text that is not TOML what a person should write, in place of what a grammar expects.
  ///
  /// - Parameters:
  ///   - message: the parser's, which is kept where nothing better is known.
  ///   - line: where the parser stopped, from 1, as `column`.
  ///   - lines: those of the file, without their ends.
  static func explaining(
    _ message: String, line: Int, column: Int, in lines: [[Unicode.Scalar]]
  ) -> SyntaxError {
    let end = SyntaxScan.Point(line: max(line - 1, 0), column: max(column - 1, 0))
    let explanation = SyntaxExplanation(message, end, SyntaxScan(lines, to: end))
    return explanation.error ?? SyntaxError(line: line, column: column, message: message)
  }
}
