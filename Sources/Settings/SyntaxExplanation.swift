// SPDX-License-Identifier: Apache-2.0

/// One mistake, and the better words for it.
struct SyntaxExplanation {
  typealias Point = SyntaxScan.Point

  let message: String
  let end: Point
  let scan: SyntaxScan

  init(_ message: String, _ end: Point, _ scan: SyntaxScan) {
    self.message = message
    self.end = end
    self.scan = scan
  }

  /// Nil: the parser's words will do.
  var error: SyntaxError? {
    if message.contains("redefine"), let error = redefinition { return error }
    if message.contains("nested value depth") {
      return at(end, "arrays and inline tables are nested more than 32 deep")
    }
    if message.contains("after '\\r'") {
      return at(
        end, "a line ends with a carriage return alone", hint: "save the file with Unix line endings")
    }
    if let scalar = here, !scalar.isASCII, scalar.properties.isWhitespace {
      let code = String(scalar.value, radix: 16, uppercase: true)
      return at(
        end,
        "a space that is not an ordinary one (U+\(String(repeating: "0", count: max(4 - code.count, 0)))\(code))",
        hint: "type it again with the space bar")
    }
    if let string = scan.string { return error(in: string) }
    switch scan.mode {
    case .statement: return atLineStart
    case .header: return inHeader
    case .key: return inKey
    case .value, .bare: return inValue(at: scan.mode == .bare ? scan.token ?? end : end)
    case .afterValue: return afterValue
    }
  }

  func at(_ point: Point, _ message: String, hint: String? = nil) -> SyntaxError {
    SyntaxError(line: point.line + 1, column: point.column + 1, message: message, hint: hint)
  }

  func line(_ number: Int) -> [Unicode.Scalar] {
    scan.lines.indices.contains(number) ? scan.lines[number] : []
  }

  /// The character at which the parser stopped; nil at the end of a line.
  var here: Unicode.Scalar? {
    let text = line(end.line)
    return end.column < text.count ? text[end.column] : nil
  }

  /// The rest of a line without a comment and blanks at its ends.
  func rest(from point: Point) -> String {
    var text = line(point.line).dropFirst(point.column)
    if let comment = text.firstIndex(of: "#") { text = text[..<comment] }
    return Self.trimmed(String(text))
  }

  static func trimmed(_ text: String) -> String {
    var text = text[...]
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }
}
