// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import JSON
import Varlink
import VarlinkSockets
import WebServer

/// The settings, for owners. The daemon decides about each change; the answers have its replies and errors.
extension RemoteService {
  func serve(
    _ wanted: SettingsRequest, _ request: HTTPRequest, _ responder: HTTPResponder
  ) throws(RequestRefusal) {
    let device = try pairedDevice(of: request)
    try device.checkOwner()
    try call(wanted.call(by: device), by: device, responder) { Self.answer($0, to: wanted) }
  }

  private static func answer(_ reply: VarlinkChannel.Reply, to wanted: SettingsRequest) -> HTTPAnswer {
    switch reply {
    case .success(var reply):
      let revision = reply["revision"]?.integer ?? 0
      let text = reply.removeValue(forKey: "text")?.string ?? ""
      let tag = HTTPResponse.Header("ETag", "\"\(revision)\"")
      guard wanted == .export else { return json(200, .object(reply), [tag]) }
      let headers: [HTTPResponse.Header] = [
        tag, .init("Content-Type", "application/toml"),
        .init("Content-Disposition", "attachment; filename=\"settings.toml\""),
        .init("Cache-Control", "no-store"),
      ]
      return .response(
        HTTPResponse(status: 200, headers: WebPage.common + headers, body: Array(text.utf8)))
    // The change was made, and must not be made again.
    case .failure(.refused(let error)) where ControlError(error).isPerformed:
      return json(202, .object(["unsaved": .string(ControlError(error).message.printable)]))
    case .failure(let error): return answer(RequestRefusal(error))
    }
  }
}

extension SettingsRequest {
  fileprivate func call(by device: Device) -> VarlinkCall {
    switch self {
    case .read, .export: VarlinkCall(.settings)
    case .change(let changes, let terms): VarlinkCall(.setSettings(changes), on: terms.of(device))
    case .replace(let text, let terms): VarlinkCall(.importSettings(text), on: terms.of(device))
    }
  }
}
