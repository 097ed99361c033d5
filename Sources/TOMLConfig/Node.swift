// SPDX-License-Identifier: Apache-2.0

import CTOML

/// A place in one of the files that were read.
package struct Location: Hashable, Comparable {
  /// The index of the file, in the order in which the files apply.
  var file: Int
  /// The line, from 1.
  var line: Int
  /// The column, from 1, in code points.
  var column: Int

  package static func < (a: Location, b: Location) -> Bool {
    (a.file, a.line, a.column) < (b.file, b.line, b.column)
  }

  /// Whether the file applies before that of `other`, which has precedence.
  package func isInFile(before other: Location) -> Bool { file < other.file }
}

/// A TOML value and its location.
package struct Node {
  package enum Value {
    case table([Entry])
    case array([Node])
    case string(String)
    case integer(Int64)
    case float(Double)
    case boolean(Bool)
    /// `2026-12-31`
    case date(String)
    case time
    /// `2026-12-31T23:59:59`, perhaps with a fraction and an offset.
    case dateTime(String)
  }

  package struct Entry {
    package var key: String
    package var keyLocation: Location
    package var value: Node
  }

  package var value: Value
  package var location: Location

  /// The entries of a table; empty for any other value.
  package var entries: [Entry] { if case .table(let entries) = value { entries } else { [] } }

  /// The elements of an array; empty for any other value.
  package var elements: [Node] { if case .array(let nodes) = value { nodes } else { [] } }

  package var string: String? { if case .string(let text) = value { text } else { nil } }

  /// The name of the type in messages, such as `an integer`.
  var typeName: String {
    switch value {
    case .table: "a table"
    case .array: "an array"
    case .string: "a string"
    case .integer: "an integer"
    case .float: "a number"
    case .boolean: "a boolean"
    case .date: "a date"
    case .time: "a time of day"
    case .dateTime: "a date and time"
    }
  }

  /// The value in messages, with its type; for a table, an array and a time of day only the type.
  package var found: String {
    switch value {
    case .string(let text): "the string \(text.quoted)"
    case .integer(let number): "the number \(number)"
    case .float(let number): "the number \(number)"
    case .boolean(let flag): "the boolean \(flag)"
    case .date(let text), .dateTime(let text): "\(typeName), \(text)"
    default: typeName
    }
  }
}

/// What the messages about mistakes in the syntax suggest for a certain config.
package struct SyntaxAdvice: Sendable {
  /// Examples of headers, for the message about a header without a name.
  package var headers: String
  /// Hints for keys whose values are often written in a wrong form, by key.
  package var values: [String: String]
  /// The hint for a header with spaces; nil: the header with hyphens is suggested.
  package var header: @Sendable (String) -> String?

  package init(
    headers: String = "[table]", values: [String: String] = [:],
    header: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.headers = headers
    self.values = values
    self.header = header
  }
}

/// Why a text is not TOML.
struct SyntaxError: Error {
  var line: Int
  var column: Int
  var message: String
  var hint: String?
}

extension Node {
  /// Parses a whole file. `file` is the file's index, for the locations.
  ///
  /// The bytes are first checked to be UTF-8 text, so that the error has the position of the wrong byte. A
  /// byte order mark is skipped.
  ///
  /// - Parameter advice: what to write for mistakes in the names and values of this config.
  static func parse(
    _ bytes: [UInt8], file: Int, advice: SyntaxAdvice = SyntaxAdvice()
  ) throws(SyntaxError) -> Node {
    let text = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes[3...] : bytes[...]
    try checkEncoding(text)
    let document = text.withUnsafeBytes { buffer in
      ctoml_parse(buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
    }
    guard let document else { throw SyntaxError(line: 1, column: 1, message: "out of memory") }
    defer { ctoml_free(document) }
    guard let root = ctoml_root(document) else {
      let position = ctoml_error_position(document)
      let message = String(ctoml_error_message(document))
      let (line, column) = (Int(position.line), Int(position.column))
      // A message without this prefix comes from the C wrapper of toml++, and needs no explanation.
      guard message.hasPrefix("Error while parsing ") else {
        throw SyntaxError(line: line, column: column, message: sentence(message))
      }
      throw .explaining(sentence(message), line: line, column: column, in: lines(text), advice)
    }
    return Node(root.pointee, file: file)
  }

  /// The lines without their ends.
  private static func lines(_ bytes: ArraySlice<UInt8>) -> [[Unicode.Scalar]] {
    bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
      Array(
        String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
          .unicodeScalars)
    }
  }

  /// toml++'s message without its full stop, and without the names of the enclosing elements, which the
  /// position makes redundant.
  private static func sentence(_ message: String) -> String {
    var text = message.withoutControls
    if text.hasPrefix("Error while parsing "), let colon = text.firstIndex(of: ":") {
      text = String(text[colon...].dropFirst(2))
    }
    if text.hasSuffix(".") { text.removeLast() }
    return text.isEmpty ? "not valid TOML" : String(text.prefix(300))
  }

  private static func checkEncoding(_ bytes: ArraySlice<UInt8>) throws(SyntaxError) {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    var line = 1
    var column = 1
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue("\0"):
        throw SyntaxError(
          line: line, column: column, message: "a NUL byte", hint: "a config file is plain text")
      case .scalarValue("\n"):
        line += 1
        column = 1
      case .scalarValue:
        column += 1
      case .emptyInput:
        return
      case .error:
        throw SyntaxError(
          line: line, column: column, message: "not UTF-8 text", hint: "save the file as UTF-8")
      }
    }
  }

  private init(_ node: ctoml_node, file: Int) {
    location = Location(file, node.position)
    switch node.kind {
    case CTOML_TABLE:
      value = .table(
        UnsafeBufferPointer(start: node.children, count: node.child_count).map { child in
          Entry(
            key: String(child.key), keyLocation: Location(file, child.key_position),
            value: Node(child, file: file))
        })
    case CTOML_ARRAY:
      value = .array(
        UnsafeBufferPointer(start: node.children, count: node.child_count).map { Node($0, file: file) })
    case CTOML_STRING: value = .string(String(node.string))
    case CTOML_INTEGER: value = .integer(node.integer)
    case CTOML_FLOAT: value = .float(node.number)
    case CTOML_BOOLEAN: value = .boolean(node.boolean)
    case CTOML_DATE: value = .date(String(node.string))
    case CTOML_TIME: value = .time
    default: value = .dateTime(String(node.string))
    }
  }
}

extension Location {
  fileprivate init(_ file: Int, _ position: ctoml_position) {
    self.init(file: file, line: Int(position.line), column: Int(position.column))
  }
}

extension String {
  fileprivate init(_ text: ctoml_text) {
    let bytes = UnsafeRawBufferPointer(start: text.bytes, count: text.length)
    self.init(decoding: bytes, as: UTF8.self)
  }
}
