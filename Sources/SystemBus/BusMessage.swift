// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc

/// An error reply, or an error of libsystemd.
package struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the D-Bus error, such as `org.freedesktop.DBus.Error.ServiceUnknown`.
  package var name: String
  package var message: String

  package init(name: String, message: String) {
    self.name = name
    self.message = message
  }

  /// - Parameter result: a negative errno.
  init(_ operation: String, _ result: Int32) {
    name = "org.freedesktop.DBus.Error.Failed"
    message = "\(operation): \(String(cString: strerror(-result)))"
  }

  package var description: String { message.isEmpty ? name : "\(message) (\(name))" }
}

/// Fails with a negative result of libsystemd.
@discardableResult
func checked(_ operation: String, _ result: Int32) throws(BusError) -> Int32 {
  guard result >= 0 else { throw BusError(operation, result) }
  return result
}

/// Values that are written to, and read from, a message of libsystemd.
enum BusMessage {
  // MARK: Writing

  /// Appends a value. The corresponding C functions are `sd_bus_message_append_basic` and
  /// `sd_bus_message_open_container`.
  static func append(_ value: BusValue, to message: OpaquePointer) throws(BusError) {
    func basic(_ type: Character, _ pointer: UnsafeRawPointer) -> Int32 {
      sd_bus_message_append_basic(message, CChar(type.asciiValue ?? 0), pointer)
    }
    func text(_ type: Character, _ text: String) -> Int32 { text.withCString { basic(type, $0) } }
    let result: Int32 =
      switch value {
      case .boolean(let value): withUnsafePointer(to: Int32(value ? 1 : 0)) { basic("b", $0) }
      case .byte(let value): withUnsafePointer(to: value) { basic("y", $0) }
      case .int16(let value): withUnsafePointer(to: value) { basic("n", $0) }
      case .uint16(let value): withUnsafePointer(to: value) { basic("q", $0) }
      case .int32(let value): withUnsafePointer(to: value) { basic("i", $0) }
      case .uint32(let value): withUnsafePointer(to: value) { basic("u", $0) }
      case .int64(let value): withUnsafePointer(to: value) { basic("x", $0) }
      case .uint64(let value): withUnsafePointer(to: value) { basic("t", $0) }
      case .double(let bits): withUnsafePointer(to: Double(bitPattern: bits)) { basic("d", $0) }
      case .string(let value): text("s", value)
      case .path(let value): text("o", value)
      case .signature(let value): text("g", value)
      case .bytes(let bytes):
        bytes.withUnsafeBytes { buffer in
          sd_bus_message_append_array(message, CChar(UInt8(ascii: "y")), buffer.baseAddress, buffer.count)
        }
      case .array, .dictionary, .structure, .variant: 0
      }
    try checked("append \(value.type)", result)
    switch value {
    case .array(let element, let values):
      try container("a", element, message) { () throws(BusError) in
        for value in values { try append(value, to: message) }
      }
    case .dictionary(let key, let type, let entries):
      try container("a", "{\(key)\(type)}", message) { () throws(BusError) in
        for entry in entries {
          try container("e", key + type, message) { () throws(BusError) in
            try append(entry.key, to: message)
            try append(entry.value, to: message)
          }
        }
      }
    case .structure(let members):
      try container("r", members.map(\.type).joined(), message) { () throws(BusError) in
        for member in members { try append(member, to: message) }
      }
    case .variant(let value):
      try container("v", value.type, message) { () throws(BusError) in try append(value, to: message) }
    default: break
    }
  }

  private static func container(
    _ kind: Character, _ contents: String, _ message: OpaquePointer, _ body: () throws(BusError) -> Void
  ) throws(BusError) {
    try checked(
      "open \(contents)", sd_bus_message_open_container(message, CChar(kind.asciiValue ?? 0), contents))
    try body()
    try checked("close \(contents)", sd_bus_message_close_container(message))
  }

  // MARK: Reading

  /// Reads all values that are left in a message or a container of it.
  static func values(of message: OpaquePointer) throws(BusError) -> [BusValue] {
    var values: [BusValue] = []
    while let value = try next(of: message) { values.append(value) }
    return values
  }

  /// Reads the next value; nil at the end. The corresponding C functions are `sd_bus_message_peek_type` and
  /// `sd_bus_message_read_basic`. libsystemd has checked the message, including the depth of its containers.
  private static func next(of message: OpaquePointer) throws(BusError) -> BusValue? {
    var type: CChar = 0
    var contentsPointer: UnsafePointer<CChar>?
    let result = sd_bus_message_peek_type(message, &type, &contentsPointer)
    guard try checked("peek", result) > 0 else { return nil }
    let contents = contentsPointer.map { String(cString: $0) } ?? ""
    func read<Value>(_ initial: Value) throws(BusError) -> Value {
      var value = initial
      try checked(
        "read", withUnsafeMutablePointer(to: &value) { sd_bus_message_read_basic(message, type, $0) })
      return value
    }
    func text() throws(BusError) -> String {
      let pointer = try read(UnsafePointer<CChar>?.none)
      return pointer.map { String(cString: $0) } ?? ""
    }
    switch Character(Unicode.Scalar(UInt8(bitPattern: type))) {
    case "b": return .boolean(try read(Int32(0)) != 0)
    case "y": return .byte(try read(UInt8(0)))
    case "n": return .int16(try read(Int16(0)))
    case "q": return .uint16(try read(UInt16(0)))
    case "i": return .int32(try read(Int32(0)))
    case "u": return .uint32(try read(UInt32(0)))
    case "x": return .int64(try read(Int64(0)))
    case "t": return .uint64(try read(UInt64(0)))
    case "d": return .double(try read(Double(0)).bitPattern)
    case "s": return .string(try text())
    case "o": return .path(try text())
    case "g": return .signature(try text())
    case "a" where contents == "y":
      var pointer: UnsafeRawPointer?
      var size = 0
      try checked(
        "read ay", sd_bus_message_read_array(message, CChar(UInt8(ascii: "y")), &pointer, &size))
      return .bytes(pointer.map { Array(UnsafeRawBufferPointer(start: $0, count: size)) } ?? [])
    case "a" where contents.utf8.first == UInt8(ascii: "{"):
      let entries = try inside("a", contents, message) { () throws(BusError) in
        try Self.entries(of: message, String(contents.dropFirst().dropLast()))
      }
      let types = contents.dropFirst().dropLast()
      return .dictionary(key: String(types.prefix(1)), value: String(types.dropFirst()), entries)
    case "a":
      return .array(element: contents, try inside("a", contents, message, read: values))
    case "r": return .structure(try inside("r", contents, message, read: values))
    case "v":
      let content = try inside("v", contents, message, read: values)
      guard let value = content.first else { throw BusError("read a variant", -EBADMSG) }
      return .variant(value)
    default:
      try checked("skip", sd_bus_message_skip(message, nil))
      return .structure([])
    }
  }

  private static func entries(
    of message: OpaquePointer, _ contents: String
  ) throws(BusError) -> [BusValue.Entry] {
    var entries: [BusValue.Entry] = []
    while true {
      let entered = try checked(
        "enter", sd_bus_message_enter_container(message, CChar(UInt8(ascii: "e")), contents))
      guard entered > 0 else { return entries }
      let pair = try values(of: message)
      guard pair.count == 2 else { throw BusError("read an entry", -EBADMSG) }
      entries.append(BusValue.Entry(pair[0], pair[1]))
      try checked("exit", sd_bus_message_exit_container(message))
    }
  }

  private static func inside<Content>(
    _ kind: Character, _ contents: String, _ message: OpaquePointer, body: () throws(BusError) -> Content
  ) throws(BusError) -> Content {
    try checked(
      "enter \(contents)", sd_bus_message_enter_container(message, CChar(kind.asciiValue ?? 0), contents))
    let content = try body()
    try checked("exit \(contents)", sd_bus_message_exit_container(message))
    return content
  }

  private static func inside(
    _ kind: Character, _ contents: String, _ message: OpaquePointer,
    read: (OpaquePointer) throws(BusError) -> [BusValue]
  ) throws(BusError) -> [BusValue] {
    try inside(kind, contents, message) { () throws(BusError) in try read(message) }
  }
}
