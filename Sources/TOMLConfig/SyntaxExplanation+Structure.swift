// SPDX-License-Identifier: Apache-2.0

/// Mistakes after values, in keys and in headers.
extension SyntaxExplanation {
  var afterValue: SyntaxError? {
    if !scan.brackets.isEmpty { return unclosed() ?? missingComma }
    let extra = rest(from: end)
    guard let first = extra.first else { return nil }
    if let header = scan.definitions.last, header.header != nil, header.point == scan.token {
      if first == "]" { return at(end, "there is a ']' too many") }
      return at(end, "\(extra.quoted) after a table's header", hint: "write it on a line of its own")
    }
    if "]})".contains(first) { return at(end, "there is a \(String(first).quoted) too many") }
    if extra == "," || extra == ";" {
      return at(end, "\(extra.quoted) at the end of a line", hint: "leave it out")
    }
    guard let token = scan.token, token.line == end.line else { return nil }
    let value = line(token.line)[token.column]
    if value != "\"" && value != "'" && value != "[" && value != "{" {
      if extra.contains("=") { return secondKey }
      return explain(word: rest(from: token), at: token)
    }
    if extra.contains("=") { return secondKey }
    if value == "\"" {
      return at(
        end, "\(extra.quoted) after the closing \"",
        hint: "a quote inside a text is written \\\", and one '=' takes one text")
    }
    return at(end, "\(extra.quoted) after the value", hint: "write it on a line of its own")
  }

  var secondKey: SyntaxError {
    at(end, "there is a second key on this line", hint: "begin a new line before \(rest(from: end).quoted)")
  }

  var missingComma: SyntaxError? {
    guard here != nil else { return nil }
    let found = String(rest(from: end).prefix { !",]} ".contains($0) })
    return at(
      end, "a comma is missing before \(found.quoted)",
      hint: "values and keys between brackets are separated by commas")
  }

  /// The error if an open array or inline table is not closed; nil if it may be closed after the point where the parser
  /// stopped.
  func unclosed() -> SyntaxError? {
    guard let bracket = scan.brackets.last else { return nil }
    let closing = bracket.opening == "[" ? "]" : "}"
    if bracket.opening == "{", here == nil {
      return at(
        bracket.start, "the '{' in column \(bracket.start.column + 1) has no '}' on its line")
    }
    let isAtEnd =
      scan.lines.dropFirst(end.line).first?.dropFirst(end.column).isEmpty ?? true
      && scan.lines.dropFirst(end.line + 1).allSatisfy { Self.trimmed(String($0)).isEmpty }
    let next = Self.trimmed(String(line(end.line)))
    // A table's header that was read as a value of the array above it.
    if scan.brackets.count > 1, next.hasPrefix("["), next.dropFirst().first?.isLetter == true {
      let outer = scan.brackets[scan.brackets.count - 2]
      return at(
        outer.start,
        "the '\(outer.opening)' in line \(outer.start.line + 1) has no '\(outer.opening == "[" ? "]" : "}")'")
    }
    let isStatement =
      end.line > bracket.start.line
      && (next.hasPrefix("[") || next.prefix { $0 != "\"" && $0 != "'" }.contains("="))
    guard isAtEnd || isStatement || end.line >= scan.lines.count else { return nil }
    return at(
      bracket.start, "the '\(bracket.opening)' in line \(bracket.start.line + 1) has no '\(closing)'")
  }

  var atLineStart: SyntaxError? {
    let text = rest(from: end)
    let whole = String(line(end.line).dropFirst(end.column))
    if whole.hasPrefix(";") || whole.hasPrefix("//") || whole.hasPrefix("--") || whole.hasPrefix("/*") {
      return at(end, "comments begin with #")
    }
    if whole.hasPrefix("<<<<<<<") || whole.hasPrefix(">>>>>>>") || whole.hasPrefix("=======") {
      return at(
        end, "a marker of a merge conflict", hint: "keep one of the two versions and delete the markers")
    }
    if text.hasPrefix("=") { return at(end, "the key before the '=' is missing") }
    if let first = text.unicodeScalars.first, Self.curlyQuotes.contains(first) {
      return at(end, "the key is in curly quotes", hint: "keys need no quotes")
    }
    return at(
      end, "\(String(text.prefix(24)).quoted) is neither a key, a [table] nor a # comment",
      hint: "write KEY = VALUE")
  }

  var inHeader: SyntaxError? {
    let text = rest(from: scan.start)
    let isArray = text.hasPrefix("[[")
    let name = text.filter { !"[]".contains($0) }
    let parts = SyntaxScan.path(Array(name.unicodeScalars))
    guard !parts.contains("") else {
      return at(scan.start, "a table's name is missing", hint: "write \(advice.headers)")
    }
    if here == nil {
      let closing = isArray ? "]]" : "]"
      return at(
        scan.start, "the '\(isArray ? "[[" : "[")' has no '\(closing)'",
        hint: "write \(isArray ? "[[" : "[")\(Self.trimmed(name).withoutControls.prefix(48))\(closing)")
    }
    let words = name.withoutControls.split(separator: " ")
    if let here, here.properties.isAlphabetic || here.properties.numericType != nil, words.count > 1, !isArray
    {
      let written = words.joined(separator: " ")
      let hint = advice.header(written) ?? "write [\(words.joined(separator: "-").prefix(48))]"
      return at(end, "a space in the table's name [\(written.prefix(48))]", hint: hint)
    }
    return at(
      end, "\(String(here.map { [$0] } ?? []).quoted) in a table's name",
      hint: "names are letters from a to z, digits, '-' and '_'")
  }

  var inKey: SyntaxError? {
    if scan.brackets.last?.opening == "{" {
      if let error = here == nil ? unclosed() : nil { return error }
      if here == "}" { return at(end, "there is a comma too many before the '}'") }
    }
    let first = scan.brackets.isEmpty ? scan.start : scan.token ?? end
    let text = line(first.line).dropFirst(first.column)
    let name = Self.trimmed(String(text.prefix { !" \t:=\"'#".unicodeScalars.contains($0) }))
    guard let here else {
      return at(
        first, "\(name.quoted) has neither '=' nor a value",
        hint: "write \(name.withoutControls.prefix(32)) = …")
    }
    if here == ":" { return at(end, "a ':' after \(name.quoted)", hint: "write '=' instead") }
    if here == "\"" || here == "'" || here.properties.numericType != nil || here == "[" {
      return at(
        end, "the '=' after \(name.quoted) is missing",
        hint: "write \(name.withoutControls.prefix(32)) = \(rest(from: end).withoutControls.prefix(48))")
    }
    if !here.isASCII {
      return at(
        end, "\(String([here]).quoted) in a key", hint: "keys are letters from a to z, digits, '-' and '_'")
    }
    let words = Self.trimmed(String(text.prefix { $0 != "=" && $0 != "#" }))
    if rest(from: end).contains("=") {
      let joined = words.split(separator: " ").joined(separator: "-")
      return at(
        first, "\(words.quoted) is not a key", hint: "a key is one word: \(joined.withoutControls.prefix(48))"
      )
    }
    return at(
      end, "the '=' after \(name.quoted) is missing",
      hint: "write \(name.withoutControls.prefix(32)) = \(Self.quoted(rest(from: end)))")
  }
}
