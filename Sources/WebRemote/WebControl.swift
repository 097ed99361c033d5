// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Commands
import JSON
import LinuxSystem
import Remotes
import Scoreboard
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
      case "AddToken":
        let name = try parameters.string("name")
        let word = try parameters.string("role")
        let board = try parameters.optionalString("board")
        try parameters.finish()
        guard ShownText.problem(in: name, maximum: ShownText.nameLimit) == nil else {
          throw .invalidParameter("name")
        }
        guard let role = DeviceRole(rawValue: word), DeviceRole.ofPrograms.contains(role) else {
          throw .invalidParameter("role")
        }
        guard board == nil || role == .board else { throw .invalidParameter("board") }
        try addToken(name, role, board, reply)
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

  private func addToken(
    _ name: String, _ role: DeviceRole, _ board: String?, _ reply: @escaping (VarlinkReply) -> Void
  ) throws(VarlinkError) {
    if let board, let known = service.link.display?.boards.map(\.name), !known.contains(board) {
      throw VarlinkError(WebInterface.Failure.unknownBoard(board: board, known: known))
    }
    service.addToken(name, role: role, board: board) { result in
      do throws(VarlinkError) {
        switch result {
        case .success(let (device, token)):
          guard let value = try? JSONValue(encoding: device) else { throw .invalidParameter("device") }
          reply(.returning(["device": value, "token": .string(token.text)]))
        case .failure(let error):
          throw VarlinkError(WebInterface.Failure.notStored(reason: "\(error)"))
        }
      } catch {
        reply(.failing(error))
      }
    }
  }

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
    let connected = connected
    return store.registry.devices.map { Self.description(of: $0, connected) }
  }

  private static func description(of device: Device, _ connected: Set<String>) -> WebInterface.Device {
    WebInterface.Device(
      id: device.id, role: device.role.rawValue, program: device.isProgram, board: device.board,
      name: device.name, connected: connected.contains(device.id), paired: text(device.paired),
      seen: text(device.seen))
  }

  /// The ids of the devices with an open page.
  var connected: Set<String> { Set(subscribers.values.compactMap(\.device)) }

  /// Makes a token for a program.
  func addToken(
    _ name: String, role: DeviceRole, board: String?,
    completion: @escaping (Result<(WebInterface.Device, DeviceToken), SystemError>) -> Void
  ) {
    let token = DeviceToken.random()
    store.add(
      token, role: role, isProgram: true, board: board, name: name, at: Self.seconds, connected: connected,
      replacing: nil
    ) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let device):
        self.log.notice("made a token for \(role.rawValue) \(device.id) (\(name))")
        self.revise()
      case .failure(let error): self.log.error("\(error)")
      }
      completion(result.map { (Self.description(of: $0, []), token) })
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
    reportOwners()
  }

  private static func text(_ seconds: Int64) -> String { Instant(seconds: seconds).rfc3339UTC }
}
