// SPDX-License-Identifier: Apache-2.0

/// A place in one of the files that were read.
struct Location: Hashable, Comparable {
  /// Which of the files, in the order they apply.
  var file: Int
  /// From 1.
  var line: Int
  /// From 1, in code points.
  var column: Int

  static func < (a: Location, b: Location) -> Bool {
    (a.file, a.line, a.column) < (b.file, b.line, b.column)
  }
}

/// A TOML value and where it stands.
struct Node {
  enum Value {
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

  struct Entry {
    var key: String
    var keyLocation: Location
    var value: Node
  }

  var value: Value
  var location: Location

  /// For messages: `an integer`.
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

  /// For messages: what was found, as it was written where that is short.
  var found: String {
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
