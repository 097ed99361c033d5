// SPDX-License-Identifier: Apache-2.0

import JSON

/// An error reply: the error's qualified name and its parameters.
package struct VarlinkError: Error, Hashable, Sendable {
  package var name: String
  package var parameters: [String: JSONValue]

  package init(name: String, parameters: [String: JSONValue] = [:]) {
    self.name = name
    self.parameters = parameters
  }

  package init(_ error: some DeclaredErrors) {
    // An enum is encoded as an object whose only member is the case.
    let member = (try? JSONValue(encoding: error))?.object?.first
    self.init(name: type(of: error).name(of: member?.key ?? ""), parameters: member?.value.object ?? [:])
  }
}

/// The errors that an interface declares: an enum with a case for each. The labels of a case are the error's
/// parameters, and the error's name is that of the case with a capital. An enum with other cases too lists
/// the errors in `CodingKeys`.
package protocol DeclaredErrors: Codable, Hashable, Sendable {
  /// The interface that declares the errors, e.g. `org.varlink.service`.
  static var interfaceName: String { get }
}

extension DeclaredErrors {
  fileprivate static func name(of key: some StringProtocol) -> String {
    "\(interfaceName).\(key.prefix(1).uppercased())\(key.dropFirst())"
  }

  /// Reads an error reply. Nil: it is another error, or its parameters are not as declared.
  package init?(reading error: VarlinkError) {
    let member = error.name.dropFirst(Self.interfaceName.count + 1)
    let key = member.prefix(1).lowercased() + member.dropFirst()
    guard Self.name(of: key) == error.name,
      let value = try? JSONValue.object([key: .object(error.parameters)]).decoded(as: Self.self)
    else { return nil }
    self = value
  }
}

/// The errors of `org.varlink.service`.
package enum ServiceError: DeclaredErrors {
  package static let interfaceName = "org.varlink.service"

  case interfaceNotFound(interface: String)
  case methodNotFound(method: String)
  case methodNotImplemented(method: String)
  case invalidParameter(parameter: String)
  case permissionDenied
  case expectedMore
}

extension VarlinkError {
  package static func interfaceNotFound(_ name: String) -> VarlinkError {
    VarlinkError(ServiceError.interfaceNotFound(interface: name))
  }

  /// - Parameter method: its qualified name.
  package static func methodNotFound(_ method: String) -> VarlinkError {
    VarlinkError(ServiceError.methodNotFound(method: method))
  }

  package static func invalidParameter(_ name: String) -> VarlinkError {
    VarlinkError(ServiceError.invalidParameter(parameter: name))
  }

  package static var expectedMore: VarlinkError { VarlinkError(ServiceError.expectedMore) }
}
