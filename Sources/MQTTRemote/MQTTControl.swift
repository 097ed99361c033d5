// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import JSON
import Remotes
import Varlink
import VarlinkSockets

/// Serves the interface org.flipclock.MQTT.
final class MQTTControl: VarlinkInterface {
  private unowned let service: MQTTService
  private var watchers = StateWatchers<MQTTInterface.State>()

  init(_ service: MQTTService) { self.service = service }

  var name: String { MQTTInterface.name }
  var description: String { String(decoding: PackageResources.org_flipclock_MQTT_varlink, as: UTF8.self) }

  func perform(_ call: VarlinkCall, from client: UInt64, reply: @escaping (VarlinkReply) -> Void) {
    do throws(VarlinkError) {
      var parameters = ParameterReader(call)
      switch call.member {
      case "GetSettings":
        try parameters.finish()
        let settings = service.reply
        guard let value = try? JSONValue(encoding: settings.settings) else {
          throw .invalidParameter("settings")
        }
        reply(.returning(["settings": value, "revision": .integer(Int64(settings.revision))]))
      case "SetSettings":
        let values = try parameters.array("settings")
        let changes = values.compactMap { try? $0.decoded(as: SettingChange.self) }
        guard changes.count == values.count, !changes.isEmpty else { throw .invalidParameter("settings") }
        let revision = try parameters.optionalInteger("revision")
        try parameters.finish()
        service.change(changes, revision: revision) { result in
          switch result {
          case .success(let change):
            guard let value = try? JSONValue(encoding: change), let members = value.object else {
              return reply(.failing(.invalidParameter("settings")))
            }
            reply(.returning(members))
          case .failure(let error): reply(.failing(error.wire))
          }
        }
      case "SetPassword":
        let password = try parameters.optionalString("password")
        let revision = try parameters.optionalInteger("revision")
        try parameters.finish()
        do throws(ControlError) {
          try service.set(password: password, revision: revision)
        } catch {
          throw error.wire
        }
        reply(.returning([:]))
      case "GetState": try watchers.answer(call, from: client, with: service.state, reply)
      default: throw .methodNotFound(call.method)
      }
    } catch {
      reply(.failing(error))
    }
  }

  func forget(client: UInt64) { watchers.forget(client: client) }

  func stateChanged() { watchers.send(service.state) }
}
