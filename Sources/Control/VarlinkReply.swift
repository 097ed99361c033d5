// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// One reply, ready for the wire.
public struct VarlinkReply: Hashable, Sendable {
  /// The JSON text, without the NUL.
  public let message: [UInt8]
  /// Further replies to the same call follow.
  public let continues: Bool

  private init(_ envelope: some Encodable, continues: Bool = false) throws {
    message = try wireText(envelope)
    self.continues = continues
  }

  private init(literally text: StaticString) {
    message = text.withUTF8Buffer { Array($0) }
    continues = false
  }

  private struct Envelope<Parameters: Encodable>: Encodable {
    var error: String?
    var continues: Bool?
    var parameters: Parameters?
  }

  /// The error that the reply is; nil: the method did its work.
  public var error: ControlError? {
    guard let value = try? JSONReader.read(message), let name = value["error"]?.string else { return nil }
    return ControlError(name: name, parameters: value["parameters"]?.object ?? [:])
  }

  /// The method did its work. What JSON cannot express (a NaN) is answered with an error.
  public static func returning(_ parameters: some Encodable, continues: Bool = false) -> VarlinkReply {
    let envelope = Envelope(continues: continues ? true : nil, parameters: parameters)
    do { return try VarlinkReply(envelope, continues: continues) } catch {
      return .failing(.failed(reason: "the reply cannot be written as JSON"))
    }
  }

  public static func failing(_ error: ControlError) -> VarlinkReply {
    let parameters = error.parameters
    let envelope = Envelope(error: error.name, parameters: parameters.isEmpty ? nil : parameters)
    let reply = try? VarlinkReply(envelope)
    return reply
      ?? VarlinkReply(literally: #"{"error":"org.flipclock.Control.Failed","parameters":{"reason":""}}"#)
  }
}

/// `value` as JSON on one line, members sorted, so that equal values give equal bytes.
public func wireText(_ value: some Encodable) throws -> [UInt8] {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return Array(try encoder.encode(value))
}
