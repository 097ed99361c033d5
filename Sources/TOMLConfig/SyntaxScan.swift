// SPDX-License-Identifier: Apache-2.0

/// What a TOML parser was reading when it stopped. Found by a simple scan of the text before that point,
/// which is known to be well-formed.
struct SyntaxScan {
  /// Line and column are counted from 0; columns in code points.
  struct Point: Hashable {
    var line: Int
    var column: Int
  }

  enum Mode {
    /// The parser is at the beginning of a line, outside of arrays and strings.
    case statement
    case key
    case header
    /// The parser is after `=`, or at a value of an array.
    case value
    /// The parser is inside a value that is neither a string, an array nor an inline table.
    case bare
    case afterValue
  }

  /// A table or key that the text defines.
  struct Definition {
    var path: [String]
    var point: Point
    /// The table's header as it is written, `[a]` or `[[a]]`; nil for a key.
    var header: String?
  }

  struct OpenString {
    var quote: Unicode.Scalar
    var isMultiLine: Bool
    var start: Point
  }

  /// An array or an inline table.
  struct Bracket {
    var opening: Unicode.Scalar
    var start: Point
  }

  private(set) var mode = Mode.statement
  /// The beginning of the statement's key or header.
  private(set) var start = Point(line: 0, column: 0)
  /// The beginning of what was read last or is being read: a value, a header, or a key of an inline table.
  private(set) var token: Point?
  /// The string that is open.
  private(set) var string: OpenString?
  /// The arrays and inline tables that are open, the innermost last.
  private(set) var brackets: [Bracket] = []
  private(set) var definitions: [Definition] = []
  /// The number of definitions before the last table of each array of tables, by the array's path.
  private var arrayTables: [[String]: Int] = [:]
  /// The last part of the key whose value is being read.
  private(set) var key = ""

  let lines: [[Unicode.Scalar]]
  private var table: [String] = []
  private var keyText: [Unicode.Scalar] = []

  /// Reads `lines` up to `end`, exclusive.
  init(_ lines: [[Unicode.Scalar]], to end: Point) {
    self.lines = lines
    for (number, text) in lines.prefix(end.line + 1).enumerated() {
      if number > 0 { endLine() }
      let limit = number == end.line ? min(end.column, text.count) : text.count
      var column = 0
      while column < limit {
        column += read(Point(line: number, column: column), text[column...], text[column..<limit])
      }
    }
  }

  private mutating func endLine() {
    if let string, !string.isMultiLine { self.string = nil }
    guard string == nil else { return }
    if mode == .bare { mode = .afterValue }
    if brackets.isEmpty { mode = .statement }
  }

  /// Reads one character, or several. Returns their number.
  ///
  /// - Parameters:
  ///   - rest: the rest of the line.
  ///   - text: the part of it before the point where the parser stopped.
  private mutating func read(
    _ point: Point, _ rest: ArraySlice<Unicode.Scalar>, _ text: ArraySlice<Unicode.Scalar>
  ) -> Int {
    let scalar = rest[point.column]
    let isTriple = rest.prefix(3).elementsEqual([scalar, scalar, scalar])
    if let string {
      if string.quote == "\"", scalar == "\\" { return 2 }
      guard scalar == string.quote, isTriple || !string.isMultiLine else { return 1 }
      self.string = nil
      if mode == .value { mode = .afterValue }
      // A string of several lines may end with up to two quotes of its own.
      return string.isMultiLine ? text.prefix { $0 == scalar }.count : 1
    }
    let isBlank = scalar == " " || scalar == "\t"
    let isQuote = scalar == "\"" || scalar == "'"
    switch (mode, scalar) {
    case (.header, _):
      keyText.append(scalar)
      if scalar == "]" { endHeader() }
    // A comment.
    case (_, "#"): return text.count
    case (.statement, _) where isBlank: break
    case (.statement, _):
      start = point
      keyText = [scalar]
      mode = scalar == "[" ? .header : .key
      if isQuote { open(scalar, at: point) }
    case (.key, "="): endKey()
    case (.key, let scalar) where scalar != "}":
      if keyText.isEmpty, !isBlank { token = point }
      keyText.append(scalar)
      if isQuote { open(scalar, at: point) }
    case (.value, _) where isBlank: break
    case (.key, _), (_, "]"), (_, "}"): close(scalar)
    case (.value, "["), (.value, "{"):
      token = point
      brackets.append(Bracket(opening: scalar, start: point))
      beginElement()
    case (.value, _) where isQuote:
      token = point
      open(scalar, isMultiLine: isTriple, at: point)
      return isTriple ? 3 : 1
    case (.value, ","): break
    case (.value, _):
      token = point
      mode = .bare
    case (.bare, ","), (.afterValue, ","): beginElement()
    case (.bare, _) where isBlank: mode = .afterValue
    case (.bare, _), (.afterValue, _): break
    }
    return 1
  }

  private mutating func open(_ quote: Unicode.Scalar, isMultiLine: Bool = false, at point: Point) {
    string = OpenString(quote: quote, isMultiLine: isMultiLine, start: point)
  }

  /// Begins an element of the innermost array, or a key of the innermost inline table.
  private mutating func beginElement() {
    guard let bracket = brackets.last else { return }
    mode = bracket.opening == "[" ? .value : .key
    keyText = []
  }

  private mutating func close(_ scalar: Unicode.Scalar) {
    guard let last = brackets.last, last.opening == (scalar == "]" ? "[" : "{") else { return }
    brackets.removeLast()
    token = last.start
    mode = .afterValue
  }

  private mutating func endKey() {
    mode = .value
    token = nil
    let path = Self.path(keyText)
    key = path.last ?? ""
    if brackets.isEmpty { definitions.append(Definition(path: table + path, point: start)) }
  }

  private mutating func endHeader() {
    let isArray = keyText.starts(with: ["[", "["])
    guard !isArray || keyText.suffix(2) == ["]", "]"] else { return }
    table = Self.path(keyText.filter { $0 != "[" && $0 != "]" })
    if isArray { arrayTables[table] = definitions.count }
    definitions.append(Definition(path: table, point: start, header: String(keyText)))
    mode = .afterValue
    token = start
  }

  /// The first definition that satisfies the condition. Keys of earlier tables of an array are skipped,
  /// because every table of an array begins without keys.
  ///
  /// Those keys stay in `definitions`, because removing them whenever a table begins would take time
  /// proportional to the square of the number of tables.
  func firstDefinition(where condition: (Definition) -> Bool) -> Definition? {
    let found = definitions.indices.first { index in
      let definition = definitions[index]
      guard condition(definition) else { return false }
      return definition.header != nil
        || !(0...definition.path.count).contains { count in
          arrayTables[Array(definition.path.prefix(count))].map { index < $0 } ?? false
        }
    }
    return found.map { definitions[$0] }
  }

  /// The parts of a key such as `teams."home"`.
  static func path(_ text: [Unicode.Scalar]) -> [String] {
    var parts: [String] = [""]
    var quote: Unicode.Scalar?
    for scalar in text {
      if let open = quote {
        if scalar == open { quote = nil } else { parts[parts.count - 1].unicodeScalars.append(scalar) }
      } else if scalar == "\"" || scalar == "'" {
        quote = scalar
      } else if scalar == "." {
        parts.append("")
      } else if scalar != " ", scalar != "\t" {
        parts[parts.count - 1].unicodeScalars.append(scalar)
      }
    }
    return parts
  }
}

extension String {
  init(_ scalars: some Sequence<Unicode.Scalar>) {
    self.init()
    unicodeScalars.append(contentsOf: scalars)
  }
}
