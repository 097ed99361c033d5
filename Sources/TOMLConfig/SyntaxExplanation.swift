// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A better message for a mistake in the syntax.
struct SyntaxExplanation {
  typealias Point = SyntaxScan.Point

  let message: String
  let end: Point
  let scan: SyntaxScan
  let advice: SyntaxAdvice

  /// Whether the parser's message contains these words.
  func says(_ words: String) -> Bool { strstr(message, words) != nil }

  /// Nil: there is no better message than the parser's.
  var error: SyntaxError? {
    if says("redefine"), let error = redefinition { return error }
    if says("nested value depth") {
      return at(end, "arrays and inline tables are nested more than 32 deep")
    }
    if says("after '\\r'") {
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

  /// The character at which the parser stopped; nil: it stopped at the end of a line.
  var here: Unicode.Scalar? {
    let text = line(end.line)
    return end.column < text.count ? text[end.column] : nil
  }

  /// The rest of a line, without a comment and without blanks at its ends.
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

// MARK: Keys and tables that occur twice

extension SyntaxExplanation {
  var redefinition: SyntaxError? {
    guard scan.brackets.isEmpty else {
      return at(end, "a key occurs twice in one table", hint: "remove one of the two")
    }
    let text = rest(from: Point(line: end.line, column: 0))
    // The parser stops before a header, and after a key.
    if text.hasPrefix("[") {
      let name = text.filter { !"[]".contains($0) }
      let path = SyntaxScan.path(Array(name.unicodeScalars))
      return twice(SyntaxScan.Definition(path: path, point: end, header: text))
    }
    guard let last = scan.definitions.last, last.point.line == end.line else { return nil }
    return twice(last)
  }

  func twice(_ new: SyntaxScan.Definition) -> SyntaxError? {
    let old = scan.firstDefinition { $0.path.starts(with: new.path) && $0.point != new.point }
    guard let old else { return nil }
    let holdsKeys = says("existing table") || says("existing array")
    let hint = holdsKeys && new.header != nil ? "put its keys there" : "remove one of the two"
    let name = old.path == new.path ? old.header?.withoutControls : nil
    let isSet = name == nil ? "already set" : "already"
    return at(
      new.point,
      "\(name ?? new.path.joined(separator: ".").quoted) is \(isSet) in line \(old.point.line + 1)",
      hint: hint)
  }
}

extension SyntaxError {
  /// An error that says what to write, instead of what the grammar expects.
  ///
  /// - Parameters:
  ///   - message: the parser's message, which is kept if there is none better.
  ///   - line: where the parser stopped, from 1, as `column` is.
  ///   - lines: the lines of the file, without their ends.
  static func explaining(
    _ message: String, line: Int, column: Int, in lines: [[Unicode.Scalar]], _ advice: SyntaxAdvice
  ) -> SyntaxError {
    let end = SyntaxScan.Point(line: max(line - 1, 0), column: max(column - 1, 0))
    let explanation = SyntaxExplanation(
      message: message, end: end, scan: SyntaxScan(lines, to: end), advice: advice)
    return explanation.error ?? SyntaxError(line: line, column: column, message: message)
  }
}
