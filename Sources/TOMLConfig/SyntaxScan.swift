// SPDX-License-Identifier: Apache-2.0

/// What a TOML parser was reading when it stopped. Found by a simple scan of the text before that point, which is
/// known to be well-formed.
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
    for line in lines.indices.prefix(end.line + 1) {
      if line > 0 { endLine() }
      read(line, limit: line == end.line ? min(end.column, lines[line].count) : lines[line].count)
    }
  }

  private mutating func endLine() {
    if let string, !string.isMultiLine { self.string = nil }
    guard string == nil else { return }
    if mode == .bare { mode = .afterValue }
    if brackets.isEmpty { mode = .statement }
  }

  private mutating func read(_ line: Int, limit: Int) {
    let text = lines[line]
    var column = 0
    while column < limit {
      let scalar = text[column]
      let point = Point(line: line, column: column)
      if let string {
        if string.quote == "\"", scalar == "\\" {
          column += 2
          continue
        }
        guard scalar == string.quote else {
          column += 1
          continue
        }
        let isTriple = text[column...].prefix(3).elementsEqual([scalar, scalar, scalar])
        if !string.isMultiLine || isTriple {
          self.string = nil
          if mode == .value { mode = .afterValue }
          column += string.isMultiLine ? 3 : 1
          // A string of several lines may end with up to two quotes of its own.
          while string.isMultiLine, column < limit, text[column] == scalar { column += 1 }
        } else {
          column += 1
        }
        continue
      }
      if scalar == "#", mode != .header { return }
      column += step(scalar, point, text)
    }
  }

  /// Reads one character, or three quotes, outside of strings. Returns the number of characters.
  private mutating func step(_ scalar: Unicode.Scalar, _ point: Point, _ text: [Unicode.Scalar]) -> Int {
    let isBlank = scalar == " " || scalar == "\t"
    switch mode {
    case .statement:
      if isBlank { return 1 }
      start = point
      keyText = [scalar]
      mode = scalar == "[" ? .header : .key
      if scalar == "\"" || scalar == "'" {
        string = OpenString(quote: scalar, isMultiLine: false, start: point)
      }
    case .header:
      keyText.append(scalar)
      if scalar == "]" { endHeader(text) }
    case .key:
      if scalar == "}" {
        close(scalar)
      } else if scalar == "=" {
        endKey(point)
      } else {
        if keyText.isEmpty, !isBlank { token = point }
        keyText.append(scalar)
        if scalar == "\"" || scalar == "'" {
          string = OpenString(quote: scalar, isMultiLine: false, start: point)
        }
      }
    case .value where isBlank: break
    case .value:
      if scalar == "]" || scalar == "}" {
        close(scalar)
      } else if scalar == "\"" || scalar == "'" {
        token = point
        let isTriple = text[point.column...].prefix(3).elementsEqual([scalar, scalar, scalar])
        string = OpenString(quote: scalar, isMultiLine: isTriple, start: point)
        return isTriple ? 3 : 1
      } else if scalar == "[" || scalar == "{" {
        token = point
        brackets.append(Bracket(opening: scalar, start: point))
        mode = scalar == "[" ? .value : .key
        keyText = []
      } else if scalar != "," {
        token = point
        mode = .bare
      }
    case .bare, .afterValue:
      if scalar == ",", let last = brackets.last {
        mode = last.opening == "[" ? .value : .key
        keyText = []
      } else if scalar == "]" || scalar == "}" {
        close(scalar)
      } else if isBlank {
        mode = .afterValue
      }
    }
    return 1
  }

  private mutating func close(_ scalar: Unicode.Scalar) {
    guard let last = brackets.last, last.opening == (scalar == "]" ? "[" : "{") else { return }
    brackets.removeLast()
    token = last.start
    mode = .afterValue
  }

  private mutating func endKey(_ point: Point) {
    mode = .value
    token = nil
    let path = Self.path(keyText)
    key = path.last ?? ""
    if brackets.isEmpty { definitions.append(Definition(path: table + path, point: start)) }
  }

  private mutating func endHeader(_ text: [Unicode.Scalar]) {
    let isArray = keyText.starts(with: ["[", "["])
    guard !isArray || keyText.suffix(2) == ["]", "]"] else { return }
    table = Self.path(keyText.filter { $0 != "[" && $0 != "]" })
    if isArray { arrayTables[table] = definitions.count }
    definitions.append(Definition(path: table, point: start, header: String(keyText)))
    mode = .afterValue
    token = start
  }

  /// The first definition that satisfies the condition. Keys of earlier tables of an array are skipped, because every
  /// table of an array begins without keys.
  ///
  /// Those keys stay in `definitions`, because removing them whenever a table begins would take time proportional to
  /// the square of the number of tables.
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
