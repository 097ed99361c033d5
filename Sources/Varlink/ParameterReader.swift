// SPDX-License-Identifier: Apache-2.0

import JSON

/// Reads the parameters of a call one after the other. Fails with `InvalidParameter` and the name of a
/// parameter that is missing, of another type, or, at the end, left over. An optional parameter may be null
/// or left out.
package struct ParameterReader {
  private var rest: [String: JSONValue]

  package init(_ call: VarlinkCall) { rest = call.parameters }

  package mutating func string(_ name: String) throws(VarlinkError) -> String {
    guard let value = rest.removeValue(forKey: name)?.string else { throw .invalidParameter(name) }
    return value
  }

  package mutating func integer(_ name: String) throws(VarlinkError) -> Int {
    guard let value = rest.removeValue(forKey: name)?.integer else { throw .invalidParameter(name) }
    return value
  }

  package mutating func boolean(_ name: String) throws(VarlinkError) -> Bool {
    guard let value = rest.removeValue(forKey: name)?.bool else { throw .invalidParameter(name) }
    return value
  }

  /// A parameter of the type `object`.
  package mutating func value(_ name: String) throws(VarlinkError) -> JSONValue {
    guard let value = rest.removeValue(forKey: name), value.object != nil else {
      throw .invalidParameter(name)
    }
    return value
  }

  /// A parameter of an array type.
  package mutating func array(_ name: String) throws(VarlinkError) -> [JSONValue] {
    guard let values = rest.removeValue(forKey: name)?.array else { throw .invalidParameter(name) }
    return values
  }

  package mutating func optionalString(_ name: String) throws(VarlinkError) -> String? {
    isGiven(name) ? try string(name) : nil
  }

  package mutating func optionalInteger(_ name: String) throws(VarlinkError) -> Int? {
    isGiven(name) ? try integer(name) : nil
  }

  /// Whether an optional parameter has a value.
  package mutating func isGiven(_ name: String) -> Bool {
    if rest[name] == .null { rest[name] = nil }
    return rest[name] != nil
  }

  /// If there are several unknown parameters, reports the first in alphabetical order, so that the same call
  /// gets the same reply.
  package func finish() throws(VarlinkError) {
    if let unknown = rest.keys.min() { throw .invalidParameter(unknown) }
  }
}
