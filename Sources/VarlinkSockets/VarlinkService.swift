// SPDX-License-Identifier: Apache-2.0

import JSON
import LinuxSystem
import Varlink

/// An interface that a service offers. Everything is called on the loop's thread.
package protocol VarlinkInterface: AnyObject {
  /// E.g. `org.flipclock.Control`. It declares the two errors that end a connection:
  /// `ProtocolViolation (reason: string)` and `TooManyClients (limit: int)`.
  var name: String { get }
  /// The text of the interface definition.
  var description: String { get }
  /// Performs a call to this interface. Invokes `reply` once, now or later; for a stream, repeatedly, until
  /// the last reply or until `forget`.
  ///
  /// - Parameter client: the number of the client's connection.
  func perform(_ call: VarlinkCall, from client: UInt64, reply: @escaping (VarlinkReply) -> Void)
  /// A client has connected.
  ///
  /// - Parameter peer: its process; nil if the kernel does not report it.
  func admit(client: UInt64, peer: PeerProcess?)
  /// The connection is closed.
  func forget(client: UInt64)
}

extension VarlinkInterface {
  package func admit(client: UInt64, peer: PeerProcess?) {}
}

/// What `org.varlink.service.GetInfo` returns.
package struct ServiceIdentity: Hashable, Sendable {
  package var vendor: String
  package var product: String
  package var version: String
  package var url: String

  package init(vendor: String, product: String, version: String, url: String) {
    self.vendor = vendor
    self.product = product
    self.version = version
    self.url = url
  }
}

/// A service with one interface of its own and `org.varlink.service` (https://varlink.org/Service).
package final class VarlinkService {
  package let identity: ServiceIdentity
  package let interface: any VarlinkInterface

  package init(identity: ServiceIdentity, interface: any VarlinkInterface) {
    self.identity = identity
    self.interface = interface
  }

  /// A method with a single reply gives that reply even if it is called with `more`.
  package func perform(
    _ call: VarlinkCall, from client: UInt64, reply: @escaping (VarlinkReply) -> Void
  ) {
    switch call.interface {
    case interface.name: interface.perform(call, from: client, reply: reply)
    case ServiceError.interfaceName:
      do throws(VarlinkError) { reply(.returning(try describe(call))) } catch { reply(.failing(error)) }
    default: reply(.failing(.interfaceNotFound(call.interface)))
    }
  }

  private func describe(_ call: VarlinkCall) throws(VarlinkError) -> [String: JSONValue] {
    var parameters = ParameterReader(call)
    switch call.member {
    case "GetInfo":
      try parameters.finish()
      return [
        "vendor": .string(identity.vendor), "product": .string(identity.product),
        "version": .string(identity.version), "url": .string(identity.url),
        "interfaces": .array([.string(ServiceError.interfaceName), .string(interface.name)]),
      ]
    case "GetInterfaceDescription":
      let name = try parameters.string("interface")
      try parameters.finish()
      switch name {
      case ServiceError.interfaceName: return ["description": .string(Self.description)]
      case interface.name: return ["description": .string(interface.description)]
      default: throw .interfaceNotFound(name)
      }
    default: throw .methodNotFound(call.method)
    }
  }

  /// The definition of `org.varlink.service`.
  package static let description = """
    # The interface of every Varlink service.
    interface org.varlink.service

    # The service's vendor, product, release and interfaces.
    method GetInfo() -> (
      vendor: string,
      product: string,
      version: string,
      url: string,
      interfaces: []string
    )

    # The definition of an interface.
    method GetInterfaceDescription(interface: string) -> (description: string)

    # The service has no such interface.
    error InterfaceNotFound (interface: string)

    # The interface has no such method.
    error MethodNotFound (method: string)

    # The interface has the method, but this service does not implement it.
    error MethodNotImplemented (method: string)

    # A parameter is missing, unknown, or not of its type.
    error InvalidParameter (parameter: string)

    # The caller is not permitted to do this.
    error PermissionDenied ()

    # The method must be called with 'more'.
    error ExpectedMore ()

    """
}
