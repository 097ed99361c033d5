// SPDX-License-Identifier: Apache-2.0

/// Something that is wrong, or looks wrong, in a config file, and where.
public struct Diagnostic: Error, Hashable, Sendable {
  public enum Severity: String, Hashable, Sendable {
    /// The file cannot be used.
    case error
    /// The file is used; a person should look at it.
    case warning
  }

  public var severity: Severity
  public var file: String
  /// From 1; 1 too when the file as a whole is meant.
  public var line: Int
  /// From 1, in code points.
  public var column: Int
  /// One clause without a full stop.
  public var message: String
  /// What to try, one clause.
  public var hint: String?
  /// The text of `line`; nil when the file could not be read.
  public var sourceLine: String?

  public init(
    severity: Severity, file: String, line: Int = 1, column: Int = 1, message: String, hint: String? = nil,
    sourceLine: String? = nil
  ) {
    self.severity = severity
    self.file = file
    self.line = line
    self.column = column
    self.message = message
    self.hint = hint
    self.sourceLine = sourceLine
  }

  /// `file:line:column: error: message; hint` on one line, as compilers write it.
  public var summary: String {
    var text = "\(file.withoutControls):\(line):\(column): \(severity.rawValue): \(message)"
    if let hint { text += "; \(hint)" }
    return text
  }
}

extension Diagnostic: CustomStringConvertible {
  /// The summary, then the source line and a caret below its column.
  public var description: String {
    guard let sourceLine else { return summary }
    let excerpt = Excerpt(sourceLine, column: column)
    return "\(summary)\n  \(excerpt.line)\n  \(excerpt.padding)^"
  }
}
