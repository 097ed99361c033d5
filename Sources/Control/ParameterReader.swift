// SPDX-License-Identifier: Apache-2.0

/// Takes the parameters of a call one by one; what is missing, of another type or left over at the end
/// is `InvalidParameter` with its name. A null counts as missing, and what is optional may be.
struct ParameterReader {
  private var rest: [String: JSONValue]

  init(_ parameters: [String: JSONValue]) { rest = parameters }

  mutating func string(_ name: String) throws(ControlError) -> String {
    guard let value = rest.removeValue(forKey: name)?.string else { throw .invalidParameter(name) }
    return value
  }

  mutating func integer(_ name: String) throws(ControlError) -> Int {
    guard let value = rest.removeValue(forKey: name)?.integer else { throw .invalidParameter(name) }
    return value
  }

  mutating func optionalString(_ name: String) throws(ControlError) -> String? {
    guard let value = rest[name], value != .null else {
      rest[name] = nil
      return nil
    }
    return try string(name)
  }

  mutating func optionalInteger(_ name: String) throws(ControlError) -> Int? {
    guard let value = rest[name], value != .null else {
      rest[name] = nil
      return nil
    }
    return try integer(name)
  }

  /// Of several unknown ones the first by name, so that the same call gets the same answer.
  func finish() throws(ControlError) {
    if let unknown = rest.keys.min() { throw .invalidParameter(unknown) }
  }
}
