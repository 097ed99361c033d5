// SPDX-License-Identifier: Apache-2.0

import CivilTime
import JSON
import LinuxSystem
import Remotes
import Varlink
import VarlinkSockets

/// Serves the interface org.flipclock.Web.
final class WebControl: VarlinkInterface {
  private unowned let service: RemoteService

  init(_ service: RemoteService) { self.service = service }

  var name: String { WebInterface.name }
  var description: String { String(decoding: PackageResources.org_flipclock_Web_varlink, as: UTF8.self) }

  func perform(_ call: VarlinkCall, from client: UInt64, reply: @escaping (VarlinkReply) -> Void) {
    do throws(VarlinkError) {
      var parameters = ParameterReader(call)
      switch call.member {
      case "List":
        try parameters.finish()
        reply(try Self.devices(service.devices))
      case "Forget":
        let id = try parameters.optionalString("device")
        try parameters.finish()
        try forget(id, reply)
      default: throw .methodNotFound(call.method)
      }
    } catch {
      reply(.failing(error))
    }
  }

  func forget(client: UInt64) {}

  private func forget(_ id: String?, _ reply: @escaping (VarlinkReply) -> Void) throws(VarlinkError) {
    let known = service.devices.map(\.id)
    if let id, !known.contains(id) {
      throw VarlinkError(WebInterface.Failure.unknownDevice(device: id, known: known))
    }
    let forgotten = service.devices.filter { id == nil || $0.id == id }
    service.forget(id) { error in
      do throws(VarlinkError) {
        if let error { throw VarlinkError(WebInterface.Failure.notSaved(reason: "\(error)")) }
        reply(try Self.devices(forgotten))
      } catch {
        reply(.failing(error))
      }
    }
  }

  private static func devices(_ devices: [WebInterface.Device]) throws(VarlinkError) -> VarlinkReply {
    guard let value = try? JSONValue(encoding: devices) else { throw .invalidParameter("devices") }
    return .returning(["devices": value])
  }
}

extension RemoteService {
  /// The paired devices for people.
  var devices: [WebInterface.Device] {
    let connected = Set(subscribers.values.compactMap(\.device))
    return store.registry.devices.map {
      WebInterface.Device(
        id: $0.id, role: $0.role.rawValue, name: $0.name, connected: connected.contains($0.id),
        paired: Self.text($0.paired), seen: Self.text($0.seen))
    }
  }

  /// Forgets a device, or all of them if `id` is nil, and ends what they may do on their open pages.
  func forget(_ id: String?, completion: @escaping (SystemError?) -> Void) {
    store.forget(id) { [log] result in
      switch result {
      case .success(let devices):
        for device in devices {
          log.notice("unpaired the \(device.role.rawValue) \(device.id) (\(device.name))")
        }
        completion(nil)
      case .failure(let error):
        log.error("\(error)")
        completion(error)
      }
    }
    revise()
  }

  private static func text(_ seconds: Int64) -> String { Instant(seconds: seconds).rfc3339UTC }
}
