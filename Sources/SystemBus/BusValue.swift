// SPDX-License-Identifier: Apache-2.0

/// A value of D-Bus's type system (the D-Bus specification, "Type System").
package indirect enum BusValue: Hashable, Sendable {
  case boolean(Bool)
  case byte(UInt8)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(UInt64)
  case string(String)
  case path(String)
  case signature(String)
  /// An array of bytes (`ay`).
  case bytes([UInt8])
  /// - Parameter element: the signature of an element.
  case array(element: String, [BusValue])
  /// An array of dictionary entries, in their order.
  case dictionary(key: String, value: String, [Entry])
  case structure([BusValue])
  case variant(BusValue)

  package struct Entry: Hashable, Sendable {
    package var key: BusValue
    package var value: BusValue

    package init(_ key: BusValue, _ value: BusValue) {
      self.key = key
      self.value = value
    }
  }

  /// A dictionary of the type `a{sv}`.
  package static func properties(_ values: [String: BusValue]) -> BusValue {
    .dictionary(
      key: "s", value: "v",
      values.sorted { $0.key < $1.key }.map { Entry(.string($0.key), .variant($0.value)) })
  }

  /// The type, as in a signature.
  package var type: String {
    switch self {
    case .boolean: "b"
    case .byte: "y"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .path: "o"
    case .signature: "g"
    case .bytes: "ay"
    case .array(let element, _): "a" + element
    case .dictionary(let key, let value, _): "a{" + key + value + "}"
    case .structure(let members): "(" + members.map(\.type).joined() + ")"
    case .variant: "v"
    }
  }

  // MARK: Reading

  /// The value in a variant; any other value itself.
  package var content: BusValue {
    if case .variant(let value) = self { return value.content }
    return self
  }

  /// A string or an object path.
  package var text: String? {
    switch content {
    case .string(let text), .path(let text): text
    default: nil
    }
  }

  package var bool: Bool? {
    if case .boolean(let value) = content { return value }
    return nil
  }

  /// An integer of any type that fits.
  package var integer: Int? {
    switch content {
    case .byte(let value): Int(value)
    case .int16(let value): Int(value)
    case .uint16(let value): Int(value)
    case .int32(let value): Int(value)
    case .uint32(let value): Int(value)
    case .int64(let value): Int(exactly: value)
    case .uint64(let value): Int(exactly: value)
    default: nil
    }
  }

  package var bytes: [UInt8]? {
    if case .bytes(let bytes) = content { return bytes }
    return nil
  }

  package var elements: [BusValue]? {
    if case .array(_, let values) = content { return values }
    return nil
  }

  /// The values of a dictionary whose keys are strings or paths.
  package var members: [String: BusValue]? {
    guard case .dictionary(_, _, let entries) = content else { return nil }
    var members: [String: BusValue] = [:]
    for entry in entries {
      guard let key = entry.key.text else { return nil }
      members[key] = entry.value.content
    }
    return members
  }
}
