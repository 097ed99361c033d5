// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import JSON
import Remotes
import Varlink
import VarlinkSockets
import WebServer

/// What owners do on the page of settings beside changing them.
extension RemoteService {
  func serve(
    _ wanted: OwnerRequest, _ request: HTTPRequest, _ responder: HTTPResponder
  ) throws(RequestRefusal) {
    let device = try pairedDevice(of: request)
    try device.checkOwner()
    switch wanted {
    case .devices: responder.answer(Self.json(200, try list(for: device)))
    case .forget(let id): try forget(id, by: device, request, responder)
    case .invite(let role):
      try call(VarlinkCall(.change(.invite(role))), by: device, responder, answer: Self.answer)
    case .health: try sendHealth(to: device, responder)
    case .restart: try call(VarlinkCall(.restart), by: device, responder, answer: Self.answer)
    }
  }

  /// Calls the daemon for an owner.
  ///
  /// - Parameter answer: the answer to the request, from the daemon's reply.
  func call(
    _ call: VarlinkCall, by device: Device, _ responder: HTTPResponder,
    answer: @escaping (VarlinkChannel.Reply) -> HTTPAnswer
  ) throws(RequestRefusal) {
    try checkRate(of: device)
    performing += 1
    link.perform(call, in: .free) { [weak self] reply in
      self?.performing -= 1
      responder.answer(answer(reply))
    }
  }

  /// Sends what the daemon finds, the releases, and what the network does if flipclock-host runs.
  private func sendHealth(to device: Device, _ responder: HTTPResponder) throws(RequestRefusal) {
    try checkRate(of: device)
    performing += 1
    link.perform(VarlinkCall(.examine), in: .free) { [weak self] reply in
      guard let self else { return }
      performing -= 1
      guard case .success(var members) = reply else { return responder.answer(Self.answer(reply)) }
      members["page"] = .string(Release.version)
      host.perform(HostRequest.state.call) { [weak self] reply in
        if let self, case .success(let reply) = reply, let state = reply["state"] {
          members["network"] = summary(of: state, for: .owner)
        }
        responder.answer(Self.json(200, .object(members)))
      }
    }
  }

  private static func answer(_ reply: VarlinkChannel.Reply) -> HTTPAnswer {
    switch reply {
    case .success(let parameters): json(200, .object(parameters))
    case .failure(let error): answer(RequestRefusal(error))
    }
  }

  /// The devices, each with whether it is the one that asks.
  private func list(for device: Device) throws(RequestRefusal) -> JSONValue {
    var list: [JSONValue] = []
    for item in devices {
      guard var members = (try? JSONValue(encoding: item))?.object else {
        throw RequestRefusal(500, "The devices cannot be written as JSON.")
      }
      members["own"] = .bool(item.id == device.id)
      list.append(.object(members))
    }
    return .object(["devices": .array(list)])
  }

  private func forget(
    _ id: String, by device: Device, _ request: HTTPRequest, _ responder: HTTPResponder
  ) throws(RequestRefusal) {
    let known = devices.map(\.id)
    guard known.contains(id) else {
      let failure = WebInterface.Failure.unknownDevice(device: id, known: known)
      var refusal = RequestRefusal(404, failure.message.printable)
      refusal.cause = VarlinkError(failure)
      throw refusal
    }
    let headers: [HTTPResponse.Header] =
      id == device.id ? [.init("Set-Cookie", Cookies.removing(isSecure: request.isSecure))] : []
    forget(id) { error in
      guard let error else { return responder.answer(Self.json(200, .object([:]), headers)) }
      let failure = WebInterface.Failure.notSaved(reason: "\(error)")
      var refusal = RequestRefusal(507, failure.message.printable, headers: headers)
      refusal.cause = VarlinkError(failure)
      responder.answer(Self.answer(refusal))
    }
  }
}
