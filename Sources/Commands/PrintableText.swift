// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The text with control characters escaped as in Swift (`\n`, `\u{1B}`), so that text from elsewhere
  /// cannot control the terminal.
  package var printable: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    return unicodeScalars.map { $0.isControl ? $0.escaped(asASCII: true) : String($0) }.joined()
  }

  /// The text for a terminal. Each line is printable and is shortened to 1000 characters, so that a pasted
  /// file does not fill the screen. Keeps the beginning and the end of a line, because the remedy is at the
  /// end.
  package var diagnostic: String {
    let limit = 1000
    return split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard line.utf8.count > limit, line.count > limit else { return String(line).printable }
      return (line.prefix(limit / 2) + " … " + line.suffix(limit / 2)).printable
    }.joined(separator: "\n")
  }
}

extension Unicode.Scalar {
  /// Whether this is C0, DEL, C1, a line separator, or a character that changes the direction of text.
  fileprivate var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7f..<0xa0, 0x061c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
