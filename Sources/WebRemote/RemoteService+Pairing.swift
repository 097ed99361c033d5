// SPDX-License-Identifier: Apache-2.0

import Commands
import Control
import LinuxSystem
import Varlink
import WebServer

extension RemoteService {
  func pair(
    _ secret: String, _ request: HTTPRequest, _ responder: HTTPResponder
  ) throws(RequestRefusal) {
    let address = request.address
    guard link.isConnected else { throw RequestRefusal(503, "There is no connection to the display.") }
    guard codeAttempts.attempt(from: address, now: loop.now) else { throw Self.tooMany }
    link.perform(VarlinkCall(.redeem(secret: secret))) { [weak self] reply in
      guard let self else { return }
      do throws(RequestRefusal) {
        let role = try self.role(in: reply)
        self.codeAttempts.succeeded(from: address)
        self.admit(role, request, responder)
      } catch {
        // Only a wrong code counts.
        if error.logged == nil { self.codeAttempts.succeeded(from: address) }
        if let reason = error.logged { self.record(reason, from: address) }
        responder.answer(Self.answer(error))
      }
    }
  }

  private static let tooMany = RequestRefusal(
    429, "Too many wrong codes. Wait a minute.", logged: "too many wrong pairing codes")

  private func role(in reply: VarlinkChannel.Reply) throws(RequestRefusal) -> RemoteRole {
    switch reply {
    case .success(let parameters):
      if let role = parameters["role"]?.string.flatMap({ RemoteRole(rawValue: $0) }) { return role }
      throw RequestRefusal(503, "The display's answer is not understood. Is it of another release?")
    case .failure(.refused(let error)):
      switch ControlError.PairingRefused(error).map({ PairingProblem(rawValue: $0.problem) }) {
      case .noInvitation??:
        throw RequestRefusal(
          403, "The display shows no code now. 'flipclockctl remote' shows one.",
          logged: "a pairing code while the display shows none")
      case .tooManyTries??: throw Self.tooMany
      case .some:
        throw RequestRefusal(403, "This is not the code on the display.", logged: "a wrong pairing code")
      case nil: throw RequestRefusal(503, ControlError(error).message.printable)
      }
    case .failure: throw RequestRefusal(503, "The display did not answer.")
    }
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
