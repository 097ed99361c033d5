// SPDX-License-Identifier: Apache-2.0

/// What a program says of words that may be anybody's, on a terminal.
public enum Diagnostic {
  /// Of a line, in characters: room for all that there is to name, and not for a file that was pasted.
  static let lineLimit = 1000

  /// Line by line without what would steer the terminal, and no line without an end.
  public static func text(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { shortened(String($0)).printable }.joined(separator: "\n")
  }

  /// The beginning and the end, where the remedy stands.
  private static func shortened(_ line: String) -> String {
    guard line.utf8.count > lineLimit, line.count > lineLimit else { return line }
    return line.prefix(lineLimit / 2) + " … " + line.suffix(lineLimit / 2)
  }
}
