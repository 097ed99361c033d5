// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Finds the method of a call, reads its parameters, has the handler do it, and writes the reply.
public final class ControlService {
  private weak var handler: (any ControlHandler)?
  private let identity: ServiceIdentity
  let subscriberLimit: Int
  var subscribers: [Subscriber] = []

  /// - Parameters:
  ///   - handler: held weakly; once it is gone calls fail.
  ///   - subscriberLimit: how many clients may watch at a time.
  public init(handler: any ControlHandler, identity: ServiceIdentity, subscriberLimit: Int = 128) {
    self.handler = handler
    self.identity = identity
    self.subscriberLimit = subscriberLimit
  }

  private struct Info: Encodable {
    var vendor, product, version, url: String
    var interfaces: [String]
  }
  private struct Screenshot: Encodable {
    var png: Data
    var width, height: Int
  }

  /// Calls `reply` once, at once or when the work is done; for a subscription again and again, until the
  /// client is forgotten. A method that is asked for more than one reply and has but one gives that.
  ///
  /// - Parameter client: who calls, by a number of its own.
  public func perform(
    _ call: VarlinkCall, from client: UInt64 = 0, reply: @escaping (VarlinkReply) -> Void
  ) {
    do throws(ControlError) {
      switch call.interface {
      case ControlInterface.serviceName: reply(try describe(call))
      case ControlInterface.name: try control(call, from: client, reply)
      default: throw .interfaceNotFound(call.interface)
      }
    } catch {
      reply(.failing(error))
    }
  }

  private func describe(_ call: VarlinkCall) throws(ControlError) -> VarlinkReply {
    var parameters = ParameterReader(call.parameters)
    switch call.member {
    case "GetInfo":
      try parameters.finish()
      return .returning(
        Info(
          vendor: identity.vendor, product: identity.product, version: identity.version,
          url: identity.url, interfaces: [ControlInterface.serviceName, ControlInterface.name]))
    case "GetInterfaceDescription":
      let interface = try parameters.string("interface")
      try parameters.finish()
      switch interface {
      case ControlInterface.serviceName:
        return .returning(["description": ControlInterface.serviceDescription])
      case ControlInterface.name: return .returning(["description": ControlInterface.description])
      default: throw .interfaceNotFound(interface)
      }
    default: throw .methodNotFound(call.method)
    }
  }

  private func control(
    _ call: VarlinkCall, from client: UInt64, _ reply: @escaping (VarlinkReply) -> Void
  ) throws(ControlError) {
    var parameters = ParameterReader(call.parameters)
    if let action = try action(call.member, &parameters) {
      try parameters.finish()
      return try perform(action, reply)
    }
    switch call.member {
    case "GetStatus":
      try parameters.finish()
      reply(.returning(["status": try running().status()]))
    case "GetState":
      try parameters.finish()
      reply(.returning(["state": try running().matchState()]))
    case "GetHistory": reply(try history(&parameters))
    case "Subscribe":
      try parameters.finish()
      try subscribe(call, from: client, reply)
    case "Show":
      let page = try parameters.string("page")
      try parameters.finish()
      reply(Self.reply(try running().show(page: page)) { ["page": $0] })
    case "Reload":
      try parameters.finish()
      try running().reload { reply(.returning($0)) }
    case "Screenshot":
      try parameters.finish()
      try running().screenshot { result in
        reply(
          Self.reply(result) { Screenshot(png: Data($0.png), width: $0.width, height: $0.height) })
      }
    default:
      guard try display(call.member, &parameters, reply) else { throw .methodNotFound(call.method) }
    }
  }

  func running() throws(ControlError) -> any ControlHandler {
    guard let handler else { throw .failed(reason: "the daemon is stopping") }
    return handler
  }

  private static func reply<Success>(
    _ result: Result<Success, ControlFailure>, _ parameters: (Success) -> some Encodable
  ) -> VarlinkReply {
    switch result {
    case .success(let value): .returning(parameters(value))
    case .failure(let failure): .failing(ControlError(failure))
    }
  }
}
