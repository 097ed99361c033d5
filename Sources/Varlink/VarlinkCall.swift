// SPDX-License-Identifier: Apache-2.0

import JSON

/// A client's message is not a Varlink call.
package struct ProtocolViolation: Error, Hashable, Sendable {
  package let reason: String

  package init(reason: String) { self.reason = reason }
}

/// One method call (https://varlink.org/Method-Call).
package struct VarlinkCall: Hashable, Sendable {
  /// Fully qualified, e.g. `org.flipclock.Control.SetScore`.
  package var method: String
  package var parameters: [String: JSONValue]
  /// Whether the caller expects no reply, not even an error.
  package var oneway: Bool
  /// Whether the caller accepts several replies.
  package var more: Bool

  package init(
    method: String, parameters: [String: JSONValue] = [:], oneway: Bool = false, more: Bool = false
  ) {
    self.method = method
    self.parameters = parameters
    self.oneway = oneway
    self.more = more
  }

  /// Reads a message without its NUL. Absent, null and empty parameters are the same.
  package init(reading message: [UInt8]) throws(ProtocolViolation) {
    let value: JSONValue
    do { value = try JSONReader.read(message) } catch {
      throw ProtocolViolation(reason: "the message is not JSON: \(error)")
    }
    guard case .object(let members) = value else {
      throw ProtocolViolation(reason: "the message is not a JSON object")
    }
    guard let method = members["method"]?.string else {
      throw ProtocolViolation(reason: "the call has no 'method' string")
    }
    self.init(method: method)
    // An unknown member may change the meaning of the call, as 'upgrade' does, so it is not ignored.
    for (name, value) in members {
      switch (name, value) {
      case ("method", _), ("parameters", .null): break
      case ("parameters", .object(let parameters)): self.parameters = parameters
      case ("oneway", .bool(let flag)): oneway = flag
      case ("more", .bool(let flag)): more = flag
      case ("upgrade", .bool(false)): break
      case ("upgrade", .bool(true)): throw ProtocolViolation(reason: "'upgrade' is not offered")
      case ("parameters", _): throw ProtocolViolation(reason: "'parameters' is not an object")
      case ("oneway", _), ("more", _), ("upgrade", _):
        throw ProtocolViolation(reason: "'\(name)' is neither true nor false")
      default: throw ProtocolViolation(reason: "the call has an unknown member '\(name)'")
      }
    }
    if oneway && more { throw ProtocolViolation(reason: "a call is either 'oneway' or 'more'") }
  }

  /// The part of the method before its last dot, e.g. `org.flipclock.Control`.
  package var interface: String {
    method.lastIndex(of: ".").map { String(method[..<$0]) } ?? ""
  }

  /// The part of the method after its last dot, e.g. `SetScore`.
  package var member: String {
    method.lastIndex(of: ".").map { String(method[method.index(after: $0)...]) } ?? method
  }

  /// The JSON text of the call, without the NUL that ends it.
  package var message: [UInt8] {
    var members: [String: JSONValue] = ["method": .string(method)]
    if !parameters.isEmpty { members["parameters"] = .object(parameters) }
    if oneway { members["oneway"] = .bool(true) }
    if more { members["more"] = .bool(true) }
    return JSONValue.object(members).bytes
  }
}

/// One reply (https://varlink.org/Method-Call), ready to be sent.
package struct VarlinkReply: Hashable, Sendable {
  /// The JSON text, without the NUL that ends it.
  package let message: [UInt8]
  /// Whether further replies to the same call follow.
  package let continues: Bool

  /// The method succeeded.
  package static func returning(
    _ parameters: [String: JSONValue], continues: Bool = false
  ) -> VarlinkReply {
    var members: [String: JSONValue] = ["parameters": .object(parameters)]
    if continues { members["continues"] = .bool(true) }
    return VarlinkReply(message: JSONValue.object(members).bytes, continues: continues)
  }

  package static func failing(_ error: VarlinkError) -> VarlinkReply {
    var members: [String: JSONValue] = ["error": .string(error.name)]
    if !error.parameters.isEmpty { members["parameters"] = .object(error.parameters) }
    return VarlinkReply(message: JSONValue.object(members).bytes, continues: false)
  }
}
