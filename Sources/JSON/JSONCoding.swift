// SPDX-License-Identifier: Apache-2.0

// `Codable` values as JSON values and back. Optional properties that are nil are left out.

extension JSONValue {
  /// Fails with `EncodingError` for NaN, an infinity and an integer beyond Int64.
  package init(encoding value: some Encodable) throws {
    let node = Node()
    try node.set(value, [])
    self = node.value
  }

  /// Fails with `DecodingError` where a member is missing or of another type. Members that `type` does not
  /// have are ignored.
  package func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
    try ValueDecoder(value: self, codingPath: []).decoded(as: type)
  }
}

// MARK: Encoding

/// A part of the value that is being built. Containers and the encoder share it.
private final class Node {
  private enum Content {
    case value(JSONValue)
    case array([Node])
    case object([String: Node])
  }

  private var content = Content.value(.null)

  var value: JSONValue {
    switch content {
    case .value(let value): value
    case .array(let nodes): .array(nodes.map(\.value))
    case .object(let nodes): .object(nodes.mapValues(\.value))
    }
  }

  var count: Int { if case .array(let nodes) = content { nodes.count } else { 0 } }

  func beginArray() { if case .array = content {} else { content = .array([]) } }
  func beginObject() { if case .object = content {} else { content = .object([:]) } }

  /// Appends a new element to this node, which is an array.
  func append() -> Node {
    let node = Node()
    if case .array(var nodes) = content {
      content = .value(.null)  // Releases the array, so that appending to `nodes` does not copy it.
      nodes.append(node)
      content = .array(nodes)
    }
    return node
  }

  /// Adds a new member to this node, which is an object.
  func member(_ name: String) -> Node {
    let node = Node()
    if case .object(var nodes) = content {
      content = .value(.null)
      nodes[name] = node
      content = .object(nodes)
    }
    return node
  }

  func set(_ value: some Encodable, _ path: [any CodingKey]) throws {
    func refuse() -> EncodingError {
      EncodingError.invalidValue(value, .init(codingPath: path, debugDescription: "no JSON number"))
    }
    switch value {
    case let value as Bool: content = .value(.bool(value))
    case let value as String: content = .value(.string(value))
    case let value as any BinaryInteger:
      guard let value = Int64(exactly: value) else { throw refuse() }
      content = .value(.integer(value))
    case let value as Double:
      guard value.isFinite else { throw refuse() }
      content = .value(.number(value))
    // Without this case, `Float.encode(to:)` and this function would call each other without end.
    case let value as Float: try set(Double(value), path)
    default: try value.encode(to: ValueEncoder(node: self, codingPath: path))
    }
  }
}

private struct ValueEncoder: Encoder, SingleValueEncodingContainer {
  let node: Node
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.beginObject()
    return KeyedEncodingContainer(ObjectEncoder<Key>(node: node, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.beginArray()
    return ArrayEncoder(node: node, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() {}
  func encode(_ value: some Encodable) throws { try node.set(value, codingPath) }
}

private struct ObjectEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: Node
  let codingPath: [any CodingKey]

  private func nested(_ key: any CodingKey) -> ValueEncoder {
    ValueEncoder(node: node.member(key.stringValue), codingPath: codingPath + [key])
  }

  func encodeNil(forKey key: Key) { _ = nested(key) }
  func encode(_ value: some Encodable, forKey key: Key) throws { try nested(key).encode(value) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    nested(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    nested(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { ValueEncoder(node: node, codingPath: codingPath) }
  func superEncoder(forKey key: Key) -> any Encoder { nested(key) }
}

private struct ArrayEncoder: UnkeyedEncodingContainer {
  let node: Node
  let codingPath: [any CodingKey]
  var count: Int { node.count }

  private func next() -> ValueEncoder { ValueEncoder(node: node.append(), codingPath: codingPath) }

  func encodeNil() { _ = next() }
  func encode(_ value: some Encodable) throws { try next().encode(value) }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    next().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }
  func superEncoder() -> any Encoder { next() }
}

// MARK: Decoding

private struct ValueDecoder: Decoder, SingleValueDecodingContainer {
  let value: JSONValue
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func mismatch(_ type: Any.Type) -> DecodingError {
    .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "not of this type"))
  }

  func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
    let plain: Any?
    if type == Bool.self {
      plain = value.bool
    } else if type == String.self {
      plain = value.string
    } else if let type = type as? any BinaryInteger.Type {
      plain = value.integer.flatMap { Self.exactly($0, type) }
    } else if type == Double.self {
      plain = number
    } else if type == Float.self {
      plain = number.map { Float($0) }.flatMap { $0.isFinite ? $0 : nil }
    } else {
      return try Value(from: self)
    }
    guard let result = plain as? Value else { throw mismatch(type) }
    return result
  }

  private var number: Double? {
    switch value {
    case .number(let number): number
    case .integer(let number): Double(number)
    default: nil
    }
  }

  private static func exactly<Number: BinaryInteger>(_ value: Int, _ type: Number.Type) -> Number? {
    Number(exactly: value)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard let members = value.object else { throw mismatch([String: JSONValue].self) }
    return KeyedDecodingContainer(ObjectDecoder<Key>(members: members, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let elements = value.array else { throw mismatch([JSONValue].self) }
    return ArrayDecoder(elements: elements, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { value == .null }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoded(as: type) }
}

private struct ObjectDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let members: [String: JSONValue]
  let codingPath: [any CodingKey]

  var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }
  func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

  private func nested(_ key: any CodingKey) throws -> ValueDecoder {
    guard let value = members[key.stringValue] else {
      throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "missing"))
    }
    return ValueDecoder(value: value, codingPath: codingPath + [key])
  }

  func decodeNil(forKey key: Key) throws -> Bool { try nested(key).decodeNil() }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try nested(key).decoded(as: type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try nested(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try nested(key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { ValueDecoder(value: .object(members), codingPath: codingPath) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try nested(key) }
}

private struct ArrayDecoder: UnkeyedDecodingContainer {
  let elements: [JSONValue]
  let codingPath: [any CodingKey]
  var currentIndex = 0

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  private mutating func next() throws -> ValueDecoder {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        JSONValue.self, .init(codingPath: codingPath, debugDescription: "the array has no more elements"))
    }
    defer { currentIndex += 1 }
    return ValueDecoder(value: elements[currentIndex], codingPath: codingPath)
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, elements[currentIndex] == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().decoded(as: type) }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try next().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder { try next() }
}
