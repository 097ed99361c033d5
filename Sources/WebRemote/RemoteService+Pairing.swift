// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import LinuxSystem
import Varlink
import VarlinkSockets
import WebServer

/// The codes of phones that are to be paired.
struct Pairing {
  /// A code that has not been sent to the daemon yet.
  struct Code {
    var text: String
    var request: HTTPRequest
    var responder: HTTPResponder

    var canBeGuessed: Bool { PairingCodes.canBeGuessed(text) }
  }

  /// How many codes are sent to the daemon at a time. The limit keeps many wrong codes from delaying
  /// commands.
  static let redeemLimit = 3

  /// Limits wrong guesses. The daemon allows five a minute. A network may make only three, so that it cannot
  /// keep others from pairing.
  var attempts = AttemptLimiter<PeerAddress>(
    each: .init(burst: 3, perMinute: 3), all: .init(burst: 5, perMinute: 5))
  /// The number of codes that were sent to the daemon and have no reply yet.
  var redeeming = 0
  var waiting: [Code] = []
}

extension RemoteService {
  func pair(
    _ text: String, _ request: HTTPRequest, _ responder: HTTPResponder
  ) throws(RequestRefusal) {
    guard link.isConnected else { throw Self.noDaemon }
    let code = Pairing.Code(text: text, request: request, responder: responder)
    if code.canBeGuessed, !pairing.attempts.attempt(from: request.address, now: loop.now) {
      throw Self.tooMany
    }
    pairing.waiting.append(code)
    redeemNext()
  }

  private func redeemNext() {
    while pairing.redeeming < Pairing.redeemLimit, !pairing.waiting.isEmpty {
      redeem(pairing.waiting.removeFirst())
    }
  }

  private func redeem(_ code: Pairing.Code) {
    guard link.isConnected else {
      doesNotCount(code)
      return code.responder.answer(Self.answer(Self.noDaemon))
    }
    pairing.redeeming += 1
    link.perform(VarlinkCall(.redeem(secret: code.text))) { [weak self] reply in
      guard let self else { return }
      self.pairing.redeeming -= 1
      if !reply.isWrongCode { self.doesNotCount(code) }
      do throws(RequestRefusal) {
        self.admit(try self.role(in: reply), code.request, code.responder)
      } catch {
        if let reason = error.logged { self.record(reason, from: code.request.address) }
        code.responder.answer(Self.answer(error))
      }
      self.redeemNext()
    }
  }

  /// Takes back an attempt, because only wrong guesses count.
  private func doesNotCount(_ code: Pairing.Code) {
    if code.canBeGuessed { pairing.attempts.succeeded(from: code.request.address) }
  }

  static let noDaemon = RequestRefusal(
    503, "There is no connection to the display. Try again.", headers: [.retry(after: 2)])
  private static let tooMany = RequestRefusal(
    429, "Too many wrong codes. Wait a minute.", logged: "too many wrong pairing codes",
    headers: [.retry(after: 60)])

  private func role(in reply: VarlinkChannel.Reply) throws(RequestRefusal) -> RemoteRole {
    switch reply {
    case .success(let parameters):
      if let role = parameters["role"]?.string.flatMap({ RemoteRole(rawValue: $0) }) { return role }
      throw RequestRefusal(503, "The display's answer is not understood. Is it of another release?")
    case .failure(.refused(let error)):
      let error = ControlError(error)
      guard case .pairingRefused(let problem) = error else {
        throw RequestRefusal(503, error.message.printable)
      }
      switch PairingProblem(rawValue: problem) {
      case .noInvitation?:
        throw RequestRefusal(
          403, "The display shows no code now. 'flipclockctl remote' shows one.",
          logged: "a pairing code while the display shows none")
      case .tooManyTries?: throw Self.tooMany
      case .wrongCode?, nil:
        throw RequestRefusal(403, "This is not the code on the display.", logged: "a wrong pairing code")
      }
    case .failure: throw RequestRefusal(503, "The display did not answer.")
    }
  }

  /// Pairs a device that has sent a valid code: stores a new token for it, in place of the one that it may
  /// have.
  private func admit(_ role: RemoteRole, _ request: HTTPRequest, _ responder: HTTPResponder) {
    let token = DeviceToken.random()
    let name = Device.name(userAgent: request.headers["user-agent"])
    let before = store.registry.device(with: Cookies.tokens(request.headers["cookie"]))
    let role = store.registry.role(role, replacing: before)
    store.add(
      token, role: role, name: name, at: Self.seconds, connected: connected, replacing: before
    ) { [weak self] result in
      guard let self else { return }
      self.reportOwners()
      switch result {
      case .success(let device):
        self.log.notice("paired \(role.rawValue) \(device.id) (\(name)) at \(request.address)")
        self.revise()
        responder.answer(
          Self.json(
            200, .object(["role": .string(role.rawValue)]),
            [.init("Set-Cookie", Cookies.setting(token, isSecure: request.isSecure))]))
      case .failure(let error):
        self.log.error("\(name) at \(request.address) could not be paired: \(error)")
        responder.answer(Self.answer(RequestRefusal(507, "This device could not be stored: \(error.errno).")))
      }
    }
  }
}

extension VarlinkChannel.Reply {
  fileprivate var isWrongCode: Bool {
    guard case .failure(.refused(let error)) = self else { return false }
    return ControlError(error) == .pairingRefused(.wrongCode)
  }
}
