// SPDX-License-Identifier: Apache-2.0

import CTOML

/// Why a text is no TOML.
struct SyntaxError: Error {
  var line: Int
  var column: Int
  var message: String
  var hint: String?
}

extension Node {
  /// Parses a whole file. `file` goes into the locations.
  ///
  /// The bytes are checked to be UTF-8 text first, so that the message names the byte; a byte order mark is
  /// passed over.
  static func parse(_ bytes: [UInt8], file: Int) throws(SyntaxError) -> Node {
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
      // What the shim says by itself is clear enough.
      guard message.hasPrefix("Error while parsing ") else {
        throw SyntaxError(line: line, column: column, message: sentence(message))
      }
      throw .explaining(sentence(message), line: line, column: column, in: lines(text))
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

  /// toml++ repeats its whole breadcrumb; the position says the same, so only the cause is kept.
  private static func sentence(_ message: String) -> String {
    var text = message.withoutControls
    if text.hasPrefix("Error while parsing "), let colon = text.firstRange(of: ": ") {
      text = String(text[colon.upperBound...])
    }
    if text.hasSuffix(".") { text.removeLast() }
    return text.isEmpty ? "no valid TOML" : String(text.prefix(300))
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
