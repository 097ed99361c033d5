// SPDX-License-Identifier: Apache-2.0

/// A client broke the protocol: its message is not a Varlink call.
public struct ProtocolViolation: Error, Hashable, Sendable {
  public let reason: String
}

/// One method call as it came over the wire (https://varlink.org/Method-Call).
public struct VarlinkCall: Hashable, Sendable {
  /// Fully qualified, e.g. `org.flipclock.Control.SetScore`.
  public var method: String
  public var parameters: [String: JSONValue]
  /// The caller wants no reply, not even an error.
  public var oneway: Bool
  /// The caller takes several replies.
  public var more: Bool

  public init(
    method: String, parameters: [String: JSONValue] = [:], oneway: Bool = false, more: Bool = false
  ) {
    self.method = method
    self.parameters = parameters
    self.oneway = oneway
    self.more = more
  }

  /// Reads a message without its NUL. Parameters may be absent, null or empty alike.
  public init(reading message: [UInt8]) throws(ProtocolViolation) {
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
    // An unknown member may change what the call means (as 'upgrade' does): not to be passed over.
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

  /// What comes before the last dot of the method, e.g. `org.flipclock.Control`.
  public var interface: String {
    method.lastIndex(of: ".").map { String(method[..<$0]) } ?? ""
  }

  /// What comes after the last dot of the method, e.g. `SetScore`.
  public var member: String {
    method.lastIndex(of: ".").map { String(method[method.index(after: $0)...]) } ?? method
  }
}

extension VarlinkCall: Encodable {
  private enum CodingKeys: CodingKey { case method, parameters, oneway, more }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(method, forKey: .method)
    if !parameters.isEmpty { try container.encode(parameters, forKey: .parameters) }
    if oneway { try container.encode(true, forKey: .oneway) }
    if more { try container.encode(true, forKey: .more) }
  }
}
