// SPDX-License-Identifier: Apache-2.0

/// Mistakes in strings and other values.
extension SyntaxExplanation {
  func error(
    in string: (quote: Unicode.Scalar, isMultiLine: Bool, start: Point)
  ) -> SyntaxError? {
    let quotes = String(repeating: String(string.quote), count: string.isMultiLine ? 3 : 1)
    let isAtEnd = here == nil
    if string.isMultiLine, isAtEnd {
      return at(
        string.start, "the text that begins in line \(string.start.line + 1) has no closing \(quotes)")
    }
    if !string.isMultiLine, isAtEnd {
      let text = String(line(string.start.line).dropFirst(string.start.column + 1))
      var hint: String?
      if let last = Self.trimmed(text).unicodeScalars.last, Self.curlyQuotes.contains(last) {
        hint = "it ends with a curly quote; use straight quotes"
      }
      return at(
        string.start, "the text that begins in column \(string.start.column + 1) has no closing \(quotes)",
        hint: hint)
    }
    guard string.quote == "\"", says("escape") || says("hex digit") else {
      return nil
    }
    return badEscape(before: end.column + 1)
  }

  /// The error at the last backslash before a column of the line.
  func badEscape(before column: Int) -> SyntaxError? {
    guard let backslash = line(end.line).prefix(column).lastIndex(of: "\\") else { return nil }
    let escape = String(line(end.line).dropFirst(backslash).prefix(2)).withoutControls
    let point = Point(line: end.line, column: backslash)
    if escape == "\\u" || escape == "\\U" {
      return at(
        point, "'\(escape)' begins the number of a character",
        hint: "write 4 hexadecimal digits after \\u, 8 after \\U, or \\\\ for a backslash")
    }
    return at(
      point, "'\(escape)' is not an escape sequence",
      hint: "write \\\\ for a backslash, or the text between apostrophes: 'C:\\fonts'")
  }

  static let curlyQuotes: Set<Unicode.Scalar> = [
    "“", "”", "„", "‟", "‘", "’", "‚", "«", "»", "″", "`", "´",
  ]

  /// A text in straight quotes, without the quotes and backslashes in it, cut after 48 characters.
  static func quoted(_ text: String) -> String {
    let inner = String(text.unicodeScalars.filter { !curlyQuotes.contains($0) && $0 != "\"" && $0 != "\\" })
    let cut = inner.prefix(48)
    return "\"\(String(cut).withoutControls)\(cut.endIndex == inner.endIndex ? "" : "…")\""
  }

  func inValue(at point: Point) -> SyntaxError? {
    if let scalar = here, scalar == "=", scan.mode == .value { return doubledSign(at: point) }
    let isInside = !scan.brackets.isEmpty
    let isNewLine = scan.brackets.first.map { point.line > $0.start.line } ?? false
    if isInside, isNewLine || here == nil, let error = unclosed() {
      return error
    }
    var text = rest(from: point)
    if text.isEmpty { return missingValue(at: point) }
    if isInside, let stop = text.firstIndex(where: { ",]}".contains($0) }) {
      text = Self.trimmed(String(text[..<stop]))
      if text.isEmpty { return here == "," ? at(end, "there is a comma too many") : nil }
    }
    if let first = text.unicodeScalars.first, Self.curlyQuotes.contains(first) {
      return at(point, "the text is in curly quotes", hint: "use straight quotes: \(Self.quoted(text))")
    }
    return explain(word: text, at: point)
  }

  func doubledSign(at point: Point) -> SyntaxError {
    at(point, "there are two '='", hint: "write one '='")
  }

  func missingValue(at point: Point) -> SyntaxError? {
    let comment = line(point.line).dropFirst(point.column).drop { $0 == " " || $0 == "\t" }
    let what = "\(scan.key.quoted) has no value"
    guard comment.first == "#" else { return at(point, what, hint: "write it after the '='") }
    let word = String(comment.dropFirst().prefix { $0 != " " && $0 != "\t" })
    let column = line(point.line).count - comment.count
    if [3, 6].contains(word.count), word.allSatisfy(\.isHexDigit) {
      return at(
        Point(line: point.line, column: column), "\(what), because # begins a comment",
        hint: "write \"#\(word)\"")
    }
    return at(
      Point(line: point.line, column: column), "\(what), because # begins a comment",
      hint: "write it between the '=' and the '#'")
  }

  func explain(word text: String, at point: Point) -> SyntaxError? {
    let what = "\(text.quoted) is not a value"
    if let ending = text.last, ";,".contains(ending), text.count > 1 {
      return at(
        Point(line: point.line, column: point.column + text.unicodeScalars.count - 1),
        "\(String(ending).quoted) at the end of a line", hint: "leave it out")
    }
    switch text.lowercased() {
    case "true", "false": return at(point, what, hint: "write \(text.lowercased())")
    case "yes", "no", "on", "off": return at(point, what, hint: "write true or false")
    case "null", "nil", "none":
      return at(point, what, hint: "leave the key out, or write \(Self.quoted(text))")
    default: break
    }
    if says("64 bits") { return at(point, "the number is too large") }
    let digits = text.filter(\.isNumber)
    if text.allSatisfy({ $0.isNumber || $0 == ":" }), text.contains(":"), !digits.isEmpty {
      return at(
        point, what, hint: advice.values[scan.key] ?? "a time goes in quotes: \(Self.quoted(text))")
    }
    if text.allSatisfy({ $0.isNumber || $0 == "." || $0 == "," }), !digits.isEmpty {
      return number(text, at: point)
    }
    return at(point, what, hint: "text goes in quotes: \(Self.quoted(text))")
  }

  func number(_ text: String, at point: Point) -> SyntaxError {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
    guard parts.count <= 2 else {
      return at(
        point, "\(text.quoted) is not a number", hint: "text goes in quotes: \(Self.quoted(text))")
    }
    func plain(_ digits: Substring) -> String {
      let digits = digits.drop { $0 == "0" }
      return digits.isEmpty ? "0" : String(digits)
    }
    var number = plain(parts[0])
    if parts.count == 2 { number += ".\(parts[1].isEmpty ? "0" : parts[1])" }
    return at(point, "\(text.quoted) is not a number", hint: "write \(number)")
  }
}
