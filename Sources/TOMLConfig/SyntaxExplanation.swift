// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Better messages for mistakes in the syntax: they say what to write, instead of what the grammar expects.
struct SyntaxExplanation {
  typealias Point = SyntaxScan.Point

  /// A mistake that the text may have. If several apply, the first one is reported.
  private struct Row {
    var mistake: SyntaxError?

    init(_ applies: Bool, _ mistake: SyntaxError?) { self.mistake = applies ? mistake : nil }

    init(_ applies: Bool, _ point: Point, _ message: String, _ hint: String? = nil) {
      self.init(applies, SyntaxError(at: point, message, hint))
    }
  }

  /// The parser's message.
  let message: String
  /// Where the parser stopped.
  let end: Point
  let scan: SyntaxScan
  let advice: SyntaxAdvice

  /// Nil: there is no better message than the parser's.
  var error: SyntaxError? {
    if let mistake = first(anywhere) { return mistake }
    if let string = scan.string { return first(inString(string)) }
    return switch scan.mode {
    case .statement: first(atLineStart)
    case .header: first(inHeader)
    case .key: first(inKey)
    case .value, .bare: first(inValue(at: scan.mode == .bare ? scan.token ?? end : end))
    case .afterValue: first(afterValue)
    }
  }

  private func first(_ rows: [Row]) -> SyntaxError? { rows.lazy.compactMap(\.mistake).first }

  private var anywhere: [Row] {
    let code = String(here?.value ?? 0, radix: 16, uppercase: true)
    let padded = String(repeating: "0", count: max(4 - code.count, 0)) + code
    return [
      Row(says("redefine"), redefinition),
      Row(says("nested value depth"), end, "arrays and inline tables are nested more than 32 deep"),
      Row(
        says("after '\\r'"),
        end, "a line ends with a carriage return alone", "save the file with Unix line endings"),
      Row(
        here.map { !$0.isASCII && $0.properties.isWhitespace } ?? false,
        end, "a space that is not an ordinary one (U+\(padded))", "type it again with the space bar"),
    ]
  }

  private func inString(_ string: SyntaxScan.OpenString) -> [Row] {
    let quotes = String(repeating: String(string.quote), count: string.isMultiLine ? 3 : 1)
    let isOpen = here == nil
    let text = line(string.start.line).dropFirst(string.start.column + 1)
    let isCurly = text.last { !$0.properties.isWhitespace }.map(Self.curlyQuotes.contains) ?? false
    let unclosed = "has no closing \(quotes)"
    let backslash = line(end.line).prefix(end.column + 1).lastIndex(of: "\\")
    let escape = Point(line: end.line, column: backslash ?? 0)
    let sequence = String(line(end.line).dropFirst(escape.column).prefix(2)).withoutControls
    let isEscape =
      !isOpen && string.quote == "\"" && (says("escape") || says("hex digit")) && backslash != nil
    return [
      Row(
        isOpen && string.isMultiLine,
        string.start, "the text that begins in line \(string.start.line + 1) \(unclosed)"),
      Row(
        isOpen,
        string.start, "the text that begins in column \(string.start.column + 1) \(unclosed)",
        isCurly ? "it ends with a curly quote; use straight quotes" : nil),
      Row(
        isEscape && ["\\u", "\\U"].contains(sequence),
        escape, "'\(sequence)' begins the number of a character",
        "write 4 hexadecimal digits after \\u, 8 after \\U, or \\\\ for a backslash"),
      Row(
        isEscape,
        escape, "'\(sequence)' is not an escape sequence",
        "write \\\\ for a backslash, or the text between apostrophes: 'C:\\fonts'"),
    ]
  }

  private var atLineStart: [Row] {
    let whole = String(line(end.line).dropFirst(end.column))
    let text = rest(from: end)
    func begins(_ words: String...) -> Bool { words.contains { whole.hasPrefix($0) } }
    return [
      Row(begins(";", "//", "--", "/*"), end, "comments begin with #"),
      Row(
        begins("<<<<<<<", ">>>>>>>", "======="),
        end, "a marker of a merge conflict", "keep one of the two versions and delete the markers"),
      Row(text.hasPrefix("="), end, "the key before the '=' is missing"),
      Row(isCurly(text), end, "the key is in curly quotes", "keys need no quotes"),
      Row(
        true,
        end, "\(String(text.prefix(24)).quoted) is neither a key, a [table] nor a # comment",
        "write KEY = VALUE"),
    ]
  }

  private var inHeader: [Row] {
    let text = rest(from: scan.start)
    let (opening, closing) = text.hasPrefix("[[") ? ("[[", "]]") : ("[", "]")
    let name = text.filter { !"[]".contains($0) }
    let plain = Self.trimmed(name).withoutControls
    let words = plain.split(separator: " ")
    let isWord = here.map { $0.properties.isAlphabetic || $0.properties.numericType != nil } ?? false
    let written = words.joined(separator: " ")
    return [
      Row(
        SyntaxScan.path(Array(name.unicodeScalars)).contains(""),
        scan.start, "a table's name is missing", "write \(advice.headers)"),
      Row(
        here == nil,
        scan.start, "the '\(opening)' has no '\(closing)'", "write \(opening)\(plain.prefix(48))\(closing)"),
      Row(
        isWord && words.count > 1 && opening == "[",
        end, "a space in the table's name [\(written.prefix(48))]",
        advice.header(written) ?? "write [\(words.joined(separator: "-").prefix(48))]"),
      Row(true, end, "\(hereQuoted) in a table's name", Self.names),
    ]
  }

  private var inKey: [Row] {
    let first = scan.brackets.isEmpty ? scan.start : scan.token ?? end
    let text = line(first.line).dropFirst(first.column)
    let name = Self.trimmed(String(text.prefix { !" \t:=\"'#".unicodeScalars.contains($0) }))
    let words = Self.trimmed(String(text.prefix { $0 != "=" && $0 != "#" }))
    let isInTable = scan.brackets.last?.opening == "{"
    let value = rest(from: end)
    let isValue = here.map { "\"'[".unicodeScalars.contains($0) || $0.properties.numericType != nil } ?? false
    func write(_ value: String) -> String { "write \(name.withoutControls.prefix(32)) = \(value)" }
    return [
      Row(isInTable && here == nil, unclosed),
      Row(isInTable && here == "}", end, "unexpected ',' before the '}'"),
      Row(here == nil, first, "\(name.quoted) has neither '=' nor a value", write("…")),
      Row(here == ":", end, "a ':' after \(name.quoted)", "write '=' instead"),
      Row(
        isValue,
        end, "the '=' after \(name.quoted) is missing", write(String(value.withoutControls.prefix(48)))),
      Row(
        here?.isASCII == false,
        end, "\(hereQuoted) in a key", "keys are letters from a to z, digits, '-' and '_'"),
      Row(
        value.contains("="),
        first, "\(words.quoted) is not a key",
        "a key is one word: \(words.split(separator: " ").joined(separator: "-").withoutControls.prefix(48))"),
      Row(true, end, "the '=' after \(name.quoted) is missing", write(Self.quoted(value))),
    ]
  }

  private func inValue(at point: Point) -> [Row] {
    let isInside = !scan.brackets.isEmpty
    let isNewLine = scan.brackets.first.map { point.line > $0.start.line } ?? false
    var text = rest(from: point)
    let isMissing = text.isEmpty
    if isInside { text = Self.trimmed(String(text.prefix { !",]}".contains($0) })) }
    return [
      Row(here == "=" && scan.mode == .value, point, "there are two '='", "write one '='"),
      Row(isInside && (isNewLine || here == nil), unclosed),
      Row(isMissing, missingValue(at: point)),
      Row(text.isEmpty && here == ",", end, "unexpected ','"),
      Row(isCurly(text), point, "the text is in curly quotes", "use straight quotes: \(Self.quoted(text))"),
      Row(!text.isEmpty, first(word(text, at: point))),
    ]
  }

  private func missingValue(at point: Point) -> SyntaxError {
    let comment = line(point.line).dropFirst(point.column).drop { $0 == " " || $0 == "\t" }
    let what = "\(scan.key.quoted) has no value"
    guard comment.first == "#" else { return SyntaxError(at: point, what, "write it after the '='") }
    let word = String(comment.dropFirst().prefix { $0 != " " && $0 != "\t" })
    let isColor = [3, 6].contains(word.count) && word.allSatisfy(\.isHexDigit)
    return SyntaxError(
      at: Point(line: point.line, column: line(point.line).count - comment.count),
      "\(what), because # begins a comment",
      isColor ? "write \"#\(word)\"" : "write it between the '=' and the '#'")
  }

  /// The mistakes of a word that is not a value.
  private func word(_ text: String, at point: Point) -> [Row] {
    let lower = text.lowercased()
    let last = Point(line: point.line, column: point.column + text.unicodeScalars.count - 1)
    let hasDigits = text.contains(where: \.isNumber)
    func consists(of signs: String) -> Bool { text.allSatisfy { $0.isNumber || signs.contains($0) } }
    func isNot(_ hint: String, _ what: String = "a value") -> SyntaxError {
      SyntaxError(at: point, "\(text.quoted) is not \(what)", hint)
    }
    return [
      Row(
        text.count > 1 && (text.hasSuffix(";") || text.hasSuffix(",")),
        last, "\(String(text.suffix(1)).quoted) at the end of a line", "leave it out"),
      Row(["true", "false"].contains(lower), isNot("write \(lower)")),
      Row(["yes", "no", "on", "off"].contains(lower), isNot("write true or false")),
      Row(
        ["null", "nil", "none"].contains(lower), isNot("leave the key out, or write \(Self.quoted(text))")),
      Row(says("64 bits"), point, "the number is too large"),
      Row(
        hasDigits && text.contains(":") && consists(of: ":"),
        isNot(advice.values[scan.key] ?? "a time goes in quotes: \(Self.quoted(text))")),
      Row(
        hasDigits && consists(of: ".,"),
        isNot(
          Self.number(text).map { "write \($0)" } ?? "text goes in quotes: \(Self.quoted(text))", "a number")),
      Row(true, isNot("text goes in quotes: \(Self.quoted(text))")),
    ]
  }

  /// A number without leading zeros, with digits on both sides of a point; nil for several points.
  private static func number(_ text: String) -> String? {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
    guard parts.count <= 2 else { return nil }
    let whole = parts[0].drop { $0 == "0" }
    let fraction = parts.dropFirst().map { ".\($0.isEmpty ? "0" : $0)" }.joined()
    return "\(whole.isEmpty ? "0" : whole)\(fraction)"
  }

  private var afterValue: [Row] {
    let extra = rest(from: end)
    guard scan.brackets.isEmpty else {
      let found = String(extra.prefix { !",]} ".contains($0) })
      let comma = SyntaxError(
        at: end, "a comma is missing before \(found.quoted)",
        "values and keys between brackets are separated by commas")
      return [Row(true, unclosed), Row(here != nil, comma)]
    }
    guard let next = extra.first else { return [] }
    let isHeader = scan.definitions.last.map { $0.header != nil && $0.point == scan.token } ?? false
    let token = scan.token.flatMap { $0.line == end.line ? $0 : nil }
    let value = token.map { line($0.line)[$0.column] }
    let isBare = value.map { !"\"'[{".unicodeScalars.contains($0) } ?? false
    return [
      Row(isHeader && next != "]", end, "\(extra.quoted) after a table's header", Self.ownLine),
      Row("]})".contains(next), end, "unexpected \(String(next).quoted)"),
      Row(extra == "," || extra == ";", end, "\(extra.quoted) at the end of a line", "leave it out"),
      Row(
        value != nil && extra.contains("="),
        end, "there is a second key on this line", "begin a new line before \(extra.quoted)"),
      Row(isBare, token.flatMap { first(word(rest(from: $0), at: $0)) }),
      Row(
        value == "\"",
        end, "\(extra.quoted) after the closing \"",
        "a quote inside a text is written \\\", and a key has only one value"),
      Row(value != nil, end, "\(extra.quoted) after the value", Self.ownLine),
    ]
  }

  /// The mistake that an array or an inline table is not closed; nil if it may be closed after the point
  /// where the parser stopped.
  private var unclosed: SyntaxError? {
    guard let bracket = scan.brackets.last else { return nil }
    if bracket.opening == "{", here == nil {
      return SyntaxError(
        at: bracket.start, "the '{' in column \(bracket.start.column + 1) has no '}' on its line")
    }
    func error(_ bracket: SyntaxScan.Bracket) -> SyntaxError {
      SyntaxError(
        at: bracket.start,
        "the '\(bracket.opening)' in line \(bracket.start.line + 1) has no '\(bracket.opening == "[" ? "]" : "}")'"
      )
    }
    let next = Self.trimmed(String(line(end.line)))
    // A table's header that was read as a value of the array above it.
    if scan.brackets.count > 1, next.hasPrefix("["), next.dropFirst().first?.isLetter == true {
      return error(scan.brackets[scan.brackets.count - 2])
    }
    let isAtEnd =
      line(end.line).dropFirst(end.column).isEmpty
      && scan.lines.dropFirst(end.line + 1).allSatisfy { $0.allSatisfy(\.properties.isWhitespace) }
    let isStatement =
      end.line > bracket.start.line
      && (next.hasPrefix("[") || next.prefix { $0 != "\"" && $0 != "'" }.contains("="))
    return isAtEnd || isStatement ? error(bracket) : nil
  }

  // MARK: Keys and tables that occur twice

  private var redefinition: SyntaxError? {
    guard scan.brackets.isEmpty else {
      return SyntaxError(at: end, "a key occurs twice in one table", "remove one of the two")
    }
    let text = rest(from: Point(line: end.line, column: 0))
    // The parser stops before a header, and after a key.
    if text.hasPrefix("[") {
      let name = text.filter { !"[]".contains($0) }
      let path = SyntaxScan.path(Array(name.unicodeScalars))
      return twice(SyntaxScan.Definition(path: path, point: end, header: text))
    }
    return scan.definitions.last.flatMap { $0.point.line == end.line ? twice($0) : nil }
  }

  private func twice(_ new: SyntaxScan.Definition) -> SyntaxError? {
    let old = scan.firstDefinition { $0.path.starts(with: new.path) && $0.point != new.point }
    guard let old else { return nil }
    let holdsKeys = says("existing table") || says("existing array")
    let name = old.path == new.path ? old.header?.withoutControls : nil
    return SyntaxError(
      at: new.point,
      "\(name ?? new.path.joined(separator: ".").quoted) is already \(name == nil ? "set " : "")in line "
        + "\(old.point.line + 1)",
      holdsKeys && new.header != nil ? "put its keys there" : "remove one of the two")
  }
}

// MARK: Parts of the text and of messages

extension SyntaxExplanation {
  private static let names = "names are letters from a to z, digits, '-' and '_'"
  private static let ownLine = "write it on a line of its own"
  private static let curlyQuotes: Set<Unicode.Scalar> = [
    "“", "”", "„", "‟", "‘", "’", "‚", "«", "»", "″", "`", "´",
  ]

  /// Whether the parser's message contains these words.
  private func says(_ words: String) -> Bool { strstr(message, words) != nil }

  private func line(_ number: Int) -> [Unicode.Scalar] {
    scan.lines.indices.contains(number) ? scan.lines[number] : []
  }

  /// The character at which the parser stopped; nil: it stopped at the end of a line.
  private var here: Unicode.Scalar? { line(end.line).dropFirst(end.column).first }

  private var hereQuoted: String { String(here.map { [$0] } ?? []).quoted }

  /// The rest of a line, without a comment and without blanks at its ends.
  private func rest(from point: Point) -> String {
    Self.trimmed(String(line(point.line).dropFirst(point.column).prefix { $0 != "#" }))
  }

  private func isCurly(_ text: String) -> Bool {
    text.unicodeScalars.first.map(Self.curlyQuotes.contains) ?? false
  }

  private static func trimmed(_ text: String) -> String {
    let start = text.drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...last])
  }

  /// A text in straight quotes, without the quotes and backslashes in it, cut after 48 characters.
  private static func quoted(_ text: String) -> String {
    let inner = String(text.unicodeScalars.filter { !curlyQuotes.contains($0) && $0 != "\"" && $0 != "\\" })
    let cut = inner.prefix(48)
    return "\"\(String(cut).withoutControls)\(cut.endIndex == inner.endIndex ? "" : "…")\""
  }
}

extension SyntaxError {
  fileprivate init(at point: SyntaxScan.Point, _ message: String, _ hint: String? = nil) {
    self.init(line: point.line + 1, column: point.column + 1, message: message, hint: hint)
  }

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
