// SPDX-License-Identifier: Apache-2.0

/// A JSON text as a value. Object members have no order; a key occurs once.
public enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  /// A number written without fraction and exponent that fits.
  case integer(Int64)
  /// Any other number; always finite.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// The member `name`, if this is an object that has it.
  public subscript(name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  public var array: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  public var object: [String: JSONValue]? {
    if case .object(let value) = self { value } else { nil }
  }

  /// The whole number, exactly: JSON does not tell 7 from 7.0 or 7e0, so each is 7. 7.5 is nil, and so is
  /// what does not fit; beyond 2⁵³ a double no longer says which whole number was meant.
  public var integer: Int? {
    switch self {
    case .integer(let value): Int(exactly: value)
    case .number(let value) where abs(value) <= 0x1p53: Int(exactly: value)
    default: nil
    }
  }
}

extension JSONValue: Encodable {
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let value): try value.encode(to: encoder)
    case .integer(let value): try value.encode(to: encoder)
    case .number(let value): try value.encode(to: encoder)
    case .string(let value): try value.encode(to: encoder)
    case .array(let values):
      var container = encoder.unkeyedContainer()
      for value in values { try container.encode(value) }
    case .object(let members):
      var container = encoder.container(keyedBy: Key.self)
      for (name, value) in members { try container.encode(value, forKey: Key(stringValue: name)) }
    }
  }
}

extension JSONValue {
  /// The JSON text on one line, members sorted.
  public var text: String {
    (try? wireText(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }
}
