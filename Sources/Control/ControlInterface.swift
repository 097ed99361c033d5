// SPDX-License-Identifier: Apache-2.0

/// The interfaces that the control socket serves, in the interface definition language.
public enum ControlInterface {
  public static let name = "org.flipclock.Control"

  /// The text of `org.flipclock.Control.varlink`, which is the contract.
  public static var description: String {
    String(decoding: PackageResources.org_flipclock_Control_varlink, as: UTF8.self)
  }

  public static let serviceName = "org.varlink.service"

  /// The interface that every Varlink service has (https://varlink.org/Service).
  public static let serviceDescription = """
    # What every Varlink service tells about itself.
    interface org.varlink.service

    # Who made this, which release, and the interfaces that it serves.
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

    # The interface has the method, but this service does not offer it.
    error MethodNotImplemented (method: string)

    # A parameter is missing, unknown, or not of its type.
    error InvalidParameter (parameter: string)

    # The caller may not do this.
    error PermissionDenied ()

    # The method must be called with 'more'.
    error ExpectedMore ()

    """
}

/// What GetInfo tells.
public struct ServiceIdentity: Codable, Hashable, Sendable {
  public var vendor: String
  public var product: String
  public var version: String
  public var url: String

  public init(
    vendor: String = "flipclock", product: String = "flipclockd", version: String,
    url: String = "https://varlink.org"
  ) {
    self.vendor = vendor
    self.product = product
    self.version = version
    self.url = url
  }
}
