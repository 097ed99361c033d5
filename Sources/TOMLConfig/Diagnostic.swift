// SPDX-License-Identifier: Apache-2.0

/// A mistake, or a possible mistake, in a config file.
package struct Diagnostic: Error, Hashable, Sendable {
  package enum Severity: String, Hashable, Sendable {
    /// The config is refused. In `check`, some of these are mistakes with which the daemon can use the
    /// config.
    case error
    /// The config can be used, but a person should look at it.
    case warning
  }

  package var severity: Severity
  package var file: String
  /// The line, from 1; 1 if the diagnostic is about the whole file.
  package var line = 1
  /// The column, from 1, in code points.
  package var column = 1
  /// One clause without a full stop.
  package var message: String
  /// How to correct it, in one clause.
  package var hint: String?
  /// The text of `line`; nil if there is none, as when the file could not be read.
  package var sourceLine: String?
  /// Why the value is not accepted, for programs; nil: the message alone says it.
  package var mismatch: ShapeMismatch?

  /// `file:line:column: severity: message; hint` on one line, as compilers write it.
  package var summary: String {
    var text = "\(file.withoutControls):\(line):\(column): \(severity.rawValue): \(message)"
    if let hint { text += "; \(hint)" }
    return text
  }
}

extension Diagnostic: CustomStringConvertible {
  /// The summary, then the source line, if it is known, and a caret below its column.
  package var description: String {
    guard let sourceLine else { return summary }
    let excerpt = Excerpt(sourceLine, column: column)
    return "\(summary)\n  \(excerpt.line)\n  \(excerpt.padding)^"
  }
}

/// A source line for a terminal, and the padding of the caret below it. Control characters are replaced, and
/// a long line is cut to the part around the column. Tabs stay tabs in both, so that the caret is below its
/// column.
struct Excerpt {
  static let maximumScalars = 100

  var line: String
  var padding: String

  init(_ source: String, column: Int) {
    let scalars = Array(source.unicodeScalars)
    let caret = min(max(column - 1, 0), scalars.count)
    var start = 0
    if scalars.count > Self.maximumScalars {
      start = max(0, min(caret - Self.maximumScalars / 2, scalars.count - Self.maximumScalars))
    }
    let end = min(start + Self.maximumScalars, scalars.count)
    var line = start > 0 ? "…" : ""
    var padding = start > 0 ? " " : ""
    for index in start..<end {
      let scalar = scalars[index].isControl && scalars[index] != "\t" ? "\u{fffd}" : scalars[index]
      line.unicodeScalars.append(scalar)
      guard index < caret else { continue }
      padding += scalar == "\t" ? "\t" : String(repeating: " ", count: scalar.terminalWidth)
    }
    self.line = end < scalars.count ? line + "…" : line
    self.padding = padding
  }
}

extension Unicode.Scalar {
  /// Whether this is a control character (C0, DEL or C1), or a scalar that ends a line or changes the
  /// direction of text.
  package var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7f..<0xa0, 0x061c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }

  /// Columns on a terminal: 0 for combining marks and format characters, 2 for wide East Asian characters and
  /// most emoji.
  var terminalWidth: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch value {
    case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xa960...0xa97f, 0xac00...0xd7a3, 0xf900...0xfaff,
      0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6, 0x1f300...0x1f64f, 0x1f680...0x1f6ff,
      0x1f900...0x1f9ff, 0x20000...0x3fffd:
      return 2
    default: return 1
    }
  }
}

extension String {
  package var withoutControls: String {
    var text = ""
    for scalar in unicodeScalars { text.unicodeScalars.append(scalar.isControl ? "\u{fffd}" : scalar) }
    return text
  }

  /// The text in quotes, cut after 48 characters, for a message.
  package var quoted: String {
    let shown = prefix(48)
    return "'\(String(shown).withoutControls)\(shown.endIndex == endIndex ? "" : "…")'"
  }
}
