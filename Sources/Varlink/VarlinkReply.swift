// SPDX-License-Identifier: Apache-2.0

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
