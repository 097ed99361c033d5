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

  package init(_ error: some DeclaredError) {
    self.init(name: type(of: error).name, parameters: error.parameters)
  }
}

/// An error that an interface declares. The type's name is the error's name without the interface, and its stored
/// properties are the parameters.
package protocol DeclaredError: Codable, Hashable, Sendable {
  /// The interface that declares the error, e.g. `org.varlink.service`.
  static var interfaceName: String { get }
}

extension DeclaredError {
  /// The qualified name, e.g. `org.varlink.service.MethodNotFound`.
  package static var name: String { "\(interfaceName).\(Self.self)" }

  package var parameters: [String: JSONValue] { (try? JSONValue(encoding: self))?.object ?? [:] }

  /// Reads an error reply. Nil: it is another error, or its parameters are not as declared.
  package init?(_ error: VarlinkError) {
    guard error.name == Self.name,
      let value = try? JSONValue.object(error.parameters).decoded(as: Self.self)
    else { return nil }
    self = value
  }
}

/// The errors of `org.varlink.service`.
package enum ServiceError {
  package static let interfaceName = "org.varlink.service"

  package protocol Declared: DeclaredError {}

  package struct InterfaceNotFound: Declared { package var interface: String }
  package struct MethodNotFound: Declared { package var method: String }
  package struct MethodNotImplemented: Declared { package var method: String }
  package struct InvalidParameter: Declared { package var parameter: String }
  package struct PermissionDenied: Declared {}
  package struct ExpectedMore: Declared {}
}

extension ServiceError.Declared {
  package static var interfaceName: String { ServiceError.interfaceName }
}

extension VarlinkError {
  package static func interfaceNotFound(_ name: String) -> VarlinkError {
    VarlinkError(ServiceError.InterfaceNotFound(interface: name))
  }

  /// - Parameter method: its qualified name.
  package static func methodNotFound(_ method: String) -> VarlinkError {
    VarlinkError(ServiceError.MethodNotFound(method: method))
  }

  package static func invalidParameter(_ name: String) -> VarlinkError {
    VarlinkError(ServiceError.InvalidParameter(parameter: name))
  }

  package static var expectedMore: VarlinkError { VarlinkError(ServiceError.ExpectedMore()) }
}
