// SPDX-License-Identifier: Apache-2.0

import Control
import LinuxSystem
import Varlink
import WebServer

extension RemoteService {
  private static let wrong = RequestRefusal(
    403, "The code is wrong or has expired. 'flipclockctl remote' shows a new one.",
    logged: "a wrong pairing code")

  func pair(
    _ secret: String, _ request: HTTPRequest, _ responder: HTTPResponder
  ) throws(RequestRefusal) {
    let address = request.address
    let isCode = secret.utf8.count == 6
    let isAllowed =
      isCode
      ? codeAttempts.attempt(from: address, now: loop.now)
      : secretAttempts.attempt(from: address, now: loop.now)
    guard isAllowed else {
      throw RequestRefusal(429, "Too many attempts. Wait a minute.", logged: "too many pairing codes")
    }
    guard link.isConnected else {
      forgive(isCode, address)
      throw RequestRefusal(503, "There is no connection to the display.")
    }
    let call = VarlinkCall(
      method: "\(ControlInterface.name).RedeemPairing", parameters: ["secret": .string(secret)])
    link.perform(call) { [weak self] reply in
      guard let self else { return }
      switch reply {
      case .success(let parameters):
        self.forgive(isCode, address)
        guard let role = parameters["role"]?.string.flatMap({ RemoteRole(rawValue: $0) }) else {
          return responder.answer(
            Self.answer(
              RequestRefusal(503, "The display's answer is not understood; is it of another release?")))
        }
        self.admit(role, request, responder)
      case .failure(.refused(let error)) where error.name == "\(ControlInterface.name).PairingRefused":
        self.record("a wrong pairing code", from: address)
        responder.answer(Self.answer(Self.wrong))
      case .failure(let error):
        self.forgive(isCode, address)
        self.log.warning("pairing failed: \(error.message)")
        responder.answer(Self.answer(RequestRefusal(503, "The display did not answer.")))
      }
    }
  }

  private func forgive(_ isCode: Bool, _ address: PeerAddress) {
    if isCode { codeAttempts.succeeded(from: address) } else { secretAttempts.succeeded(from: address) }
  }

  /// Gives a device that has shown a valid code its token, in place of one that it may have.
  private func admit(_ role: RemoteRole, _ request: HTTPRequest, _ responder: HTTPResponder) {
    let token = DeviceToken.random()
    let name = Device.name(userAgent: request.headers["user-agent"])
    let connected = Set(subscribers.values.compactMap(\.device))
    let before = store.registry.device(with: Cookies.tokens(request.headers["cookie"]))
    store.add(
      token, role: role, name: name, at: Self.seconds, connected: connected, replacing: before
    ) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let device):
        self.log.notice("paired \(role.rawValue) \(device.id) (\(name)) at \(request.address)")
        self.revise()
        responder.answer(
          Self.json(
            200, .object(["role": .string(role.rawValue)]), [.init("Set-Cookie", Cookies.setting(token))]))
      case .failure(let error):
        self.log.error("\(error)")
        responder.answer(Self.answer(RequestRefusal(503, "This device could not be stored: \(error.errno).")))
      }
    }
  }
}
