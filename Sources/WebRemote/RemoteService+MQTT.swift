// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import JSON
import Remotes
import Varlink
import VarlinkSockets
import WebServer

/// The broker of flipclock-mqtt, for owners. flipclock-mqtt decides about each change; the answers have its
/// replies and errors, and never a password.
extension RemoteService {
  func serve(
    _ wanted: MQTTRequest, _ request: HTTPRequest, _ responder: HTTPResponder
  ) throws(RequestRefusal) {
    let device = try pairedDevice(of: request)
    try device.checkOwner()
    try checkRate(of: device)
    guard case .read = wanted else {
      return ask(wanted.call, responder) { responder.answer(Self.json(200, .object($0))) }
    }
    mqtt.perform(MQTTInterface.call("GetState")) { [weak self] reply in
      // Pages ask every few seconds, and browsers count an error each time.
      if case .failure(.unreachable) = reply { return responder.answer(Self.json(200, .object([:]))) }
      self?.answer(reply, responder) { state in
        self?.ask(wanted.call, responder) { settings in
          responder.answer(Self.json(200, .object(settings.merging(state) { first, _ in first })))
        }
      }
    }
  }

  /// Calls flipclock-mqtt, and answers if that fails.
  private func ask(
    _ call: VarlinkCall, _ responder: HTTPResponder,
    _ completion: @escaping ([String: JSONValue]) -> Void
  ) {
    mqtt.perform(call) { [weak self] in self?.answer($0, responder, completion) }
  }

  private func answer(
    _ reply: VarlinkChannel.Reply, _ responder: HTTPResponder,
    _ completion: @escaping ([String: JSONValue]) -> Void
  ) {
    switch reply {
    case .success(let parameters): completion(parameters)
    case .failure(.refused(let error)) where ControlError(error).isPerformed:
      responder.answer(
        Self.json(202, .object(["unsaved": .string(ControlError(error).message.printable)])))
    case .failure(.unreachable):
      var refusal = RequestRefusal(503, "flipclock-mqtt does not run on this machine.")
      refusal.cause = VarlinkError(name: "\(MQTTInterface.name).NoMQTT")
      responder.answer(Self.answer(refusal))
    case .failure(let error): responder.answer(Self.answer(RequestRefusal(error)))
    }
  }
}

extension MQTTRequest {
  fileprivate var call: VarlinkCall {
    switch self {
    case .read: MQTTInterface.call("GetSettings")
    case .change(let changes, let revision):
      MQTTInterface.call(
        "SetSettings",
        [
          "settings": (try? JSONValue(encoding: changes)) ?? .array([]),
          "revision": revision.map { .integer(Int64($0)) } ?? .null,
        ])
    case .password(let password, let revision):
      MQTTInterface.call(
        "SetPassword",
        [
          "password": password.map { .string($0.text) } ?? .null,
          "revision": revision.map { .integer(Int64($0)) } ?? .null,
        ])
    }
  }
}
